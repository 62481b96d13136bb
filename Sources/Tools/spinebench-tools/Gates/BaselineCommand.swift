import ArgumentParser
import Basics
import Composition
import Evaluation
import Foundation
import Harness
import Results

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Manage baselines for later runs.",
        subcommands: [BaselineUpdate.self]
    )
}

struct BaselineUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Write runs as a baseline, and print the changes.",
        discussion: """
            For example:

              spinebench baseline update Reports/runs/1 Reports/runs/2 Reports/runs/3 --name fast
              spinebench baseline update Reports/runs/1 --name fast --dry-run

            All runs must be of the same build over the same dataset, on one machine. Accuracy comes from the first run, latencies \
            from all of them, and their differences are the noise that a later run has to exceed. With one run, latency \
            and memory cannot gate; two runs give a rough noise estimate; five are recommended.

            Review the printed changes and commit Reports/baseline/NAME.json.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(
        parsing: .upToNextOption,
        help: .value("run", "Runs of the same readers on other hosts, or with other precisions or threads.")
    )
    var kinds: [String] = []

    @Option(help: "The baseline's name: letters, digits, '-', '_' and '.'.")
    var name: String

    @Option(help: .value("dir", "Folder of the baselines."))
    var folder = GateOptions.folder

    @Flag(help: "Print the changes without writing them.")
    var dryRun = false

    func validate() throws { try Self.check(name) }

    static func check(_ name: String) throws {
        guard !name.isEmpty, !name.hasPrefix("."),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else { throw ValidationError("invalid --name \"\(name)\": expected letters, digits, '-', '_' and '.'") }
    }

    func run() throws {
        let path = "\(folder)/\(name).json"
        let file = try OutputFile(path, option: "--folder and --name:", over: runs.flatMap(OutputFile.files(ofRun:)))
        let new = try Baseline(name: name, runs: runs.map { try .scored($0) }, kinds: kinds.map { try .scored($0) })
        let old = FileManager.default.fileExists(atPath: path) ? try Baseline.load(path) : nil
        print(new.diff(from: old))
        if dryRun { return print("Nothing was written. Next: the same without --dry-run") }
        try file.write(new.bytes)
        print("Written: \(path)\nNext:    review the changes above, and commit the file")
    }
}

extension Baseline {
    /// Returns the changes from another baseline, in Markdown, for reviewers; nil for the first one.
    func diff(from old: Baseline?) -> String {
        var parts = ["# Baseline \(name): \(old == nil ? "new" : "changed")"]
        var facts = [
            fact("date", old?.date, date), fact("host", old.map { $0.host ?? "several" }, host ?? "several"),
            fact("tool", old?.tool, tool), fact("runs", old.map { "\($0.runs)" }, "\(runs)"),
        ]
        let ids = Set(measurements.map(\.id))
        let gone = (old?.measurements ?? []).map(\.id).filter { !ids.contains($0) }
        if !gone.isEmpty { facts.append("* **removed**: \(gone.joined(separator: ", "))") }
        parts.append(facts.joined(separator: "\n"))
        for part in measurements { parts += section(part, old?.measurements.first { $0.id == part.id }) }
        if runs < 2 {
            parts.append(
                "⚠️ Only one run: latency and memory cannot gate, as the spread between runs is unknown. Specify five."
            )
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func fact(_ name: String, _ old: String?, _ new: String) -> String {
        old == nil || old == new ? "* \(name): \(new)" : "* \(name): \(old ?? "") → **\(new)**"
    }

    private func section(_ part: Part, _ old: Part?) -> [String] {
        var parts = ["## \(part.id)"]
        if let old, old.datasetDigest != part.datasetDigest {
            parts.append(
                "⚠️ Different dataset: \(old.dataset) \(old.datasetDigest) → \(part.dataset) \(part.datasetDigest)."
            )
        }
        if let old, old.settings != part.settings || old.models != part.models {
            parts.append("⚠️ Different settings or models.")
        }
        let rows = part.figures.map { figure in
            let old = old?.figures.first { $0.name == figure.name }
            let change = old.map { text(figure.value - $0.value, signed: true) } ?? "new"
            return "| \(figure.name) | \(old.map { text($0.value) } ?? "–") | \(text(figure.value)) | \(change) |"
        }
        parts.append("| figure | before | after | change |\n|---|--:|--:|--:|\n" + rows.joined(separator: "\n"))
        let floors = Metric.compared.compactMap { metric -> String? in
            part.noise[metric].value.map { "\(metric.meaning.name) ±\(metric.meaning.unit.size($0))" }
        }
        let noise = floors.isEmpty ? "unknown" : floors.joined(separator: ", ")
        parts.append("Noise (\(part.noise.origin)): \(noise).")
        let scored = part.samples.filter { $0.title != nil }
        if !scored.isEmpty {
            parts.append(ComparisonTolerances.standard.needs(photos: scored.map(\.group)))
        }
        if let old, old.scoringRule != part.scoringRule {
            parts.append(
                "Titles are not compared: they were scored by rule \(old.scoringRule ?? 1), now by rule \(part.scoringRule ?? 1)."
            )
        } else if let old {
            let pairs = SamplePairs(old.readings(name: ""), part.readings(name: "")).pairs
            func changed(from before: Bool) -> String {
                list(pairs.filter { $0.a.title == before && $0.b.title == !before }.map(\.a.id))
            }
            parts.append("Titles lost: \(changed(from: true)). Titles gained: \(changed(from: false)).")
        }
        return parts
    }

    private func list(_ ids: [String]) -> String {
        ids.isEmpty ? "none" : "\(ids.count) (\(ids.prefix(10).joined(separator: ", "))\(ids.count > 10 ? ", …" : ""))"
    }

    private func text(_ value: Double, signed: Bool = false) -> String {
        (signed && value > 0 ? "+" : "") + NumberText.fixed(value, 2)
    }
}
