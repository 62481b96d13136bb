package import ArgumentParser
import CommandSupport
import Foundation
package import Harness

/// Options of commands that judge a run as a gate does.
package struct GateOptions: ParsableArguments {
    package enum Targets: String, ExpressibleByArgument, CaseIterable, Sendable { case standard, none }

    /// Folder of the baselines and of `accepted.yaml`.
    package static let folder = "Reports/baseline"

    @Option(
        name: .customLong("baseline"),
        help: .value("file", "Baseline file (repeatable), or none. (default: all in Reports/baseline)")
    )
    package var baselines: [String] = []

    @Option(
        help: .value(
            "file",
            "File of accepted losses, or none. (default: accepted.yaml beside the baselines)"
        )
    )
    package var accepted: String?

    @Option(help: "Whether the run's targets gate, too.")
    package var targets: Targets = .standard

    @Option(
        name: .customLong("gate"),
        help: .value("gates", "Tolerances, such as latency=5%,title-read=2,memory=off.")
    )
    package var tolerances: String = ""

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder, if it was moved (repeatable)."))
    package var datasets: [String] = []

    @Option(help: .value("date", "Date for accepted losses, YYYY-MM-DD. (default: the run's)"))
    package var today: String?

    package init() {}

    package func validate() throws {
        if let today, !AcceptedLoss.isDate(today) {
            throw ValidationError("invalid --today \"\(today)\": expected a date such as 2026-12-31")
        }
    }

    /// Returns the paths of the baselines: the named ones, or all in their folder, which may be empty.
    package func baselineFiles() throws -> [String] {
        if !baselines.isEmpty { return baselines == ["none"] ? [] : baselines }
        let names = Self.baselines(in: Self.folder)
        guard FileManager.default.fileExists(atPath: Self.folder) else {
            throw HarnessError.configuration(
                "\(Self.folder) not found. Create a baseline from a few accepted runs: spinebench baseline "
                    + "update RUN RUN RUN --name NAME; or check targets only: --baseline none"
            )
        }
        return names
    }

    package static func baselines(in folder: String) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Path of the file of accepted losses, which may be missing unless it was named; nil when it is disabled.
    package var acceptedPath: String? {
        if let accepted { return accepted == "none" ? nil : accepted }
        let first = baselines.first { $0 != "none" }
        return
            "\(first.map { URL(filePath: $0).deletingLastPathComponent().relativePath } ?? Self.folder)/accepted.yaml"
    }

    /// Returns the accepted losses; none without a file, unless one was named.
    package func losses() throws -> [AcceptedLoss] {
        guard let path = acceptedPath, accepted != nil || FileManager.default.fileExists(atPath: path) else {
            return []
        }
        return try AcceptedLoss.parse(InputFile.text(path), path: path)
    }
}
