package import Basics
import Evaluation
package import Harness

/// Tables of three or more sides: ranks, all pairs, and which side is beaten by none.
extension Sides {
    package var tables: [Table] { areSeveral ? [ranks, pairs] + [pareto?.table("Pareto")].compactMap(\.self) : [] }

    /// Metrics with a column, if they have figures.
    private var shown: [Ranking] {
        [Metric.titleRead, .bookTitleRead, .bookRecall, .latency, .latencyP95, .peakFootprint]
            .compactMap { self[$0] }.filter { $0.values.contains { $0.value != nil } }
    }

    /// Figures of each side with its rank and its groups.
    package var ranks: Table {
        let shown = shown
        let rows = names.indices.map { side in
            [Markdown.line(Markdown.literal("\(Self.letter(side)) \(names[side])"))]
                + shown.map { ranking in
                    let value = ranking.values[side].value.map {
                        ranking.metric == .latency
                            ? ranking.metric.unit.change($0) : ranking.metric.unit.text($0)
                    }
                    return (value ?? "–")
                        + (ranking.ranks.isEmpty ? "" : ", \(ranking.ranks[side]) \(ranking.groups[side])")
                }
        }
        return Table(
            "Ranks",
            note: """
                After each figure its rank, 1 + the number of sides that are better beyond chance and noise, and its groups: no test \
                parts sides that share a letter. p values are corrected by Holm for the \(names.count * (names.count - 1) / 2) pairs of each metric.\
                \(shown.contains { $0.ranks.isEmpty } ? " Without a rank: not measured in turns, so not tested." : "")
                """,
            columns: ["side"]
                + shown.map { .number($0.metric == .latency ? "latency against A" : $0.metric.name) },
            rows: rows
        )
    }

    /// Change of each pair, its corrected p, and the better side.
    private var pairs: Table {
        let shown = shown
        let places = names.indices.flatMap { a in names.indices.filter { $0 > a }.map { (a, $0) } }
        let rows = places.map { a, b in
            ["\(Self.letter(a)) → \(Self.letter(b))"]
                + shown.map { ranking in
                    guard let pair = ranking.pairs.first(where: { ($0.a, $0.b) == (a, b) }),
                        let change = pair.change.value
                    else { return "–" }
                    let p = pair.correctedP.map { " (p \(NumberText.p($0)))" } ?? ""
                    let better = pair.better.map { ", **\(Self.letter($0)) better**" } ?? ""
                    return ranking.metric.unit.change(change) + p + better
                }
        }
        return Table("All pairs", columns: ["pair"] + shown.map { .number($0.metric.name) }, rows: rows)
    }
}

extension Pareto {
    /// Returns a table of the points with their intervals, and of those that beat them.
    package func table(_ title: String) -> Table {
        let rows = points.map { point in
            let figures = zip(metrics, point.values).map { metric, value in
                let text = metric.unit.text
                let ends = [value.low, value.high].map { $0.map(text) ?? "–" }
                return text(value.value) + (value.low ?? value.high == nil ? "" : " [\(ends[0]), \(ends[1])]")
            }
            func list(_ indices: [Int]) -> String { indices.map { points[$0].name }.joined(separator: ", ") }
            let open = point.openAgainst.isEmpty ? "not beaten" : "not decided: \(list(point.openAgainst))"
            return [point.name] + figures + [point.beatenBy.isEmpty ? open : "**\(list(point.beatenBy))**"]
        }.map { $0.map { Markdown.line($0) } }
        let few =
            metrics.contains(.latencyP95)
            ? "" : " P50, as P95 needs \(Percentile.minimumCount(for: 95)) readings of each variant."
        return Table(
            title,
            note: """
                Beaten by: those that are at least as good in every column, and in one better beyond chance; not decided: in \
                none better beyond chance. In brackets: 95 % intervals.\(few)
                """,
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
