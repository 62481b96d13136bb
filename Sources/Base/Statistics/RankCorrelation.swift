/// Correlation of ranks, which any rising transformation of the values leaves as it is.
///
/// Spearman's ρ is ``pearson(_:_:)`` of the ``ranks(_:)`` of both sides. Source: C. Spearman, "The proof and measurement of
/// association between two things", American Journal of Psychology 15 (1904), 72–101.
package enum RankCorrelation {
    /// Returns the rank of each value, from 1; equal values share the mean of their ranks.
    package static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = values
        var first = 0
        while first < order.count {
            var end = first + 1
            while end < order.count, values[order[end]] == values[order[first]] { end += 1 }
            for place in first..<end { ranks[order[place]] = Double(first + 1 + end) / 2 }
            first = end
        }
        return ranks
    }

    /// Returns the product-moment correlation of pairs; nil where one side does not vary.
    ///
    /// - Precondition: both sides have the same count.
    package static func pearson(_ a: [Double], _ b: [Double]) -> Double? {
        precondition(a.count == b.count, "a correlation is of pairs")
        guard !a.isEmpty else { return nil }
        let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
        var (product, squareA, squareB) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            product += (x - meanA) * (y - meanB)
            squareA += (x - meanA) * (x - meanA)
            squareB += (y - meanB) * (y - meanB)
        }
        let scale = (squareA * squareB).squareRoot()
        return scale > 0 ? product / scale : nil
    }
}
