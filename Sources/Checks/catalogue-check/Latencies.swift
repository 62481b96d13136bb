import Foundation

/// How long things took, by the clock and on the processor: the latter does not grow with what else the machine does.
struct Latencies: CustomStringConvertible {
    private var wall: [Double] = []
    private var processor: [Double] = []

    mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = (Self.now(CLOCK_MONOTONIC), Self.now(CLOCK_THREAD_CPUTIME_ID))
        let value = try body()
        wall.append(Self.now(CLOCK_MONOTONIC) - start.0)
        processor.append(Self.now(CLOCK_THREAD_CPUTIME_ID) - start.1)
        return value
    }

    /// Of the last one, in milliseconds by the clock.
    var last: Double? { wall.last }

    var description: String { "\(Self.text(wall)) wall; \(Self.text(processor)) processor" }

    private static func text(_ values: [Double]) -> String {
        let sorted = values.sorted()
        func percentile(_ share: Double) -> String {
            guard !sorted.isEmpty else { return "-" }
            let rank = max(1, Int((share * Double(sorted.count)).rounded(.up)))
            return String(format: "%.2f", sorted[rank - 1])
        }
        return "P50 \(percentile(0.5)) ms, P95 \(percentile(0.95)) ms, P99 \(percentile(0.99)) ms"
    }

    /// Milliseconds.
    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
