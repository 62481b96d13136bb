/// What a number rests on.
package enum EvidenceClass: String, Sendable, Codable {
    /// Taken in this run on this machine.
    case measured
    /// Computed by a model from stated parameters.
    case modelled
    /// Stated by a system about itself.
    case reported
    /// Stated by someone, or true by construction, and not checked in this run.
    case claimed
}

/// A figure that a tier has to reach.
package struct Target: Sendable, Equatable, Codable {
    /// What is compared.
    package enum Metric: String, Sendable, Codable {
        /// Percentiles of the latency from file bytes to prediction, in milliseconds.
        case latencyP50
        case latencyP90
        case latencyP95
        case latencyP99
        /// Share of legible samples whose whole title was read, 0…1.
        case titleRead
        /// Share of legible samples whose whole title was read within 500 milliseconds, 0…1.
        case readInTime
        /// The most memory that was resident in the tier's process, in bytes.
        case peakMemory
        /// Bytes that left the machine.
        case bytesSent

        /// Which percentile of the latency it is; nil for another metric.
        package var percent: Int? {
            switch self {
            case .latencyP50: 50
            case .latencyP90: 90
            case .latencyP95: 95
            case .latencyP99: 99
            default: nil
            }
        }
    }

    /// Which side of the limit is good.
    package enum Comparator: String, Sendable, Codable {
        case below = "<"
        case atMost = "≤"
        case atLeast = "≥"
    }

    /// The requirement that it comes from.
    package var source: String
    package var metric: Metric
    /// The only tier that it holds for; nil when it holds for all.
    package var tier: String?
    /// The only category that it holds for; nil for all samples together.
    package var category: String?
    package var comparator: Comparator
    /// In the metric's unit.
    package var limit: Double
    /// Whether missing it fails the run of a tier that gates.
    package var gates: Bool

    package init(
        source: String,
        metric: Metric,
        tier: String? = nil,
        category: String? = nil,
        comparator: Comparator,
        limit: Double,
        gates: Bool = true
    ) {
        self.source = source
        self.metric = metric
        self.tier = tier
        self.category = category
        self.comparator = comparator
        self.limit = limit
        self.gates = gates
    }

    /// Whether `value` is on the good side.
    package func isMet(by value: Double) -> Bool {
        switch comparator {
        case .below: value < limit
        case .atMost: value <= limit
        case .atLeast: value >= limit
        }
    }

    /// The targets of the scanner whose spines are read here.
    ///
    /// A megabyte is 1,000,000 bytes. S0-M08: processing within 500 ms; S0-T02: instant tier; S0-T07: local fallback;
    /// S0-A02: accuracy below which the contingency is needed; S0-M04: runtime memory; S0-P01: pictures stay on device.
    package static let standard: [Target] = [
        Target(source: "S0-M08", metric: .latencyP95, comparator: .below, limit: 500),
        Target(source: "S0-T02", metric: .latencyP95, tier: "fast", comparator: .below, limit: 50),
        Target(source: "S0-T07", metric: .latencyP95, tier: "accurate", comparator: .atMost, limit: 150),
        Target(source: "S0-A02", metric: .titleRead, comparator: .atLeast, limit: 0.85),
        Target(source: "S0-A02", metric: .titleRead, category: "vertical", comparator: .atLeast, limit: 0.85),
        Target(source: "S0-A02", metric: .titleRead, category: "inverted", comparator: .atLeast, limit: 0.85),
        Target(source: "S0-A02", metric: .titleRead, category: "stylized", comparator: .atLeast, limit: 0.85),
        Target(source: "S0-M04", metric: .peakMemory, comparator: .below, limit: 200_000_000),
        Target(source: "S0-P01", metric: .bytesSent, comparator: .atMost, limit: 0, gates: false),
    ]
}
