import Basics
import Captures
import Foundation

/// Quality of a ranking: its measures of the relevant items' ranks.
enum RankedRelevance {
    /// Returns the recall at k, 0 to 1: the share of ids with a grade above 0 among the first k of a ranking, the best
    /// first; nil where nothing is relevant.
    static func recall<ID: Hashable>(at k: Int, ranking: [ID], grades: [ID: Int]) -> Double? {
        let relevant = Set(grades.filter { $0.value > 0 }.keys)
        return relevant.isEmpty ? nil : Double(relevant.intersection(ranking.prefix(k)).count) / Double(relevant.count)
    }

    /// Returns the normalised discounted cumulative gain at k, with the grade itself as the gain.
    ///
    /// The gain of the place p, counted from 1, is divided by log₂(p + 1); the sum is divided by that of the best
    /// ranking of all graded ids; nil where nothing is relevant. A ranking that ends before k has no gain from there on.
    ///
    /// Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002),
    /// 422–446, with the discount of every place, as in scikit-learn's `ndcg_score`.
    static func ndcg<ID: Hashable>(at k: Int, ranking: [ID], grades: [ID: Int]) -> Double? {
        func gain(_ grades: some Sequence<Int>) -> Double {
            grades.prefix(k).enumerated().reduce(0) { $0 + Double(max(0, $1.element)) / log2(Double($1.offset + 2)) }
        }
        let best = gain(grades.values.sorted(by: >))
        guard best > 0 else { return nil }
        return gain(ranking.map { grades[$0] ?? 0 }) / best
    }
}

/// The rule that the original pipeline calls a vector search, as the baseline: items that hold the whole question.
enum SubstringRule {
    /// Items that the original takes at most.
    static let mostItems = 5

    /// Returns the newest items whose text contains the whole query, ignoring case.
    static func rank<ID>(_ query: String, items: [(id: ID, text: String)], count: Int = mostItems) -> [ID] {
        let wanted = query.trimmingSpace.lowercased()
        guard !wanted.isEmpty else { return [] }
        return Array(items.reversed().lazy.filter { $0.text.lowercased().contains(wanted) }.prefix(count).map(\.id))
    }
}
