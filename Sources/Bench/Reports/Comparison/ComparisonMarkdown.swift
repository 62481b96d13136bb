import Basics
package import Documents
import Evaluation
package import Harness

/// A comparison in Markdown, to be pasted into a pull request: the verdict first.
extension ComparisonReport {
    /// GitHub takes no text of more than 65,536 characters in an issue, a comment or a check.
    static let longest = 60_000

    /// The comparison within the length of a comment.
    var short: String { document.markdown(limit: Self.longest, whole: ComparisonReports.Name.markdown) }

    var document: Document {
        let about = [sentence] + notes.map(Markdown.literal) + ["Next: \(next("").replacing("`/", with: "`"))."]
        let head = Document.Section(nil, isSummary: true, about.map { .paragraph($0) })
        let tables = parts.flatMap { part in
            part.tables.map { table in
                var table = table
                if parts.count > 1 { table.title += ", \(literal(part.label))" }
                return Document.Section(table)
            }
        }
        let sections = comparisons.flatMap { $0.sections(isAlone: comparisons.count == 1) }
        return Document("Comparison: \(word)", [head] + tables + sections + [explanation])
    }

    /// What to do next; `folder` has the files.
    package func next(_ folder: String) -> String {
        let open = comparisons.flatMap(\.open)
        let samples = "`\(folder)/\(ComparisonReports.Name.page)#samples`"
        switch verdict {
        case .fail where comparisons.contains(where: { $0.regressions.contains { $0.metric.family == .accuracy } }):
            return "check the spines that were lost: \(samples)"
        case .fail: return "compare the stages' time and memory in the 'spinebench run' reports of both"
        case .pass where kind == .readers: return "check the spines in which they differ: \(samples)"
        case .pass: return "paste `\(folder)/\(ComparisonReports.Name.markdown)` into the pull request"
        case .inconclusive where isPartial:
            return "repeat the comparison, or finish the stored run first: spinebench run --resume RUN"
        case .inconclusive where open.contains { $0.metric.family != .accuracy }:
            return "reduce the machine's load, increase --rounds, or raise the --gate tolerances"
        case .inconclusive: return "read more spines: remove --limit, or specify a larger dataset"
        case nil: return "specify the gating metrics, for example --gate latency=5%,title-read=2"
        }
    }

    private var explanation: Document.Section {
        let host = host.map { " On \($0.fingerprint)." } ?? ""
        let origins = Set(parts.map(\.noise.origin)).sorted().joined(separator: "; ")
        let values = ["method": method, "host": host, "origins": origins, "tool": tool]
        let text = ReportText.of("comparison", [isOfPairs ? "pairs" : "several"], values).joined(separator: " ")
        return Document.Section("How to read this", [.paragraph(text)])
    }

    /// "NO REGRESSION", "REGRESSION", "NOT DECIDED", "NOT DECIDED (partial)" or "NO VERDICT"; of different readers, which
    /// one is better.
    package var word: String {
        if isPartial { return "NOT DECIDED (partial)" }
        let b = isOfPairs && comparisons.count == 1 ? "B" : "OTHERS"
        return switch verdict {
        case .pass where kind == .readers: gains.isEmpty ? "NO DIFFERENCE SHOWN" : "\(b) BETTER"
        case .fail where kind == .readers: gains.isEmpty ? "\(b) WORSE" : "EACH BETTER IN SOMETHING"
        case .pass: "NO REGRESSION"
        case .fail: "REGRESSION"
        case .inconclusive: "NOT DECIDED"
        case nil: "NO VERDICT"
        }
    }

    private func list(_ rows: KeyPath<Comparison, [ComparisonRow]>, _ text: (ComparisonRow) -> String) -> String {
        comparisons.flatMap { comparison in
            let place = comparisons.count > 1 ? "\(comparison.label): " : ""
            return comparison[keyPath: rows].map { place + text($0) }
        }.joined(separator: "; ")
    }

    /// Rows that gate in which the other side is better.
    private var gains: String { list(\.gains) { "\($0.name) \($0.changeText) \($0.intervalText)" } }

