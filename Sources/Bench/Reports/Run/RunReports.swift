import Foundation
package import Harness
package import Results
import SpineDatasets

/// The report files of a run.
package struct RunReports: Sendable {
    package enum Name {
        package static let markdown = "report.md"
        /// Name of the file with the details beyond report.md.
        package static let details = "report-details.md"
        package static let csv = "report.csv"
        package static let samples = "samples.csv"
        package static let json = RunFolder.Name.report
        package static let html = "report.html"
        package static let devices = "devices.csv"
        package static let live = "live.csv"
        /// Name of the file that merged shards reproduce byte by byte.
        package static let accuracy = "accuracy.json"
        package static let accuracyCSV = "accuracy.csv"
    }

    private let contents: RunContents

    package init(_ contents: RunContents) { self.contents = contents }

    /// Returns every report's bytes by its file's name; `progress` counts the drawn pictures of the page.
    package func files(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws -> [String: [UInt8]] {
        let markdown = RunDocument(contents.result).markdown
        var files = [
            Name.markdown: Array(markdown.main.utf8),
            Name.csv: FigureCSV.report(contents.result),
            Name.samples: SamplesCSV(
                samples: contents.samples,
                records: contents.records,
                evidence: Dictionary(contents.result.measurements.map { ($0.id, $0.evidence) }) { $1 }
            ).bytes,
            Name.json: try JSONFile.bytes(contents.result),
            Name.html: try ReportPage(contents, progress: progress).html(),
        ].merging(try Self.accuracy(contents.result.configuration, contents.result.measurements)) { $1 }
        if let details = markdown.details { files[Name.details] = Array(details.utf8) }
        if contents.result.measurements.contains(where: { $0.findings?.live != nil }) {
            files[Name.live] = FigureCSV.live(contents.result)
        }
        if let devices = contents.result.devices {
            let gates = contents.result.configuration.devices?.gates ?? .none
            files[Name.devices] = DevicesCSV(assessment: devices, gates: gates).bytes
        }
        return files
    }

    /// Returns the two files that are the same bytes of a run in one piece and of its shards merged.
    package static func accuracy(
        _ configuration: RunConfiguration,
        _ results: [MeasurementResult]
    ) throws -> [String: [UInt8]] {
        [
            Name.accuracy: try JSONFile.bytes(AccuracyReport(configuration, results)),
            Name.accuracyCSV: FigureCSV.accuracy(results),
        ]
    }

    /// Writes them all into a folder that is there: each that can be written, if others cannot.
    package func write(to folder: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
        try Self.write(files(progress: progress), to: folder, details: Name.details)
    }

    /// Writes files, and removes `details`, a remainder of an earlier, longer report, unless it is among them.
    static func write(_ files: [String: [UInt8]], to folder: String, details: String) throws {
        try RunFolder.write(files, to: folder)
        if files[details] == nil { try? FileManager.default.removeItem(atPath: "\(folder)/\(details)") }
    }
}
