import Basics
import Foundation

/// Latencies in milliseconds, with their percentiles by nearest rank.
struct Latencies: Sendable {
    private var sorted: [Double]

    /// - Parameter milliseconds: in any order.
    init(_ milliseconds: [Double]) { sorted = milliseconds.sorted() }

    /// - Parameter seconds: in any order.
    init(seconds: [Double]) { self.init(seconds.map { $0 * 1_000 }) }

    var count: Int { sorted.count }

    /// - Parameter percent: 1…100.
    /// - Returns: milliseconds; nil when there are none.
    func percentile(_ percent: Int) -> Double? {
        sorted.isEmpty ? nil : Percentile.nearestRank(percent, of: sorted)
    }

    /// Returns P50, P95 and P99 as a row of a Markdown table.
    func row(_ name: String) -> String {
        let cells = [50, 95, 99].map { percentile($0).map { "\(($0 * 10).rounded() / 10)" } ?? "–" }
        return "| \(name) | \(count) | \(cells.joined(separator: " | ")) |"
    }
}

/// Times of calls by the clock and on the processor: the latter does not grow with the machine's other load.
struct CallTimes: CustomStringConvertible {
    private var wall: [Double] = []
    private var processor: [Double] = []

    mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (start, work) = (ContinuousClock.now, Self.threadMilliseconds)
        let value = try body()
        wall.append(start.duration(to: .now) / .milliseconds(1))
        processor.append(Self.threadMilliseconds - work)
        return value
    }

    /// Milliseconds of the last call by the clock.
    var last: Double? { wall.last }

    /// Returns a percentile of the milliseconds on the processor, by nearest rank; nil when nothing was measured.
    func processorPercentile(_ percent: Int) -> Double? { Latencies(processor).percentile(percent) }

    var description: String { "\(Self.text(wall)) wall; \(Self.text(processor)) processor" }

    private static func text(_ values: [Double]) -> String {
        let latencies = Latencies(values)
        let figures = [50, 95, 99].map { percent in
            let value = latencies.percentile(percent).map { String(format: "%.2f", $0) }
            return "P\(percent) \(value ?? "-") ms"
        }
        return figures.joined(separator: ", ")
    }

    /// Milliseconds of the processor that this thread has had.
    static var threadMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
