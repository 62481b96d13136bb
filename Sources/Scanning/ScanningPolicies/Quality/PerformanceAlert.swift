/// Says that a model costs more than it may (S3-25).
public struct PerformanceAlert: Sendable, Equatable, Codable {
    /// Severity.
    public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Above the target, and below where the documents' warnings begin (K-26).
        case info
        case warning
        case critical

        /// By how bad they are.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .info: 0
            case .warning: 1
            case .critical: 2
            }
        }
    }

    /// Kind of cost that is too high.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case latency, memory, battery, compliance
    }

    /// Severity.
    public var severity: Severity
    /// Kind of cost that is too high.
    public var kind: Kind
    /// For people: "Pose Detection P95 latency 120ms exceeds target 50ms".
    public var message: String
    /// The name of its ``ModelTarget``.
    public var model: String
    /// Since watching began.
    public var time: Duration
}

/// Change of an alert.
public enum AlertChange: Sendable, Equatable {
    /// It began, or it is worse or less bad than before.
    case raised(PerformanceAlert)
    /// The alert is over: its figure is within its target again; the time is that of the end.
    case recovered(PerformanceAlert)
}
