import Basics

/// Latencies in the buckets of ``LogHistogram``, as a run stores them.
///
/// Values are in microseconds, from 1 on.
package struct LatencyHistogram: Sendable, Equatable, Codable {
    /// Lowest value of each bucket that is not empty, in microseconds, ascending.
    package let microseconds: [Int]
    package let counts: [Int]

    package init(milliseconds: some Sequence<Double>) {
        var histogram = LogHistogram()
        for value in milliseconds { histogram.add(Int(max(1, (value * 1_000).rounded()))) }
        (microseconds, counts) = (histogram.buckets.map(\.lower), histogram.buckets.map(\.count))
    }

    /// How many readings lie above `milliseconds`, to the width of a bucket.
    package func count(above milliseconds: Double) -> Int {
        let limit = milliseconds * 1_000
        return zip(microseconds, counts).reduce(0) { Double($1.0) > limit ? $0 + $1.1 : $0 }
    }
}