    /// Better rows and ratios of times, of different readers, with a space in front.
    private var better: String {
        if kind != .readers { return "" }
        let speeds = comparisons.compactMap { pair -> String? in
            guard let row = pair[.latency], [.better, .worse].contains(row.status) else { return nil }
            return SpeedRatio(row, Sides.letter(pair.a), pair.letter).map { " \($0.text)." }
        }
        return (gains.isEmpty ? "" : " Better: \(gains).") + speeds.joined()
    }

    /// Reason for the verdict.
    package var sentence: String {
        if isPartial { return "The comparison was stopped early: no verdict until all samples are read." }
        let (a, b) = kind == .gate ? ("its baseline", "The run") : ("A", isOfPairs ? "B" : "No side")
        let open = list(\.open) { "\($0.name) (\($0.note))" }
        let fewer = comparisons.filter { !$0.onlyA.isEmpty }.map {
            " Only \($0.samples) of \(NumberText.count($0.samples + $0.onlyA.count, "sample")) of \(a) were read"
                + (comparisons.count == 1 ? "." : ": \($0.label).")
        }
        let rest = (open.isEmpty ? "" : " Not decided: \(open).") + fewer.joined()
        switch verdict {
        case .pass:
            let isAccepted = comparisons.flatMap(\.rows).contains { $0.accepted != nil }
            return "\(b) is \(isOfPairs ? "not " : "")worse than \(a) in any row that gates"
                + (isAccepted ? ", but for accepted losses." : ".") + better + rest
        case .fail:
            let worse = isOfPairs ? "\(b) is worse\(kind == .gate ? " than \(a)" : "")" : "Worse"
            return "\(worse): \(list(\.regressions, \.phrase)).\(better)\(rest)"
        case .inconclusive: return "No regression was found, but some rows could not be judged.\(rest)"
        case nil: return "No row gates."
        }
    }
}

extension Comparison {
    fileprivate var gains: [ComparisonRow] { rows.filter { $0.gates && $0.status == .better } }

    /// The rows with information, for terminals.
    package var table: Table {
        var table = ComparisonRow.table(rows, letter)
        let name = label == dataset ? "" : label + ": "
        table.title = "\(name)A \(nameA), \(letter) \(nameB), \(NumberText.count(samples, "sample")) of \(dataset):"
        table.note = gaps.joined(separator: "; ")
        return table
    }

    /// Samples that one side lacks, and readings without an answer, a sentence for each kind.
    private var gaps: [String] {
        [
            ("sample", "of A skipped, as missing in \(letter)", onlyA),
            ("sample", "of \(letter) skipped, as missing in A", onlyB),
            ("reading", "without an answer or lost workers", problems),
        ].filter { !$2.isEmpty }.map { noun, what, items in
            let list = items.prefix(5).map(literal).joined(separator: "; ") + (items.count > 5 ? "; …" : "")
            return "⚠️ \(NumberText.count(items.count, noun)) \(what): \(list)"
        }
    }

    /// `isOfGate`: What gates, and what else has changed, alone.
    func sections(isAlone: Bool, isOfGate: Bool = false) -> [Document.Section] {
        let (title, several) =
            isAlone ? (isOfGate ? "Against \(literal(nameA))" : "Rows", "") : (literal(label), ", \(literal(label))")
        let photos = groups == samples ? "" : " of \(groups) photos"
        let names = "A is \(literal(nameA)), \(letter) is \(literal(nameB)); "
        let count = "\(NumberText.count(samples, "sample"))\(photos) of \(literal(dataset)) on both sides."
        let texts = (causes ?? []).map(literal) + gaps
        let rows = rows.filter { !isOfGate || $0.tolerance != nil || [.better, .worse].contains($0.status) }
        let blocks: [Document.Block] =
            [.paragraph(names + count), .table(ComparisonRow.table(rows, letter))] + texts.map { .paragraph($0) }
        let sections = [Document.Section(title, blocks), flips(several)]
        if isOfGate || categories.isEmpty { return sections }
        let chance = "These rows do not gate: with this many rows, some changes are due to chance."
        let table = ComparisonRow.table(categories, letter)
        return sections + [Document.Section("By category\(several)", [.paragraph(chance), .table(table)])]
    }

