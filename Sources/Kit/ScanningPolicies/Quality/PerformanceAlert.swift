/// A report that a model exceeds its target (S3-25).
public struct PerformanceAlert: Sendable, Equatable, Codable {
    /// Severity.
    public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Above the target, and below the limits of the documents' warnings (K-26).
        case info
        case warning
        case critical

        /// Returns whether the left severity is lower.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
    }

    /// Kind of cost that is too high.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case latency, memory, battery, compliance
    }

    /// Severity.
    public var severity: Severity
    /// Kind of cost that is too high.
    public var kind: Kind
    /// Text for display: "Pose Detection P95 latency 120ms exceeds target 50ms".
    public var message: String
    /// The name of its ``ModelTarget``.
    public var model: String
    /// Time since monitoring began.
    public var time: Duration
}

/// Change of an alert.
public enum AlertChange: Sendable, Equatable {
    /// The alert began, or became worse or less severe.
    case raised(PerformanceAlert)
    /// The alert is over: its figure is within its target again; the time is that of the end.
    case recovered(PerformanceAlert)
}

/// Metrics of one inference (S3-21).
public struct InferenceMetrics: Sendable, Equatable {
    /// The name of its ``ModelTarget``.
    public var model: String
    /// Time of the end since monitoring began.
    public var time: Duration
    /// Wall-clock time from input to output.
    public var latency: Duration
    /// Memory of the model in bytes; nil if it was not measured.
    public var memoryBytes: Int?
    /// Battery use of half an hour at this pace, in percent; nil without an estimate.
    public var batteryPercentPer30Minutes: Double?

    /// Creates the metrics; a battery estimate that is not a number counts as none.
    public init(
        model: String,
        time: Duration,
        latency: Duration,
        memoryBytes: Int? = nil,
        batteryPercentPer30Minutes: Double? = nil
    ) {
        (self.model, self.time, self.latency, self.memoryBytes) = (model, time, latency, memoryBytes)
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes.flatMap { $0.isFinite ? $0 : nil }
    }
}
