package import Basics

/// The shift of paired values: the Hodges–Lehmann estimate with its interval.
///
/// The estimate is the median of the Walsh averages, which are the means of all pairs of differences, each with
/// itself included. It moves little when a few readings are far out, and for differences that are symmetric about
/// their centre it is nearly as sharp as the mean. Differences are taken for independent.
///
/// Source: Hollander, Wolfe, Chicken, "Nonparametric Statistical Methods", 3rd ed., sections 3.2 and 3.3; the same as
/// R's `wilcox.test(conf.int = TRUE)` where that is exact.
package struct HodgesLehmann: Sendable, Equatable, Codable {
    package var count: Int
    /// Estimate in the differences' unit; absent without any.
    package var estimate: Figure
    package var interval: IntervalFigure

    /// Creates the estimate of differences, second less first, in any order; none is NaN or infinite.
    package init(differences: [Double]) {
        precondition(differences.allSatisfy(\.isFinite), "a difference with a reading that timed out is not a number")
        count = differences.count
        guard !differences.isEmpty else {
            estimate = .absent("no differences")
            interval = .absent("no differences")
            return
        }
        let walsh = WalshAverages(differences)
        estimate = .value(walsh.median)
        let rank = SignedRank.criticalRank(count: count, tail: Confidence.tail)
        interval =
            rank >= 1
            ? .value(walsh.value(rank: rank)...walsh.value(rank: walsh.count + 1 - rank))
            : .absent("needs ≥ \(SignedRank.minimumCount(tail: Confidence.tail)) differences")
    }

    /// Returns the estimate alone, for resampling; nil without differences.
    package static func estimate(of differences: [Double]) -> Double? {
        differences.isEmpty ? nil : WalshAverages(differences).median
    }
}

/// The distribution of Wilcoxon's signed-rank statistic when the differences are symmetric about 0.
enum SignedRank {
    /// Maximum number of differences for the exact distribution; R's is 49.
    static let mostExact = 100

    /// Returns the largest rank r for which the r-th smallest Walsh average is above the centre with a chance of
    /// `tail` at most: P(W < r) ≤ tail; 0 without one.
    ///
    /// Beyond ``mostExact`` differences by the normal approximation with continuity correction.
    static func criticalRank(count n: Int, tail: Double) -> Int {
        guard n > mostExact else {
            var (rank, chance) = (0, 0.0)
            for probability in exact(count: n) {
                chance += probability
                // The margin is for rounding, in the chance and in a tail such as (1 − 0.95)/2.
                if chance > tail * (1 + 1e-12) { break }
                rank += 1
            }
            return rank
        }
        let (mean, deviation) = (Double(n * (n + 1)) / 4, (Double(n * (n + 1)) * Double(2 * n + 1) / 24).squareRoot())
        return max(0, Int((mean + Normal.quantile(tail) * deviation - 0.5).rounded(.down)) + 1)
    }

    /// Returns the least number of differences for which there is an interval: 2⁻ⁿ ≤ tail.
    static func minimumCount(tail: Double) -> Int {
        var n = 1
        while criticalRank(count: n, tail: tail) < 1 { n += 1 }
        return n
    }

    /// Returns P(W = w) for w = 0…n(n + 1)/2: each rank counts with chance ½.
    static func exact(count n: Int) -> [Double] {
        var chances = [1.0]
        for rank in stride(from: 1, through: n, by: 1) {
            var next = [Double](repeating: 0, count: chances.count + rank)
            for (sum, chance) in chances.enumerated() {
                next[sum] += chance / 2
                next[sum + rank] += chance / 2
            }
            chances = next
        }
        return chances
    }
}

/// The means of all pairs of n values, each value with itself included, without listing them: n(n + 1)/2 of them.
struct WalshAverages: CountedNumbers {
    /// The values in ascending order.
    private let sorted: [Double]

    /// - Precondition: `values` is not empty and none is NaN or infinite.
    init(_ values: [Double]) { sorted = values.sorted() }

    var count: Int { sorted.count * (sorted.count + 1) / 2 }
    var range: ClosedRange<Double> { sorted[0]...sorted[sorted.count - 1] }

    /// Returns the number of averages up to `x` in one pass: the larger the one value, the smaller the other has to
    /// be.
    func countUpTo(_ x: Double) -> Int {
        var (count, partners) = (0, sorted.count)
        for (index, value) in sorted.enumerated() {
            while partners > index, value.mean(with: sorted[partners - 1]) > x { partners -= 1 }
            if partners <= index { break }
            count += partners - index
        }
        return count
    }
}

extension Double {
    /// Returns the middle of two numbers, without overflow; it never falls when one of them rises.
    func mean(with other: Double) -> Double { self / 2 + other / 2 }
}
