package import Basics
import Evaluation
package import Results

/// Tables of three or more sides: ranks, all pairs, and which side is beaten by none.
package struct StandingsTables: Sendable {
    private let standings: Standings
    /// Metrics with a column, if they have figures.
    private let shown: [Standings.Ranking]

    package init(_ standings: Standings) {
        self.standings = standings
        let metrics: [Metric] = [.titleRead, .bookTitleRead, .bookRecall, .latency, .latencyP95, .peakFootprint]
        shown = metrics.compactMap { standings[$0] }.filter { $0.values.contains { $0.value != nil } }
    }

    package var tables: [Table] { [ranks, pairs] + (standings.pareto.map { [$0.table("Pareto")] } ?? []) }

    /// Figures of each side with its rank and its groups.
    package var ranks: Table {
        let rows = standings.names.indices.map { side in
            [name(side)]
                + shown.map { ranking in
                    let value = ranking.values[side].value.map {
                        ranking.metric == .latency
                            ? Self.change($0, ranking.metric) : ranking.metric.unit.text($0)
                    }
                    return (value ?? "–")
                        + (ranking.ranks.isEmpty ? "" : ", \(ranking.ranks[side]) \(ranking.groups[side])")
                }
        }
        return Table(
            "Ranks",
            note: """
                After each figure its rank, 1 + the number of sides that are better beyond chance and noise, and its groups: no test \
                parts sides that share a letter. p values are corrected by Holm for the \(count) pairs of each metric.\
                \(shown.contains { $0.ranks.isEmpty } ? " Without a rank: not measured in turns, so not tested." : "")
                """,
            columns: ["side"] + shown.map { .number(heading($0.metric)) },
            rows: rows
        )
    }

    /// Change of each pair, its corrected p, and the better side.
    private var pairs: Table {
        let rows = standings.names.indices.flatMap { a in
            standings.names.indices.filter { $0 > a }.map { b in
                ["\(Standings.letter(a)) → \(Standings.letter(b))"]
                    + shown.map { ranking in
                        guard let pair = ranking.pairs.first(where: { ($0.a, $0.b) == (a, b) }),
                            let change = pair.change.value
                        else { return "–" }
                        let p = pair.correctedP.map { " (p \(NumberText.p($0)))" } ?? ""
                        let better = pair.better.map { ", **\(Standings.letter($0)) better**" } ?? ""
                        return Self.change(change, ranking.metric) + p + better
                    }
            }
        }
        return Table("All pairs", columns: ["pair"] + shown.map { .number(heading($0.metric)) }, rows: rows)
    }

    private var count: Int { standings.names.count * (standings.names.count - 1) / 2 }

    private func name(_ side: Int) -> String {
        Markdown.line(Markdown.literal("\(Standings.letter(side)) \(standings.names[side])"))
    }

    private func heading(_ metric: Metric) -> String {
        metric == .latency ? "latency against A" : metric.name
    }

    private static func change(_ value: Double, _ metric: Metric) -> String {
        (value < 0 ? "−" : "+") + metric.unit.size(value)
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
        return Table(
            title,
            note: """
                Beaten by: those that are at least as good in every column, and in one better beyond chance; not decided: in \
                none better beyond chance. In brackets: 95 % intervals.
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