    /// Maximum number of listed flipped samples; the CSV file has all of them.
    private static let listed = 20

    private func flips(_ place: String) -> Document.Section {
        let lost = flips.count(where: \.isLost)
        let heading = "Samples that flipped: \(lost) lost, \(flips.count - lost) gained\(place)"
        if flips.isEmpty { return Document.Section(heading, []) }
        let ordered = flips.filter(\.isLost) + flips.filter { !$0.isLost }
        let rows = ordered.prefix(Self.listed).map { flip in
            [Markdown.literal(flip.id), flip.category, flip.isLost ? "A" : letter]
                + [flip.textA, flip.textB].map { $0.map(Markdown.literal) ?? "–" }
        }
        let table = Table(columns: ["sample", "category", "read by", "A", letter], rows: rows)
        let more = flips.count - Self.listed
        return Document.Section(
            heading,
            [.table(table)] + (more > 0 ? [.paragraph("… and \(more) more in flips.csv.")] : [])
        )
    }
}

extension ComparisonRow {
    /// Returns the rows with information.
    fileprivate static func table(_ rows: [ComparisonRow], _ letter: String) -> Table {
        let figures = ["A", letter, "\(letter)/A", "change", "95 % interval", "p", "noise", "tolerance"]
        return Table(
            columns: ["metric"] + figures.map { .number($0) } + ["status"],
            rows: rows.filter(\.isOfUse).map { row in
                // The name does not state the estimator.
                let estimator = row.metric.pairing == .process ? ", mean of processes" : ""
                let sides = [row.a, row.b].map { $0.value.map(row.metric.unit.text) ?? "–" }
                let p = (row.correctedP ?? row.p).map(NumberText.p) ?? "–"
                return [row.name + estimator] + sides
                    + [
                        row.ratioText, row.changeText, row.intervalText, p, row.noiseText, row.toleranceText,
                        row.statusText,
                    ]
            }
        )
    }

    /// "latency P95", "title read, stylized".
    package var name: String { metric.name + (category == "all" ? "" : ", \(category)") }

    /// "1.32", how many times A the other side is; a dash for what differs in points.
    private var ratioText: String {
        (metric.unit.isRelative ? change.value : nil).map { NumberText.fixed(1 + $0, 2) } ?? "–"
    }

    /// "+1.3 ms, +3.2 %", "−4.6 points".
    fileprivate var changeText: String {
        guard let change = change.value else { return "–" }
        let text = metric.unit.change(change)
        guard metric.unit.isRelative, metric != .latency, let difference = difference.value else { return text }
        return "\(difference < 0 ? "−" : "+")\(metric.unit.text(abs(difference))), \(text)"
    }

    /// "[+1.1 %, +5.3 %]"; a dash without one.
    fileprivate var intervalText: String {
        interval.value.map { "[\(metric.unit.change($0.lowerBound)), \(metric.unit.change($0.upperBound))]" } ?? "–"
    }

    /// "±1.2 %"; a dash when it is not known.
    private var noiseText: String { noise.value.map { "±\(metric.unit.size($0))" } ?? "–" }

    /// "5.0 %"; a dash when it only informs.
    private var toleranceText: String { tolerance.map(metric.unit.size) ?? "–" }

    /// "❌ worse", "✅ better", "no difference shown", "⚠️ not decided".
    var statusText: String {
        let word =
            switch status {
            case .worse: accepted?.status ?? (gates ? "❌ worse" : "worse")
            case .better: gates ? "✅ better" : "better"
            case .noDifference: gates ? "✅ no difference shown" : "no difference shown"
            case .undecided: "⚠️ not decided"
            }
        return note.isEmpty ? word : "\(word): \(note)"
    }

    /// The row in a sentence's part: "latency shift +10.2 % [+9.1 %, +11.4 %], tolerance 5.0 %".
    var phrase: String { "\(name) \(changeText) \(intervalText), tolerance \(toleranceText)" }

    /// Its message as a check.
    var message: String { "\(phrase), noise \(noiseText): \(statusText)" }
}

private func literal(_ text: String) -> String { Markdown.line(Markdown.literal(text)) }
