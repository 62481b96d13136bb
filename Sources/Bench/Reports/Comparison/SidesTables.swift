import Basics
package import Documents
import Evaluation
package import Harness
import Statistics

/// Tables of three or more sides: ranks, all pairs, and which side is beaten by none.
extension Sides {
    package var tables: [Table] { areSeveral ? [ranks, changes] + [pareto?.table("Pareto")].compactMap(\.self) : [] }

    /// Metrics with a column, if they have figures.
    private var shown: [Metric] {
        [Metric.titleRead, .bookTitleRead, .bookRecall, .latency, .latencyP95, .peakFootprint].filter { metric in
            pairs.contains { $0[metric]?.isOfUse == true } && names.indices.contains { value(metric, of: $0) != nil }
        }
    }

    /// Figures of each side with its rank.
    package var ranks: Table {
        let columns = shown.map { metric in
            let text = metric == .latency ? metric.unit.change : metric.unit.text
            let figures = names.indices.map { value(metric, of: $0).map(text) ?? "–" }
            let ranks = self.ranks(metric)
            return ranks.isEmpty ? figures : zip(figures, ranks).map { "\($0), \($1)" }
        }
        let isUntested = shown.contains { ranks($0).isEmpty }
        return Table(
            "Ranks",
            note: ReportText.note("table ranks", isUntested ? ["untested"] : [], ["pairs": "\(pairs.count)"]),
            columns: ["side"] + shown.map { .number($0 == .latency ? "latency against A" : $0.name) },
            rows: names.indices.map { side in
                [Markdown.line(Markdown.literal("\(Self.letter(side)) \(names[side])"))] + columns.map { $0[side] }
            }
        )
    }

    /// Change of each pair, its corrected p, and the better side.
    private var changes: Table {
        let rows = pairs.map { pair in
            ["\(Self.letter(pair.a)) → \(Self.letter(pair.b))"]
                + shown.map { metric in
                    guard let row = pair[metric], let change = row.change.value else { return "–" }
                    let p = row.correctedP.map { " (p \(NumberText.p($0)))" } ?? ""
                    let better = pair.better(metric).map { ", **\(Self.letter($0)) better**" } ?? ""
                    return metric.unit.change(change) + p + better
                }
        }
        return Table("All pairs", columns: ["pair"] + shown.map { .number($0.name) }, rows: rows)
    }
}

extension Pareto {
    /// Returns a table of the points with their intervals, and of those that beat them.
    ///
    /// `missed`: Names of those that miss a target of accuracy.
    package func table(_ title: String, missed: Set<String> = []) -> Table {
        let rows = points.map { point in
            let figures = zip(metrics, point.values).map { metric, value in
                let text = metric.unit.text
                let ends = [value.low, value.high].map { $0.map(text) ?? "–" }
                return text(value.value) + (value.low ?? value.high == nil ? "" : " [\(ends[0]), \(ends[1])]")
            }
            func list(_ indices: [Int]) -> String { indices.map { points[$0].name }.joined(separator: ", ") }
            let misses = missed.contains(point.name) ? ", but misses a target of accuracy" : ""
            let open = point.openAgainst.isEmpty ? "not beaten\(misses)" : "not decided: \(list(point.openAgainst))"
            return [point.name] + figures + [point.beatenBy.isEmpty ? open : "**\(list(point.beatenBy))**"]
        }.map { $0.map { Markdown.line($0) } }
        return Table(
            title,
            note: ReportText.note(
                "table pareto",
                metrics.contains(.latencyP95) ? [] : ["few"],
                ["P95": "\(Percentile.minimumCount(for: 95))"]
            ),
            columns: ["variant"] + metrics.map { .number($0.name) } + ["beaten by"],
            rows: rows
        )
    }

    /// Sentence that names the points which none beats.
    package var sentence: String {
        let best = points.filter(\.beatenBy.isEmpty).map(\.name)
        return
            "Beaten by none in \(metrics.map(\.name).joined(separator: ", ")): \(best.joined(separator: ", "))."
    }
}
