import Basics
import Foundation
package import Harness
import SpineDatasets

/// The report files of a run.
package struct RunReports: Sendable {
    package enum Name {
        package static let markdown = "report.md"
        package static let figures = "figures.csv"
        package static let samples = "samples.csv"
        package static let json = RunFolder.Name.report
        package static let html = "report.html"
    }

    private let contents: RunContents

    package init(_ contents: RunContents) { self.contents = contents }

    /// Returns every report's bytes by its file's name.
    package func files() throws -> [String: [UInt8]] {
        try [
            Name.markdown: Array(RunDocument(contents.result).markdown.utf8),
            Name.figures: FigureCSV.bytes(contents.result),
            Name.samples: SamplesCSV(
                samples: contents.samples,
                records: contents.records,
                evidence: Dictionary(contents.result.measurements.map { ($0.id, $0.evidence) }) { $1 }
            ).bytes,
            Name.json: JSONFile.bytes(contents.result),
            Name.html: ReportPage(contents).html(),
        ]
    }

    /// Writes them all into a folder that is there: each that can be written, if others cannot.
    package func write(to folder: String) throws { try RunFolder.write(files(), to: folder) }
}
