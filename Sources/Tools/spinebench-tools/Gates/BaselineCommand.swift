import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import Reports
import Systems

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Manage baselines of gates, and the losses that gates accept.",
        subcommands: [BaselineUpdate.self, BaselineAccept.self]
    )
}

struct BaselineUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Write runs as a baseline, and print the changes.",
        discussion: """
            Example:

              spinebench baseline update Reports/runs/[1-5] --name fast

            The runs are of one build, dataset and machine; with one run, speed and memory do not gate. Manual: \
            Docs/COMPARING.md#baselines.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(
        help:
            "Name of letters, digits, '-', '_' or '.'. (default: that of the runs' baseline)"
    )
    var name: String?

    @Option(help: .value("dir", "Folder of the baselines."))
    var folder = GateOptions.folder

    @Flag(help: "Print the changes without writing them.")
    var dryRun = false

    func validate() throws {
        guard let name else { return }
        guard !name.isEmpty, !name.hasPrefix("."),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else {
            throw ValidationError("Invalid --name '\(name)': expected letters, digits, '-', '_' and '.'.")
        }
    }

    func run() throws {
        let contents = try runs.map { try RunContents.scored($0) }
        let name = try name ?? Self.covering(contents[0], in: folder)
        let path = "\(folder)/\(name).json"
        let file = try OutputFile(
            path,
            option: "--folder and --name:",
            over: runs.flatMap(OutputFile.files(ofRun:))
        )
        let new = try Baseline(name: name, runs: contents)
        print(
            new.diff(from: FileManager.default.fileExists(atPath: path) ? try Baseline.load(path) : nil)
        )
        if dryRun { return print("Nothing was written. Next: the same without --dry-run") }
        try file.write(new.bytes)
        print("Written: \(path)\nNext:    review the changes above, and commit the file")
    }

    /// Returns the name of the baseline that has a measurement of a run.
    private static func covering(_ run: RunContents, in folder: String) throws -> String {
        let ids = Set(run.comparable.map(\.id))
        let names = try GateOptions.baselines(in: folder).map(Baseline.load)
            .filter { $0.measurements.contains { ids.contains($0.id) } }.map(\.name)
        guard names.count == 1 else {
            throw HarnessError.configuration(
                "\(names.isEmpty ? "no baseline" : names.joined(separator: ", ")) in \(folder) covers \(run.name); "
                    + "specify --name NAME"
            )
        }
        return names[0]
    }
}

struct BaselineAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept the losses of a run until a date.",
        discussion: """
            Example:

              spinebench baseline accept Reports/runs/ci --why "the smaller recogniser" --until 2027-01-31

            Adds an entry for each row that fails, with this run's loss: of accuracy the figure, of latency and \
            memory the end of its interval. Manual: Docs/COMPARING.md#accepted-losses.
            """
    )

    @Argument(help: .value("run", "Folder of a run."))
    var path: String

    @OptionGroup var options: GateOptions

    @Option(help: "Reason, one sentence.")
    var why: String

    @Option(help: .value("date", "Last day, YYYY-MM-DD."))
    var until: String

    @Option(help: "Person who accepts them.")
    var by: String?

    @Flag(help: "Print the entries without writing them.")
    var dryRun = false

    func validate() throws {
        guard AcceptedLoss.isDate(until) else {
            throw ValidationError("Invalid --until '\(until)': expected a date such as 2026-12-31.")
        }
    }

    func run() throws {
        guard let file = options.acceptedPath else {
            throw HarnessError.configuration("--accepted none has no file to write to; specify a file")
        }
        let contents = try RunContents.scored(path, datasets: options.datasets)
        // A named file may be a new one.
        let known = try FileManager.default.fileExists(atPath: file) ? options.losses() : []
        let result = try GateResult(
            contents,
            baselines: options.baselineFiles().map(Baseline.load).filter { baseline in
                baseline.measurements.contains { part in contents.comparable.contains { $0.id == part.id } }
            },
            usesTargets: options.targets == .standard,
            tolerances: .parse(options.tolerances),
            acceptance: Acceptance(
                known,
                today: options.today ?? String(contents.result.startedAt.prefix(10))
            ),
            tool: ProgramVersion.tool
        )
        for comparison in result.comparison?.comparisons ?? [] {
            print(comparison.table.terminal(width: Console.width) + "\n")
        }
        print("\(result.checks.word)  \(result.checks.sentence)\n")
        let new = Self.losses(result, why: why, until: until, by: by)
        guard !new.isEmpty else { return print("No row of \(path) fails: nothing to accept.") }
        let entries = try YAMLFile.text(new.map(AcceptedEntry.init)).split(separator: "\n").map { "  \($0)\n" }.joined()
        print("Entries for \(file):\n\n\(entries)")
        if dryRun { return print("Nothing was written. Next: the same without --dry-run") }
        var text =
            known.isEmpty
            ? "# Losses that 'spinebench gate' accepts until a date; Docs/COMPARING.md explains the keys.\naccepted:\n"
            : Self.removing(
                known.filter { old in new.contains { $0.isOfRow(of: old) } },
                from: String(decoding: try InputFile.bytes(file), as: UTF8.self)
            )
        text += (text.hasSuffix("\n") ? "" : "\n") + entries
        _ = try AcceptedLoss.parse(text, path: file)
        try OutputFile(file, option: "--accepted", over: OutputFile.files(ofRun: path)).write(
            Array(text.utf8)
        )
        print("Written: \(file)\nNext:    spinebench gate \(path); commit the file".typed)
    }

    /// Returns an entry for each row that fails a gate.
    static func losses(
        _ result: GateResult,
        why: String,
        until: String,
        by: String?
    )
        -> [AcceptedLoss]
    {
        let measurements = Dictionary(result.run.measurements.map { ($0.id, $0) }) { first, _ in first }
        func entry(_ id: String, _ metric: Metric, _ loss: AcceptedLoss.Size) -> AcceptedLoss? {
            guard let measurement = measurements[id] else { return nil }
            var entry = AcceptedLoss(
                variant: measurement.variant.name,
                dataset: measurement.dataset,
                why: why,
                until: until
            )
            (entry.metric, entry.by, entry.loss) = (metric, by, loss)
            return entry
        }
        let rows = (result.comparison?.comparisons ?? []).flatMap { comparison in
            comparison.regressions.compactMap { row -> AcceptedLoss? in
                let isRelative = row.metric.unit.isRelative
                let ends = row.interval.value.map {
                    [$0.lowerBound, $0.upperBound].map(row.metric.harm).max() ?? 0
                }
                let isCounted = row.metric.family == .accuracy
                guard let loss = (isCounted ? row.change.value.map(row.metric.harm) : ends) else {
                    return nil
                }
                return entry(
                    comparison.label,
                    row.metric,
                    .rounded(loss, isRelative: isRelative, row.metric)
                )
            }
        }
        let missed =
            !result.usesTargets ? [] : result.run.compliance.filter { $0.gates && $0.verdict == .fail }
        let targets = missed.compactMap { row -> AcceptedLoss? in
            guard let value = row.value.value, let metric = row.metric else { return nil }
            let loss = abs(value - row.claim.limit)
            let size = AcceptedLoss.Size.rounded(loss, isRelative: false, metric)
            guard var entry = entry(row.measurement, metric, size) else { return nil }
            (entry.against, entry.category) = (.target, row.claim.category)
            return entry
        }
        return (rows + targets).reduce(into: []) { all, entry in
            if !all.contains(where: { $0.isOfRow(of: entry) }) { all.append(entry) }
        }
    }

    /// Returns a file's text without the lines of some entries: each has its first line, and the deeper ones below it.
    static func removing(_ entries: [AcceptedLoss], from text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let starts = entries.compactMap { $0.place.split(separator: ":").last.flatMap { Int($0) } }
            .sorted(by: >)
        for start in starts where lines.indices.contains(start - 1) {
            let depth = lines[start - 1].prefix { $0 == " " }.count
            let end =
                lines[start...].firstIndex { line in line.prefix { $0 == " " }.count <= depth }
                ?? lines.count
            lines.removeSubrange((start - 1)..<end)
        }
        return lines.joined(separator: "\n")
    }
}

extension AcceptedLoss {
    /// Whether two entries are of the same row.
    fileprivate func isOfRow(of other: AcceptedLoss) -> Bool {
        samples.isEmpty && other.samples.isEmpty && metric == other.metric && variant == other.variant
            && dataset == other.dataset && category == other.category && against == other.against
    }
}

extension AcceptedLoss.Size {
    /// Rounds a loss up, to a tenth of the unit in which a file states it.
    fileprivate static func rounded(
        _ loss: Double,
        isRelative: Bool,
        _ metric: Metric
    )
        -> AcceptedLoss.Size
    {
        let unit = isRelative ? 0.001 : metric.unit.lossScale / 10
        return AcceptedLoss.Size((loss / unit - 1e-6).rounded(.up) * unit, isRelative: isRelative)
    }
}

extension Baseline {
    /// Returns the changes from another baseline, in Markdown, for reviewers; nil for the first one.
    func diff(from old: Baseline?) -> String {
        func fact(_ name: String, _ old: String?, _ new: String) -> String {
            old == nil || old == new ? "\(name): \(new)" : "\(name): \(old ?? "") → **\(new)**"
        }
        let gone = (old?.measurements ?? []).map(\.id).filter { id in !measurements.contains { $0.id == id } }
        let facts = [
            fact("date", old?.date, date),
            fact("host", old.map { $0.host ?? "several" }, host ?? "several"),
            fact("tool", old?.tool, tool), fact("runs", old.map { "\($0.runs)" }, "\(runs)"),
            gone.isEmpty ? nil : "**removed**: \(gone.joined(separator: ", "))",
            runs > 1
                ? nil
                : "⚠️ Only one run: latency and memory cannot gate, as the spread between runs is unknown. Specify five.",
        ]
        return Document(
            "Baseline \(name): \(old == nil ? "new" : "changed")",
            [Document.Section(nil, [.list(facts.compactMap(\.self))])]
                + measurements.map { part in section(part, old?.measurements.first { $0.id == part.id }) }
        ).markdown()
    }

    private func section(_ part: Part, _ old: Part?) -> Document.Section {
        var notes: [String] = []
        if let old, old.datasetDigest != part.datasetDigest {
            notes.append(
                "⚠️ Different dataset: \(old.dataset) \(old.datasetDigest) → \(part.dataset) \(part.datasetDigest)."
            )
        }
        if let old, old.settings != part.settings || old.models != part.models {
            notes.append("⚠️ Different settings or models.")
        }
        func text(_ value: Double) -> String { NumberText.fixed(value, 2) }
        let figures = Table(
            columns: ["figure", .number("before"), .number("after"), .number("change")],
            rows: Metric.allCases.compactMap { metric in
                let (unit, factor) = metric.unit.chart
                guard let name = metric.chart, let new = part.figures[metric].map({ $0.value * factor }) else {
                    return nil
                }
                let old = old?.figures[metric].map { $0.value * factor }
                let change = old.map { (new > $0 ? "+" : "") + text(new - $0) } ?? "new"
                return ["\(name) (\(unit))", old.map(text) ?? "–", text(new), change]
            }
        )
        let floors = Metric.compared.compactMap { metric in
            metric.family == .work ? nil : part.noise[metric].value.map { "\(metric.name) ±\(metric.unit.size($0))" }
        }
        let scored = part.readings.entries.filter { $0.title != nil }
        let rest = [
            "Noise (\(part.noise.origin)): \(floors.isEmpty ? "unknown" : floors.joined(separator: ", ")).",
            scored.isEmpty ? nil : ComparisonTolerances.standard.needs(photos: scored.map(\.group)),
            old.map { flips(from: $0, to: part) },
        ]
        return Document.Section(
            part.id,
            notes.map { .paragraph($0) } + [.table(figures)] + rest.compactMap(\.self).map { .paragraph($0) }
        )
    }

    private func flips(from old: Part, to new: Part) -> String {
        let (before, after) = (old.readings.scoringRule, new.readings.scoringRule)
        if before != after {
            return "Titles are not compared: they were scored by rule \(before), now by rule \(after)."
        }
        let pairs = SidePair(old.readings, new.readings).samples
        func changed(from before: Bool) -> String {
            let ids = pairs.filter { $0.a.title == before && $0.b.title == !before }.map(\.a.id)
            let rest = ids.count > 10 ? ", …" : ""
            return ids.isEmpty ? "none" : "\(ids.count) (\(ids.prefix(10).joined(separator: ", "))\(rest))"
        }
        return "Titles lost: \(changed(from: true)). Titles gained: \(changed(from: false))."
    }
}
