package import Basics
import Foundation

/// Quality of a ranking: its measures of the relevant items' ranks.
package enum RankedRelevance {
    /// Returns the recall at k: the share of the relevant ones among the first k.
    ///
    /// - Parameters:
    ///   - k: Places that count, 1 or more.
    ///   - ranking: Ids, the best first, each once.
    ///   - grades: Grade of every relevant id; those of 0 or less are not relevant.
    /// - Returns: 0 to 1; absent where nothing is relevant.
    package static func recall<ID: Hashable>(at k: Int, ranking: [ID], grades: [ID: Int]) -> Figure {
        let relevant = Set(grades.filter { $0.value > 0 }.keys)
        return .ratio(
            relevant.intersection(ranking.prefix(k)).count,
            relevant.count,
            orAbsent: "nothing is relevant"
        )
    }

    /// Returns the normalised discounted cumulative gain at k, with the grade itself as the gain.
    ///
    /// The gain of the place p, counted from 1, is divided by log₂(p + 1); the sum is divided by that of the best
    /// ranking of all graded ids. A ranking that ends before k has no gain from there on.
    ///
    /// Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002),
    /// 422–446, with the discount of every place, as in scikit-learn's `ndcg_score`.
    ///
    /// - Parameters:
    ///   - k: Places that count, 1 or more.
    ///   - ranking: Ids, the best first, each once.
    ///   - grades: Grade of every relevant id; the others have 0.
    /// - Returns: 0 to 1; absent where nothing is relevant.
    package static func ndcg<ID: Hashable>(at k: Int, ranking: [ID], grades: [ID: Int]) -> Figure {
        func gain(_ grades: some Sequence<Int>) -> Double {
            grades.prefix(k).enumerated().reduce(0) { $0 + Double(max(0, $1.element)) / log2(Double($1.offset + 2)) }
        }
        let best = gain(grades.values.sorted(by: >))
        guard best > 0 else { return .absent("nothing is relevant") }
        return .value(gain(ranking.map { grades[$0] ?? 0 }) / best)
    }
}
