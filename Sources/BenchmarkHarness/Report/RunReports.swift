import Foundation

/// The report files of a run.
package struct RunReports: Sendable {
    /// File names in a run's folder.
    package enum Name {
        package static let markdown = "report.md"
        package static let csv = "report.csv"
        package static let samples = "samples.csv"
        package static let json = "report.json"
    }

    private let result: RunResult
    private let samples: SampleIndex
    private let records: [SampleRecord]

    package init(_ result: RunResult, samples: SampleIndex, records: [SampleRecord]) {
        self.result = result
        self.samples = samples
        self.records = records
    }

    /// Every report's bytes by its file's name.
    package func files() throws -> [String: [UInt8]] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return [
            Name.markdown: MarkdownReport(result).bytes,
            Name.csv: CSVReport(result).bytes,
            Name.samples: SamplesCSV(result, samples: samples, records: records).bytes,
            Name.json: Array(try encoder.encode(result) + [0x0A]),
        ]
    }

    /// Writes them all into the run's folder.
    package func write(to folder: RunFolder) throws {
        for (name, bytes) in try files().sorted(by: { $0.key < $1.key }) { try folder.write(bytes, named: name) }
    }
}
