/// What a row of a comparison is about.
package enum ComparisonMetric: String, Sendable, Codable, CaseIterable {
    case titleRead
    case authorRead
    /// Pooled character error rate.
    case characterErrors
    /// Title read, and within 500 ms.
    case readInTime
    /// The right book named, of those in the catalogue.
    case identified
    /// By how much readings shifted, sample by sample.
    case latency
    case latencyP50
    case latencyP95
    case latencyP99
    /// The most that a process held resident.
    case peakMemory
    /// What the readings left behind.
    case memoryDelta
    /// From the process's start until the variant is loaded.
    case start

    /// How a gate names it: `--gate latency=5%`.
    package var option: String {
        switch self {
        case .titleRead: "title-read"
        case .authorRead: "author-read"
        case .characterErrors: "cer"
        case .readInTime: "in-time"
        case .identified: "identified"
        case .latency: "latency"
        case .latencyP50: "p50"
        case .latencyP95: "p95"
        case .latencyP99: "p99"
        case .peakMemory: "memory"
        case .memoryDelta: "memory-delta"
        case .start: "start"
        }
    }

    /// Its name in reports.
    package var name: String {
        switch self {
        case .titleRead: "title read"
        case .authorRead: "author read"
        case .characterErrors: "character error rate"
        case .readInTime: "title read within 500 ms"
        case .identified: "book identified"
        case .latency: "latency shift"
        case .latencyP50: "latency P50"
        case .latencyP95: "latency P95"
        case .latencyP99: "latency P99"
        case .peakMemory: "peak memory"
        case .memoryDelta: "memory left behind"
        case .start: "start until loaded"
        }
    }

    /// What the rows have in common that decide about the same question.
    package enum Family: String, Sendable, Codable, CaseIterable {
        case accuracy
        case speed
        case memory
    }

    package var family: Family {
        switch self {
        case .titleRead, .authorRead, .characterErrors, .readInTime, .identified: .accuracy
        case .latency, .latencyP50, .latencyP95, .latencyP99, .start: .speed
        case .peakMemory, .memoryDelta: .memory
        }
    }

    package enum Unit: Sendable, Equatable {
        /// 0…1; its change is a difference, told in points.
        case share
        /// Its change is a ratio less 1.
        case milliseconds
        /// Its change is a ratio less 1.
        case bytes
        /// Its change is a difference.
        case byteDifference
    }

    package var unit: Unit {
        switch self {
        case .titleRead, .authorRead, .characterErrors, .readInTime, .identified: .share
        case .latency, .latencyP50, .latencyP95, .latencyP99, .start: .milliseconds
        case .peakMemory: .bytes
        case .memoryDelta: .byteDifference
        }
    }

    package var higherIsBetter: Bool { unit == .share && self != .characterErrors }

    /// A change so far to the bad: positive when it is worse.
    package func harm(_ change: Double) -> Double { higherIsBetter ? -change : change }
}
