import Basics
import Foundation

/// Latencies in milliseconds, with their percentiles by nearest rank.
struct Latencies: Sendable, CustomStringConvertible {
    private var sorted: [Double]

    init(_ milliseconds: [Double]) { sorted = milliseconds.sorted() }

    init(seconds: [Double]) { self.init(seconds.map { $0 * 1_000 }) }

    var count: Int { sorted.count }

    /// - Parameter percent: 1…100.
    /// - Returns: milliseconds; nil when there are none.
    func percentile(_ percent: Int) -> Double? { sorted.isEmpty ? nil : Percentile.nearestRank(percent, of: sorted) }

    /// Head of a Markdown table of ``row(_:)``.
    static func head(_ title: String) -> String { "| \(title) | n | P50 ms | P95 ms | P99 ms |\n|---|--:|--:|--:|--:|" }

    /// Returns P50, P95 and P99 as a row of a Markdown table.
    func row(_ name: String) -> String {
        let cells = [50, 95, 99].map { percentile($0).map { "\(($0 * 10).rounded() / 10)" } ?? "–" }
        return "| \(name) | \(count) | \(cells.joined(separator: " | ")) |"
    }

    var description: String {
        let figures = [50, 95, 99].map { percent in
            "P\(percent) \(percentile(percent).map { NumberText.fixed($0, 2) } ?? "-") ms"
        }
        return figures.joined(separator: ", ")
    }
}

/// Returns the milliseconds of the work.
func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
    try await ContinuousClock().measure(work) / .milliseconds(1)
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

    var description: String { "\(Latencies(wall)) wall; \(Latencies(processor)) processor" }

    /// Milliseconds of the processor that this thread has had.
    static var threadMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
