package import Basics
import Evaluation
package import Results

/// A row of a comparison in words.
package struct ComparisonText: Sendable {
    private let row: ComparisonRow

    package init(_ row: ComparisonRow) {
        self.row = row
    }

    /// Returns the rows with information.
    package static func table(_ rows: [ComparisonRow]) -> Table {
        let figures = ["A", "B", "change", "95 % interval", "p", "noise", "accepted"]
        return Table(
            columns: ["metric"] + figures.map { .number($0) } + ["status"],
            rows: rows.filter(\.isOfUse).map { row in
                let text = ComparisonText(row)
                return [
                    text.metric, text.a, text.b, text.difference, text.interval, text.p, text.noise, text.tolerance,
                    text.status,
                ]
            }
        )
    }

    /// "latency P95", "title read, stylized".
    package var metric: String { row.metric.meaning.name + (row.category == "all" ? "" : ", \(row.category)") }

    package var a: String { row.a.value.map(unit.text) ?? "–" }

    package var b: String { row.b.value.map(unit.text) ?? "–" }

    /// "+1.3 ms, +3.2 %", "−4.6 points".
    package var difference: String {
        guard let change = row.change.value else { return "–" }
        let text = self.change(change)
        guard unit.isRelative, row.metric != .latency,
            let difference = row.difference.value
        else { return text }
        return "\(sign(difference))\(unit.text(abs(difference))), \(text)"
    }

    /// "[+1.1 %, +5.3 %]"; a dash without one.
    package var interval: String {
        row.interval.value.map { "[\(change($0.lowerBound)), \(change($0.upperBound))]" } ?? "–"
    }

    /// "0.012", "< 0.0001"; a dash without one.
    package var p: String { row.p.map { $0 < 0.0001 ? "< 0.0001" : NumberText.fixed($0, $0 < 0.1 ? 4 : 2) } ?? "–" }

    /// "±1.2 %"; a dash when it is not known.
    package var noise: String { row.noise.value.map { "±\(unit.size($0))" } ?? "–" }

    /// "5.0 %"; "–" when it only informs.
    package var tolerance: String { row.tolerance.map(unit.size) ?? "–" }

    /// "❌ worse", "✅ better", "no difference shown", "⚠️ not decided".
    package var status: String {
        let word =
            switch row.status {
            case .worse: row.gates ? "❌ worse" : "worse"
            case .better: row.gates ? "✅ better" : "better"
            case .noDifference: row.gates ? "✅ no difference shown" : "no difference shown"
            case .undecided: "⚠️ not decided"
            }
        return row.note.isEmpty ? word : "\(word): \(row.note)"
    }

    /// The row in a sentence's part: "latency shift +10.2 % [+9.1 %, +11.4 %], accepted 5.0 %".
    package var phrase: String { "\(metric) \(difference) \(interval), accepted \(tolerance)" }

    private var unit: Metric.Unit { row.metric.meaning.unit }

    private func change(_ change: Double) -> String { sign(change) + unit.size(change) }

    private func sign(_ change: Double) -> String { change < 0 ? "−" : "+" }
}
