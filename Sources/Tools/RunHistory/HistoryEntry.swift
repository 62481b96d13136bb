import Basics
import Evaluation
package import Foundation
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

    package var format = Self.format
    package var run: History.Run
    /// Figures and samples of this run alone.
    package var measurements: [Baseline.Part]

    private static let format = 2
}

extension HistoryEntry {
    /// - Throws: ``HarnessError/configuration(_:)`` for a run that is not complete or has no measurement of the scenario
    ///   single.
    package init(_ run: RunContents, _ revision: Revision) throws {
        let baseline = try Baseline(name: run.name, runs: [run])
        measurements = baseline.measurements
        self.run = History.Run(
            name: run.name,
            time: baseline.date,
            host: baseline.host ?? "several hosts",
            revision: revision,
            verdict: run.result.verdict,
            load: run.result.host.loadAverage
        )
    }

    /// Name of the entry's file: time and digest of the run's contents, so that a run has one name wherever its folder is.
    package var name: String {
        get throws {
            let digest = SHA256.hex(of: [UInt8](try JSONLine.encode(measurements))).prefix(16)
            return "\(run.time.filter { $0 != "-" && $0 != ":" })-\(digest).json"
        }
    }

    /// Whether a file's name is that of an entry: "20260301T120000Z-0123456789abcdef.json".
    static func isName(_ name: String) -> Bool { name.wholeMatch(of: /[0-9TZ.]{8,}-[0-9a-f]{16}\.json/) != nil }

    package var bytes: [UInt8] { get throws { [UInt8](try JSONLine.encode(self)) } }

    /// - Throws: ``HarnessError/configuration(_:)`` for a damaged file or one of another format.
    package init(_ data: Data, from place: String) throws {
        self = try JSONFile.read(data, format: Self.format) { reason, _ in
            .configuration("Invalid entry \(place): \(reason); remove it and add its run again")
        }
    }
}
