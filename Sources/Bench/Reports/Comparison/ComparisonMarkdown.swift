package import Basics
import Evaluation
package import Harness

/// A comparison in Markdown, to be pasted into a pull request: the verdict first.
struct ComparisonMarkdown {
    let report: ComparisonReport

    /// Maximum number of listed flipped samples; the CSV file has all of them.
    private static let listed = 20

    /// The comparison within the length of a comment.
    var short: String { document.markdown(limit: RunDocument.longest, whole: ComparisonReports.Name.markdown) }

    var document: Document {
        let about = [verdict.sentence] + report.notes.map(Markdown.literal)
        let head = Document.Section(nil, isSummary: true, about.map { .paragraph($0) })
        let tables = report.parts.flatMap { part in
            part.tables.map { table in
                var table = table
                if report.parts.count > 1 { table.title += ", \(Self.literal(part.label))" }
                return Document.Section(table)
            }
        }
        let sections = tables + report.comparisons.flatMap(sections)
        return Document("Comparison: \(verdict.word)", [head] + sections + [method])
    }

    private var verdict: ComparisonVerdictText { ComparisonVerdictText(report) }

    private func sections(_ comparison: Comparison) -> [Document.Section] {
        let title = report.comparisons.count > 1 ? Self.literal(comparison.label) : "Rows"
        let letter = comparison.letter
        let photos = comparison.groups == comparison.samples ? "" : " of \(comparison.groups) photos"
        var blocks: [Document.Block] = [
            .paragraph(
                "A is \(Self.literal(comparison.nameA)), \(letter) is \(Self.literal(comparison.nameB)); "
                    + "\(NumberText.count(comparison.samples, "sample"))\(photos) of \(Self.literal(comparison.dataset)) on both sides."
            ),
            .table(ComparisonText.table(comparison.rows, letter)),
        ]
        func warn(_ noun: String, _ what: String, _ items: [String]) {
            guard !items.isEmpty else { return }
            blocks.append(.paragraph("⚠️ \(NumberText.count(items.count, noun)) \(what): \(Self.list(items))"))
        }
        blocks += (comparison.causes ?? []).map { .paragraph(Self.literal($0)) }
        warn("sample", "of A skipped, as missing in \(letter)", comparison.onlyA)
        warn("sample", "of \(letter) skipped, as missing in A", comparison.onlyB)
        warn("reading", "without an answer or lost workers", comparison.problems)
        let several = report.comparisons.count > 1 ? ", \(title)" : ""
        let sections = [Document.Section(title, blocks), flips(comparison.flips, several, letter)]
        if comparison.categories.isEmpty { return sections }
        let chance = "These rows do not gate: with this many rows, some changes are due to chance."
        let table = ComparisonText.table(comparison.categories, letter)
        return sections + [Document.Section("By category\(several)", [.paragraph(chance), .table(table)])]
    }

