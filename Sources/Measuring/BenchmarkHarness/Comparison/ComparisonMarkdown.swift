import Statistics

/// A comparison in Markdown, to be pasted into a pull request: the verdict first.
package struct ComparisonMarkdown: Sendable {
    private let report: ComparisonReport

    /// So many flipped samples are listed; the CSV file has all of them.
    private static let listed = 20

    package init(_ report: ComparisonReport) {
        self.report = report
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    package var text: String {
        var parts = ["# Comparison: \(verdict.word)", verdict.sentence]
        parts += report.notes
        for comparison in report.comparisons { parts += section(comparison) }
        parts.append(method)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var verdict: ComparisonVerdictText { ComparisonVerdictText(report) }

    private func section(_ comparison: Comparison) -> [String] {
        let title = report.comparisons.count > 1 ? "## \(Self.cell(comparison.label))" : "## Rows"
        let photos = comparison.groups == comparison.samples ? "" : " of \(comparison.groups) photos"
        var parts = [
            title,
            "A is \(Self.cell(comparison.nameA)), B is \(Self.cell(comparison.nameB)); "
                + "\(NumberText.count(comparison.samples, "sample"))\(photos) of \(Self.cell(comparison.dataset)) on both sides.",
            Self.table(comparison.rows),
        ]
        for (ids, side, other) in [(comparison.onlyA, "A", "B"), (comparison.onlyB, "B", "A")] where !ids.isEmpty {
            parts.append(
                "⚠️ \(NumberText.count(ids.count, "sample")) of \(side) left out, as \(other) has none of: "
                    + Self.list(ids)
            )
        }
        if !comparison.problems.isEmpty {
            parts.append(
                "⚠️ \(NumberText.count(comparison.problems.count, "reading")) without an answer or lost workers: "
                    + Self.list(comparison.problems)
            )
        }
        parts += flips(comparison.flips)
        if !comparison.categories.isEmpty {
            parts.append("### By category\n\nThese rows do not gate: with so many, some look like a change by chance.")
            parts.append(Self.table(comparison.categories))
        }
        return parts
    }

    private func flips(_ flips: [Comparison.Flip]) -> [String] {
        let lost = flips.count(where: \.isLost)
        let heading = "### Samples that flipped: \(lost) lost, \(flips.count - lost) gained"
        if flips.isEmpty { return [heading] }
        let ordered = flips.filter(\.isLost) + flips.filter { !$0.isLost }
        let rows = ordered.prefix(Self.listed).map { flip in
            "| \(Self.cell(flip.id)) | \(flip.category) | \(flip.isLost ? "A" : "B") "
                + "| \(flip.textA.map(Self.cell) ?? "–") | \(flip.textB.map(Self.cell) ?? "–") |"
        }
        var table = "| sample | category | read by | A | B |\n|---|---|---|---|---|\n" + rows.joined(separator: "\n")
        if flips.count > Self.listed { table += "\n\n… and \(flips.count - Self.listed) more in flips.csv." }
        return [heading, table]
    }

    private var method: String {
        let host = report.host.map { " On \($0.fingerprint)." } ?? ""
        let origins = Set(report.comparisons.map(\.noise.origin)).sorted().joined(separator: "; ")
        return """
            ### How to read this

            \(report.method)\(host) Noise: \(origins). Intervals are 95 %: of shares by Tango's score, with photos as units; \
            of the latency shift by Hodges and Lehmann on log ratios; of percentiles by Harrell and Davis with a jackknife over \
            photos; those of latency include how much processes of one program differ. p is McNemar's exact one. A row gates when it has an \
            accepted change; it is worse when its whole interval is on the bad side, and the change exceeds both the accepted \
            one and the noise. \(report.tool).
            """
    }

    private static func table(_ rows: [ComparisonRow]) -> String {
        let head =
            "| metric | A | B | change | 95 % interval | p | noise | accepted | status |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n"
        return head
            + rows.filter(\.isOfUse).map { row in
                let text = ComparisonText(row)
                let cells = [
                    text.metric, text.a, text.b, text.difference, text.interval, text.p, text.noise, text.tolerance,
                    text.status,
                ]
                return "| " + cells.map(cell).joined(separator: " | ") + " |"
            }.joined(separator: "\n")
    }

    private static func list(_ items: [String]) -> String {
        items.prefix(5).map(cell).joined(separator: "; ") + (items.count > 5 ? "; …" : "")
    }

    /// Text that stays one cell of a table, and text.
    private static func cell(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "|": result += "\\|"
            case "\n", "\r", "\r\n": result += " "
            case "<": result += "&lt;"
            case "`", "*", "_", "[", "]": result += "\\" + String(character)
            default: result.append(character)
            }
        }
    }
}

/// A comparison's verdict in words.
package struct ComparisonVerdictText: Sendable {
    private let report: ComparisonReport

    package init(_ report: ComparisonReport) {
        self.report = report
    }

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

    /// What decided it.
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
            return "It was stopped before everything was read: nothing is decided before the rest is."
        }
        switch report.verdict {
        case .pass: return "B is not worse than A in any row that gates.\(rest)"
        case .fail: return "B is worse: \(list(\.regressions) { ComparisonText($0).phrase }).\(rest)"
        case .inconclusive: return "No regression was shown, but not everything could be judged.\(rest)"
        case nil: return "No row was asked to gate."
        }
    }
}
