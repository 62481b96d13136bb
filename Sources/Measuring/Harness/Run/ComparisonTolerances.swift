package import Evaluation

/// By how much each metric may get worse before it is a regression.
package struct ComparisonTolerances: Sendable, Equatable, Codable {
    /// By metric's raw value: a share of the old value, or points as a share; a metric without one does not gate.
    package var changes: [String: Double]
    /// Peak memory has to grow by so much as well: 5 % of a small process is noise of the allocator.
    package var leastBytes: Double

    package init(changes: [String: Double], leastBytes: Double) {
        self.changes = changes
        self.leastBytes = leastBytes
    }

    package static let standard = ComparisonTolerances(
        changes: [
            Metric.titleRead.rawValue: 0.02, Metric.latency.rawValue: 0.05, Metric.latencyP95.rawValue: 0.1,
            Metric.peakMemory.rawValue: 0.05,
        ],
        leastBytes: 10e6
    )

    /// The tolerance of a metric; nil when it does not gate.
    package subscript(metric: Metric) -> Double? {
        get { changes[metric.rawValue] }
        set { changes[metric.rawValue] = newValue }
    }
}