    private func flips(_ flips: [Comparison.Flip], _ place: String, _ letter: String) -> Document.Section {
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

    private var method: Document.Section {
        let host = report.host.map { " On \($0.fingerprint)." } ?? ""
        let p =
            report.isOfPairs
            ? "p is below 0.05 exactly where the interval excludes 0."
            : "p belongs to the interval, and is corrected by Holm for all pairs."
        let origins = Set(report.parts.map(\.noise.origin)).sorted().joined(separator: "; ")
        let text = """
            \(report.method)\(host) Noise: \(origins). Intervals are 95 %: of shares by Tango's score or resampled photos, the wider; \
            of the latency shift, the typical ratio of a sample's medians, by Hodges and Lehmann on log ratios; of percentiles by Harrell and Davis with a jackknife over \
            photos; those of latency include the spread between processes of one program. \(p) A row gates when it has a \
            tolerance; it is worse when its whole interval is on the bad side, and the change exceeds both the tolerance \
            and the noise. \(report.tool).
            """
        return Document.Section("How to read this", [.paragraph(text)])
    }

    private static func list(_ items: [String]) -> String {
        items.prefix(5).map(literal).joined(separator: "; ") + (items.count > 5 ? "; …" : "")
    }

    private static func literal(_ text: String) -> String { Markdown.line(Markdown.literal(text)) }
}

package struct ComparisonVerdictText: Sendable {
    private let report: ComparisonReport

    package init(_ report: ComparisonReport) { self.report = report }

    /// "NO REGRESSION", "REGRESSION", "NOT DECIDED", "NOT DECIDED (partial)" or "NO VERDICT".
    package var word: String {
        if report.isPartial { return "NOT DECIDED (partial)" }
        return switch report.verdict {
        case .pass: "NO REGRESSION"
        case .fail: "REGRESSION"
        case .inconclusive: "NOT DECIDED"
        case nil: "NO VERDICT"
        }
    }

    package var sentence: String {
        func list(_ rows: KeyPath<Comparison, [ComparisonRow]>, _ text: (ComparisonRow) -> String) -> String {
            report.comparisons.flatMap { comparison in
                let place = report.comparisons.count > 1 ? "\(comparison.label): " : ""
                return comparison[keyPath: rows].map { place + text($0) }
            }.joined(separator: "; ")
        }
        let open = list(\.open) { "\(ComparisonText($0).metric) (\($0.note))" }
        let rest = open.isEmpty ? "" : " Not decided: \(open)."
        if report.isPartial {
            return "The comparison was stopped early: no verdict until all samples are read."
        }
        switch report.verdict {
        case .pass:
            let accepted =
                report.comparisons.flatMap(\.rows).contains { $0.accepted != nil } ? ", but for accepted losses" : ""
            let none = report.isOfPairs ? "B is not" : "No side is"
            return "\(none) worse than A in any row that gates\(accepted).\(rest)"
        case .fail:
            return
                "\(report.isOfPairs ? "B is worse" : "Worse"): \(list(\.regressions) { ComparisonText($0).phrase }).\(rest)"
        case .inconclusive: return "No regression was found, but some rows could not be judged.\(rest)"
        case nil: return "No row gates."
        }
    }
}

package struct ComparisonText: Sendable {
    private let row: ComparisonRow

    package init(_ row: ComparisonRow) { self.row = row }

    /// Returns the rows with information.
    package static func table(_ rows: [ComparisonRow], _ letter: String = "B") -> Table {
        let figures = ["A", letter, "change", "95 % interval", "p", "noise", "accepted"]
        return Table(
            columns: ["metric"] + figures.map { .number($0) } + ["status"],
            rows: rows.filter(\.isOfUse).map { row in
                let text = ComparisonText(row)
                return [
                    text.estimate, text.a, text.b, text.difference, text.interval, text.p, text.noise, text.tolerance,
                    text.status,
                ]
            }
        )
    }

    /// "latency P95", "title read, stylized".
    package var metric: String { row.metric.name + (row.category == "all" ? "" : ", \(row.category)") }

    /// Metric with the estimator that its name does not state: "peak memory footprint, mean of processes".
    private var estimate: String {
        if row.metric.pairing == .process { "\(metric), mean of processes" } else { metric }
    }

    package var a: String { row.a.value.map(unit.text) ?? "–" }

    package var b: String { row.b.value.map(unit.text) ?? "–" }

    /// "+1.3 ms, +3.2 %", "−4.6 points".
    package var difference: String {
        guard let change = row.change.value else { return "–" }
        let text = unit.change(change)
        guard unit.isRelative, row.metric != .latency,
            let difference = row.difference.value
        else { return text }
        return "\(difference < 0 ? "−" : "+")\(unit.text(abs(difference))), \(text)"
    }

    /// "[+1.1 %, +5.3 %]"; a dash without one.
    package var interval: String {
        row.interval.value.map { "[\(unit.change($0.lowerBound)), \(unit.change($0.upperBound))]" } ?? "–"
    }

    /// "0.012", "< 0.0001"; a dash without one.
    package var p: String { (row.correctedP ?? row.p).map(NumberText.p) ?? "–" }

    /// "±1.2 %"; a dash when it is not known.
    package var noise: String { row.noise.value.map { "±\(unit.size($0))" } ?? "–" }

    /// "5.0 %"; "–" when it only informs.
    package var tolerance: String { row.tolerance.map(unit.size) ?? "–" }

    /// "❌ worse", "✅ better", "no difference shown", "⚠️ not decided".
    package var status: String {
        let word =
            switch row.status {
            case .worse: row.accepted?.status ?? (row.gates ? "❌ worse" : "worse")
            case .better: row.gates ? "✅ better" : "better"
            case .noDifference: row.gates ? "✅ no difference shown" : "no difference shown"
            case .undecided: "⚠️ not decided"
            }
        return row.note.isEmpty ? word : "\(word): \(row.note)"
    }

    /// The row in a sentence's part: "latency shift +10.2 % [+9.1 %, +11.4 %], accepted 5.0 %".
    package var phrase: String { "\(metric) \(difference) \(interval), accepted \(tolerance)" }

    private var unit: Metric.Unit { row.metric.unit }
}
