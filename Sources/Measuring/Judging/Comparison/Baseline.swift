package import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Readings and times of a system when it was last accepted: the committed measure of later runs.
package struct Baseline: Sendable, Equatable, Codable {
    /// One measurement's part.
    package struct Part: Sendable, Equatable, Codable {
        /// The measurement's id.
        package var id: String
        /// The dataset's name and digest.
        package var dataset: String
        package var datasetDigest: String
        /// The variant's settings, and the digests of its models.
        package var settings: [String: String]
        package var models: [String: String]
        /// Overall figures of the first run, by metric, for people and charts.
        package var figures: [Line]
        /// How far the runs differ from each other.
        package var noise: NoiseFloor
        package var peakBytes: Double?
        package var leftBytes: Double?
        package var startMilliseconds: Double?
        package var samples: [Sample]

        /// A figure with its interval.
        package struct Line: Sendable, Equatable, Codable {
            package var name: String
            package var value: Double
            package var lower: Double?
            package var upper: Double?
        }
    }

    /// One sample; short keys, as there are many.
    package struct Sample: Sendable, Equatable, Codable {
        package var id: String
        package var category: String
        /// The photo; nil for one of its own.
        package var group: String?
        /// Whether the title was read, and the author.
        package var title: Bool?
        package var author: Bool?
        /// Of other metrics that count samples; nil when it is not scored in any.
        package var outcomes: [Metric: Bool]?
        /// Character errors, and the characters that they are a share of.
        package var errors: Int
        package var length: Int
        /// The median over all readings of all runs; nil when half of them timed out, or without any.
        package var ms: Double?
        /// The same until the text was there; nil where that is the whole reading.
        package var textMs: Double?
    }

    /// Version of this structure.
    package var format: Int
    package var name: String
    package var tool: String
    /// UTC, when the first run began.
    package var date: String
    /// As in ``HostDescription/fingerprint``; nil when the runs were taken on several machines.
    package var host: String?
    package var runs: Int
    package var measurements: [Part]

    private static let format = 1

    /// The file's bytes: keys sorted, one sample a line, so that a change shows as few lines.
    package var bytes: [UInt8] {
        get throws {
            var head = self
            head.measurements = []
            let parts = try measurements.map { part in
                var head = part
                head.samples = []
                let lines = try part.samples.map(Self.json).joined(separator: ",\n")
                // An empty list is a text that no string can hold, as its quotes would be escaped.
                return try Self.json(head).replacing("\"samples\":[]", with: "\"samples\":[\n\(lines)\n]")
            }
            let all = "\"measurements\":[\n\(parts.joined(separator: ",\n"))\n]"
            return Array((try Self.json(head).replacing("\"measurements\":[]", with: all) + "\n").utf8)
        }
    }

    /// The baseline in a file.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when there is none, or one of another version.
    package static func load(_ path: String) throws -> Baseline {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.configuration(
                "there is no baseline \(path); make one of a few runs that are as good as wanted: "
                    + "spinebench baseline update RUN RUN RUN --name NAME"
            )
        }
        let baseline: Baseline
        do {
            baseline = try JSONDecoder().decode(Baseline.self, from: data)
        } catch {
            throw HarnessError.configuration("\(path) is no baseline: \(JSONLine.reason(of: error))")
        }
        guard baseline.format == format else {
            throw HarnessError.configuration(
                "\(path) has format \(baseline.format), this program reads \(format); update it: spinebench baseline update"
            )
        }
        return baseline
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
    }
}

extension Baseline {
    /// Accuracy is that of the first run, latency the median over all, and the noise how far they differ.
    ///
    /// - Parameters:
    ///   - name: of its file, without the extension.
    ///   - runs: one at least; all of the same measurements over the same datasets.
    /// - Throws: ``HarnessError/configuration(_:)`` when the runs do not fit together.
    package init(name: String, runs: [RunContents]) throws {
        guard let first = runs.first else { throw HarnessError.configuration("a baseline is made of one run at least") }
        for run in runs where run.result.isPartial {
            throw HarnessError.configuration(
                "\(run.path) is not complete; finish it with: spinebench run --resume \(run.path)"
            )
        }
        format = Self.format
        self.name = name
        tool = first.result.configuration.tool
        date = first.result.startedAt
        let hosts = Set(runs.map(\.result.host.fingerprint))
        host = hosts.count == 1 ? hosts.first : nil
        self.runs = runs.count
        measurements = try first.comparable.map { try Part($0, runs: runs) }
        guard !measurements.isEmpty else {
            throw HarnessError.configuration(
                "\(first.path) has no measurement of the scenario single, which baselines are of"
            )
        }
    }
}
