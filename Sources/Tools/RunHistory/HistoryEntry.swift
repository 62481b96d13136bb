import Basics
package import Evaluation
import Foundation
package import Harness
import SpineDatasets

/// One run in a history: its figures and samples, and the state of the code that it measured.
package struct HistoryEntry: Sendable, Equatable, Codable {
    /// State of the code, as git has it; nil members are unknown.
    package struct Revision: Sendable, Equatable, Codable {
        package var commit: String?
        package var branch: String?
        /// First line of the commit's message.
        package var subject: String?
        /// Address of the job or of the change, for people.
        package var link: String?

        package init(commit: String? = nil, branch: String? = nil, subject: String? = nil, link: String? = nil) {
            (self.commit, self.branch, self.subject, self.link) = (commit, branch, subject, link)
        }
    }

    package var format = 1
    /// Name of the run's folder.
    package var run: String
    package var revision: Revision
    package var verdict: Verdict?
    /// Runnable processes on the host when the run began; nil where unknown.
    package var load: Double?
    /// Processor time of each sample in milliseconds, the median over its readings, by measurement and sample.
    ///
    /// Neighbours on a busy host lengthen the time on the clock and hardly this one.
    package var processorMilliseconds: [String: [String: Double]]
    /// Figures, samples, host and date of this run alone.
    package var baseline: Baseline
}

extension HistoryEntry {
    /// - Throws: ``HarnessError/configuration(_:)`` for a run that is not complete or has no measurement of the scenario
    ///   single.
    package init(_ run: RunContents, _ revision: Revision) throws {
        // The name is of the folder, and one run has one digest wherever it is.
        baseline = try Baseline(name: "run", runs: [run])
        self.run = run.name
        self.revision = revision
        (verdict, load) = (run.result.verdict, run.result.host.loadAverage)
        let ids = Set(baseline.measurements.map(\.id))
        let read = run.records.filter { ids.contains($0.measurement) && $0.outcome == .read }
        processorMilliseconds = Dictionary(grouping: read, by: \.measurement).mapValues { records in
            Dictionary(grouping: records, by: \.id).compactMapValues { records in
                records.compactMap { $0.prediction?.cpuMilliseconds }.filter { $0 > 0 }.middle.map {
                    ($0 * 1_000).rounded() / 1_000
                }
            }
        }.filter { !$0.value.isEmpty }
    }

    /// Name of the entry's file: time and digest of the run's contents, so that a run has one name.
    package var name: String {
        get throws {
            let digest = SHA256.hex(of: try baseline.bytes).prefix(16)
            return "\(baseline.date.filter { $0 != "-" && $0 != ":" })-\(digest).json"
        }
    }

    /// Whether a file's name is that of an entry: "20260301T120000Z-0123456789abcdef.json".
    static func isName(_ name: String) -> Bool { name.wholeMatch(of: /[0-9TZ.]{8,}-[0-9a-f]{16}\.json/) != nil }

    package var bytes: [UInt8] { get throws { [UInt8](try JSONLine.encode(self)) } }

    /// - Throws: ``HarnessError/configuration(_:)`` for a damaged file or one of another format.
    package init(_ bytes: [UInt8], from place: String) throws {
        do { self = try JSONDecoder().decode(HistoryEntry.self, from: Data(bytes)) } catch {
            throw HarnessError.configuration(
                "Invalid entry \(place): \(JSONLine.reason(of: error)); remove it and add its run again"
            )
        }
        guard format == 1 else {
            throw HarnessError.configuration(
                "Invalid entry \(place): its format is \(format), expected 1; use the program that wrote it"
            )
        }
    }
}
