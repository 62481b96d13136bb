package import Basics

/// Theil–Sen slope of a quantity: the median slope of all pairs of points, with Sen's interval.
///
/// Up to 29 % of the points may be far out without moving it. The interval takes the deviations from the line for
/// independent. Memory readings are not: allocated memory stays allocated, and a random walk without a leak shows a
/// slope that "excludes 0" far more often than 1 time in 20. Readings far apart in time depend less on each other.
///
/// All pairs count, none is sampled and none is listed: slopes up to a value are counted as inversions, in n log n
/// steps, and the required ranks are found by bisection.
///
/// Source: Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968), 1379–1389, with
/// ties as in SciPy's `theilslopes`.
package struct TheilSen: Sendable, Equatable, Codable {
    package var count: Int
    /// Slope in units of y per unit of x; absent when all points have the same x.
    package var slope: Figure
    package var interval: IntervalFigure

    /// Creates the estimate of points in any order; no number is NaN or infinite.
    package init(x: [Double], y: [Double]) {
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
        let reach = Normal.twoSided() * deviation
        let all = Double(slopes.count)
        let low = Int(((all - reach) / 2).rounded(.toNearestOrEven))
        let high = Int(((all + reach) / 2).rounded(.toNearestOrEven)) + 1
        // SciPy takes the outermost slopes where there are too few for the confidence; they would not hold it.
        interval =
            low >= 1 && high <= slopes.count
            ? .value(slopes.value(rank: low)...slopes.value(rank: high))
            : .absent("needs more points than \(count)")
    }

    /// Returns Σ k (k − 1) (2k + 5) over all values that occur k times.
    private static func tieTerm(_ values: [Double]) -> Double {
        Dictionary(grouping: values) { $0 }.values.reduce(0) { sum, same in
            let k = Double(same.count)
            return sum + k * (k - 1) * (2 * k + 5)
        }
    }
}

/// The slopes between all pairs of points that differ in x, without listing them.
struct PairSlopes: CountedNumbers {
    let count: Int
    /// Values in ascending order, points of the same x in ascending order of y.
    private let x: [Double]
    private let y: [Double]
    /// Number of pairs that do not differ in x.
    private let upright: Int
    let range: ClosedRange<Double>

    init(x: [Double], y: [Double]) {
        let points = zip(x, y).map { (x: $0, y: $1) }.sorted { $0 < $1 }
        self.x = points.map(\.x)
        self.y = points.map(\.y)
        upright = Self.pairs(points.count) { points[$0].x == points[$1].x }
        count = points.count * (points.count - 1) / 2 - upright
        let narrowest = zip(points, points.dropFirst()).map { $1.x - $0.x }.filter { $0 > 0 }.min() ?? 1
        let height = (y.max() ?? 0) - (y.min() ?? 0)
        let steepest = count > 0 ? min(height / narrowest, .greatestFiniteMagnitude) : 0
        range = -steepest...steepest
    }

    /// Returns the number of pairs whose slope is at most the given one.
    ///
    /// Points of the same x are in ascending order of y; pairs of equal height after the subtraction have no slope.
    func countUpTo(_ slope: Double) -> Int {
        let heights = x.indices.map { y[$0] - slope * x[$0] }
        let level = upright == 0 ? 0 : Self.pairs(x.count) { x[$0] == x[$1] && heights[$0] == heights[$1] }
        return Self.notRising(heights) - level
    }

    /// Returns the number of pairs in runs of equal neighbours.
    private static func pairs(_ count: Int, alike: (Int, Int) -> Bool) -> Int {
        var (pairs, run) = (0, 0)
        for place in stride(from: 1, to: count, by: 1) {
            run = alike(place - 1, place) ? run + 1 : 0
            pairs += run
        }
        return pairs
    }

    /// Returns the number of pairs i < j with a value j that is not above value i, by merge sort.
    static func notRising(_ values: [Double]) -> Int {
        var (from, to) = (values, values)
        var count = 0
        var width = 1
        while width < values.count {
            for start in stride(from: 0, to: values.count, by: 2 * width) {
                let (middle, end) = (min(start + width, values.count), min(start + 2 * width, values.count))
                var (left, right) = (start, middle)
                for place in start..<end {
                    if left < middle, right == end || from[left] < from[right] {
                        to[place] = from[left]
                        left += 1
                    } else {
                        to[place] = from[right]
                        right += 1
                        count += middle - left
                    }
                }
            }
            swap(&from, &to)
            width *= 2
        }
        return count
    }
}
