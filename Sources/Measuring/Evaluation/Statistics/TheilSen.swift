/// How fast a quantity rises: the median slope of all pairs of points, with Sen's interval.
///
/// Up to 29 % of the points may be far out without moving it. The interval takes the deviations from the line for
/// independent. Memory readings are not: memory that was taken stays taken, and a random walk without a leak shows a slope
/// that "excludes 0" far more often than 1 time in 20. Readings far apart in time depend less on each other.
///
/// All pairs count, none is sampled and none is listed: slopes up to a value are counted as inversions, in n log n steps,
/// and the ranks looked for are found by bisection.
///
/// Source: Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968), 1379–1389, with ties as in
/// SciPy's `theilslopes`.
package struct TheilSen: Sendable, Equatable, Codable {
    /// How many points there are.
    package var count: Int
    /// In units of y per unit of x; absent when no two points differ in x.
    package var slope: Figure
    package var interval: IntervalFigure

    /// - Parameters:
    ///   - x: In any order, none NaN or infinite.
    ///   - y: One per `x`, none NaN or infinite.
    ///   - confidence: That of the interval, between 0 and 1.
    package init(x: [Double], y: [Double], confidence: Double = 0.95) {
        precondition(x.count == y.count, "a point has an x and a y")
        precondition((x + y).allSatisfy(\.isFinite), "a point is where numbers say")
        count = x.count
        let slopes = PairSlopes(x: x, y: y)
        guard slopes.count > 0 else {
            slope = .absent("needs two points that differ in x")
            interval = .absent("needs two points that differ in x")
            return
        }
        slope = .value(slopes.median)
        let n = Double(count)
        let ties = Self.tieTerm(x) + Self.tieTerm(y)
        let deviation = (max(0, n * (n - 1) * (2 * n + 5) - ties) / 18).squareRoot()
        let reach = Normal.twoSided(confidence) * deviation
        let all = Double(slopes.count)
        let low = Int(((all - reach) / 2).rounded(.toNearestOrEven))
        let high = Int(((all + reach) / 2).rounded(.toNearestOrEven)) + 1
        // SciPy takes the outermost slopes where there are too few for the confidence; they would not hold it.
        interval =
            low >= 1 && high <= slopes.count
            ? .value(slopes.value(rank: low)...slopes.value(rank: high))
            : .absent("needs more points than \(count)")
    }

    /// Σ k (k − 1) (2k + 5) over all values that occur k times.
    private static func tieTerm(_ values: [Double]) -> Double {
        Dictionary(grouping: values) { $0 }.values.reduce(0) { sum, same in
            let k = Double(same.count)
            return sum + k * (k - 1) * (2 * k + 5)
        }
    }
}
