import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results

struct BlessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bless",
        abstract: "Make runs the new baseline, or accept their losses until a date, after showing the changes.",
        discussion: """
            For example:

              spinebench bless Reports/runs/1 Reports/runs/2 Reports/runs/3 Reports/runs/4 Reports/runs/5
              spinebench bless Reports/runs/ci --accept --why "the smaller recogniser" --until 2027-01-31 --by "A. Nother"

            Prints the rows of 'spinebench gate' for the first run, and asks before it writes; --yes does not ask, for scripts. Without \
            --accept it writes what 'spinebench baseline update' does: the baseline that covers the run, or --name. With --accept it \
            adds an entry for each row that fails to accepted.yaml, in place of an older entry for that row. The accepted loss is that of \
            this run: of accuracy the figure, of latency and memory the end of its interval.

            Exit codes: 0 written, nothing to accept, or not confirmed, 2 invalid usage, or no terminal to ask on.
            """
    )

    @Argument(help: .value("run", "Folders of runs of one build; --accept takes one."))
    var runs: [String]

    @Option(help: "Name of the baseline. (default: that of the baseline that covers the run)")
    var name: String?

    @OptionGroup var options: GateOptions

    @Flag(help: "Accept the losses of the run instead of writing a baseline.")
    var accept = false

    @Option(help: "Reason for accepting them: one sentence.")
    var why: String?

    @Option(help: .value("date", "Last day on which they are accepted, YYYY-MM-DD."))
    var until: String?

    @Option(help: "Name of the person who accepts them.")
    var by: String?

    @Flag(help: "Write without asking.")
    var yes = false

    func validate() throws {
        try refuse([
            (accept && (why == nil || until == nil), "--accept requires --why REASON and --until YYYY-MM-DD."),
            (accept && runs.count > 1, "--accept takes one run."),
            (accept && name != nil, "--name is of a baseline: remove it or --accept."),
            (!accept && (why ?? until ?? by) != nil, "--why, --until and --by belong to --accept."),
            (until.map { !AcceptedLoss.isDate($0) } == true, "Invalid --until: expected a date such as 2026-12-31."),
        ])
        if let name { try BaselineUpdate.check(name) }
    }

    func run() throws {
        let contents = try runs.map { try RunContents.scored($0, datasets: options.datasets) }
        // A named file may be a new one.
        let exists = options.acceptedPath.map(FileManager.default.fileExists) ?? false
        let (first, losses) = (contents[0], exists ? try options.losses() : [])
        let hasBaselines = !options.baselines.isEmpty || !GateOptions.baselines(in: GateOptions.folder).isEmpty
        let baselines = try (hasBaselines ? options.baselineFiles() : []).map(Baseline.load)
        let covering = baselines.filter { baseline in
            baseline.measurements.contains { part in first.comparable.contains { $0.id == part.id } }
        }
        // A baseline of another dataset is replaced by its name alone.
        let gate = Result {
            try GateResult(
                first,
                baselines: covering,
                usesTargets: options.targets == .standard,
                tolerances: .parse(options.tolerances),
                acceptance: Acceptance(losses, today: options.today ?? String(first.result.startedAt.prefix(10))),
                tool: ProgramVersion.tool
            )
        }
        let result = accept ? try gate.get() : try? gate.get()
        for comparison in result?.comparison?.comparisons ?? [] {
            var table = ComparisonText.table(comparison.rows)
            table.title = "\(comparison.label): A \(comparison.nameA), B \(comparison.nameB)"
            print(table.terminal(width: Console.width) + "\n")
        }
        if let result { print("\(result.word)  \(result.sentence)\n") }
        if accept, let result { return try acceptLosses(of: result, known: losses) }
        try writeBaseline(contents, covering)
    }

    private func writeBaseline(_ contents: [RunContents], _ covering: [Baseline]) throws {
        guard let name = name ?? (covering.count == 1 ? covering.first?.name : nil) else {
            let names = covering.map(\.name).joined(separator: ", ")
            throw HarnessError.configuration(
                "\(names.isEmpty ? "no baseline covers" : "several baselines cover") \(runs[0])"
                    + "\(names.isEmpty ? "" : ": \(names)"); specify --name NAME"
            )
        }
        let files = options.baselines.filter { $0.hasSuffix("/\(name).json") || $0 == "\(name).json" }
        let path = files.first ?? "\(GateOptions.folder)/\(name).json"
        let file = try OutputFile(path, option: "--name", over: runs.flatMap(OutputFile.files(ofRun:)))
        let baseline = try Baseline(name: name, runs: contents)
        print(baseline.diff(from: FileManager.default.fileExists(atPath: path) ? try Baseline.load(path) : nil))
        guard try isConfirmed("Write \(path)?") else { return }
        try file.write(baseline.bytes)
        print("Written: \(path)\nNext:    commit the file")
    }

    private func acceptLosses(of result: GateResult, known: [AcceptedLoss]) throws {
        guard let path = options.acceptedPath, let why, let until else {
            throw HarnessError.configuration("--accepted none has no file to write to; specify a file")
        }
        let new = Self.losses(result, why: why, until: until, by: by)
        guard !new.isEmpty else { return print("No row of \(runs[0]) fails: nothing to accept.") }
        let entries = new.map(\.yaml).joined()
        print("Entries for \(path):\n\n\(entries)")
        guard try isConfirmed("Add \(NumberText.count(new.count, "entry", plural: "entries")) to \(path)?") else {
            return
        }
        let old = try known.isEmpty ? "" : String(decoding: InputFile.bytes(path), as: UTF8.self)
        let replaced = known.filter { old in new.contains { $0.isOfRow(of: old) } }
        var text = Self.removing(replaced, from: old)
        if known.isEmpty {
            text =
                "# Losses that 'spinebench gate' accepts until a date; Docs/MEASURING.md explains the keys.\naccepted:\n"
        }
        if !text.hasSuffix("\n") { text += "\n" }
        _ = try AcceptedLoss.parse(text + entries, path: path)
        try OutputFile(path, option: "--accepted", over: runs.flatMap(OutputFile.files(ofRun:)))
            .write(Array((text + entries).utf8))
        print("Written: \(path)\nNext:    spinebench gate \(runs[0]); commit the file")
    }

    /// Asks on a terminal; throws without one, unless --yes is given.
    private func isConfirmed(_ question: String) throws -> Bool {
        if yes { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw HarnessError.configuration("nothing was written: no terminal to ask on; specify --yes")
        }
        print("\(question) [y/N] ", terminator: "")
        let isYes = ["y", "yes"].contains(readLine()?.lowercased() ?? "")
        if !isYes { print("Nothing was written.") }
        return isYes
    }

    /// Returns an entry for each row that fails a gate.
    static func losses(_ result: GateResult, why: String, until: String, by: String?) -> [AcceptedLoss] {
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
                let isRelative = row.metric.meaning.unit.isRelative
                let ends = row.interval.value.map { [$0.lowerBound, $0.upperBound].map(row.metric.harm).max() ?? 0 }
                let isCounted = row.metric.meaning.family == .accuracy
                guard let loss = (isCounted ? row.change.value.map(row.metric.harm) : ends) else { return nil }
                return entry(comparison.label, row.metric, .rounded(loss, isRelative: isRelative, row.metric))
            }
        }
        let missed = !result.usesTargets ? [] : result.run.compliance.filter { $0.gates && $0.verdict == .fail }
        let targets = missed.compactMap { row -> AcceptedLoss? in
            guard let value = row.value.value else { return nil }
            let loss = abs(value - row.target.limit)
            let size = AcceptedLoss.Size.rounded(loss, isRelative: false, row.metric)
            guard var entry = entry(row.measurement, row.metric, size) else { return nil }
            (entry.against, entry.category) = (.target, row.target.category)
            return entry
        }
        return (rows + targets).reduce(into: []) { all, entry in
            if !all.contains(where: { $0.isOfRow(of: entry) }) { all.append(entry) }
        }
    }

    /// Returns a file's text without the lines of some entries: each has its first line, and the deeper ones below it.
    static func removing(_ entries: [AcceptedLoss], from text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let starts = entries.compactMap { $0.place.split(separator: ":").last.flatMap { Int($0) } }.sorted(by: >)
        for start in starts where lines.indices.contains(start - 1) {
            let depth = lines[start - 1].prefix { $0 == " " }.count
            let end = lines[start...].firstIndex { line in line.prefix { $0 == " " }.count <= depth } ?? lines.count
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

    /// Returns the entry as lines of YAML.
    fileprivate var yaml: String {
        let fields: [(String, String?)] = [
            ("variant", YAMLText.quoted(variant)), ("dataset", YAMLText.quoted(dataset)), ("metric", metric?.id),
            ("category", category.map(YAMLText.quoted)), ("against", against == .baseline ? nil : against.rawValue),
            ("loss", metric.flatMap { loss?.text(of: $0) }), ("why", YAMLText.quoted(why)),
            ("by", by.map(YAMLText.quoted)), ("until", until),
        ]
        return "  - " + fields.compactMap { key, value in value.map { "\(key): \($0)" } }.joined(separator: "\n    ")
            + "\n"
    }
}

extension AcceptedLoss.Size {
    /// Rounds a loss up, to a tenth of the unit in which a file states it.
    fileprivate static func rounded(_ loss: Double, isRelative: Bool, _ metric: Metric) -> AcceptedLoss.Size {
        let unit = isRelative ? 0.001 : metric.meaning.unit.lossScale / 10
        return AcceptedLoss.Size((loss / unit - 1e-6).rounded(.up) * unit, isRelative: isRelative)
    }
}
