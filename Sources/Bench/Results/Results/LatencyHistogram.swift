import Histogram

/// Histogram of latencies in buckets of 0.1 %, as in HDR histograms: counts of several sources add up exactly.
///
/// Values are in microseconds, from 1 on. Source: Tene, HdrHistogram, http://hdrhistogram.org; here with three
/// significant digits.
package struct LatencyHistogram: Sendable, Equatable, Codable {
    /// Lowest value of each bucket that is not empty, in microseconds, ascending.
    package private(set) var microseconds: [UInt64]
    package private(set) var counts: [UInt64]

    package init(milliseconds: some Sequence<Double>) {
        var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for value in milliseconds { histogram.record(UInt64(max(1, (value * 1_000).rounded()))) }
        (microseconds, counts) = Self.buckets(of: histogram)
    }

    package mutating func add(_ other: LatencyHistogram) {
        var histogram = hdr
        histogram.add(other.hdr)
        (microseconds, counts) = Self.buckets(of: histogram)
    }

    package var count: Int { Int(counts.reduce(0, +)) }

    /// Returns the number of readings above `milliseconds`, to the width of a bucket.
    package func count(above milliseconds: Double) -> Int {
        let limit = milliseconds * 1_000
        return Int(zip(microseconds, counts).reduce(0) { Double($1.0) > limit ? $0 + $1.1 : $0 })
    }

    private var hdr: Histogram<UInt64> {
        var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for (value, count) in zip(microseconds, counts) { histogram.record(value, count: count) }
        return histogram
    }

    private static func buckets(of histogram: Histogram<UInt64>) -> ([UInt64], [UInt64]) {
        let values = histogram.recordedValues().map { $0 }
        return (values.map { histogram.lowestEquivalentForValue($0.value) }, values.map(\.count))
    }
}
