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

/// The limits of the alerts (S3-23, S3-24, K-26); a figure equal to a limit is not above it.
public enum AlertRules {
    /// Percents of the battery in half an hour, whatever the model's own target is.
    package static let battery = (warning: 12.0, critical: 15.0)

    /// Alerts about a model's figures.
    ///
    /// - Returns: at most one for each kind, in the order of the kinds; a figure that is not known gives none.
    public static func alerts(
        for statistics: PerformanceStatistics,
        target: ModelTarget,
        at time: Duration
    ) -> [PerformanceAlert] {
        PerformanceAlert.Kind.allCases.compactMap { judge($0, statistics, target, at: time)?.alert }
    }

    struct Judgement {
        /// nil within the target.
        var alert: PerformanceAlert?
    }

    /// Judges a kind of cost; nil with too few inferences.
    static func judge(
        _ kind: PerformanceAlert.Kind,
        _ statistics: PerformanceStatistics,
        _ target: ModelTarget,
        at time: Duration
    ) -> Judgement? {
        func judge(
            _ figure: Double?,
            _ limit: Double,
            _ warning: Double,
            _ critical: Double,
            _ text: (Double, PerformanceAlert.Severity) -> String
        ) -> Judgement? {
            figure.map { figure in
                let severity: PerformanceAlert.Severity? =
                    figure > critical ? .critical : figure > warning ? .warning : figure > limit ? .info : nil
                let alert = severity.map {
                    PerformanceAlert(
                        severity: $0,
                        kind: kind,
                        message: "\(target.name) \(text(figure, $0))",
                        model: target.name,
                        time: time
                    )
                }
                return Judgement(alert: alert)
            }
        }
        let (p95, memory) = (target.p95Milliseconds, Double(target.memoryBytes))
        switch kind {
        case .latency:
            return judge(statistics.p95, p95, 1.5 * p95, 2 * p95) { figure, _ in
                let (value, limit) = DecimalText.apart(figure, p95)
                return "P95 latency \(value)ms exceeds target \(limit)ms"
            }
        case .memory:
            return judge(statistics.peakMemoryBytes.map(Double.init), memory, 1.2 * memory, 1.5 * memory) { figure, _ in
                let (value, limit) = DecimalText.apart(figure / 1e6, memory / 1e6)
                return "memory \(value)MB exceeds requirement \(limit)MB"
            }
        case .battery:
            let percent = target.batteryPercentPer30Minutes
            return judge(statistics.batteryPercentPer30Minutes, percent, battery.warning, battery.critical) {
                figure,
                _ in
                let (value, limit) = DecimalText.apart(figure, percent)
                return "battery impact \(value)% per 30min exceeds target \(limit)%"
            }
        case .compliance:
            guard statistics.sampleCount >= 20 else { return nil }
            // Counts are compared, as the share itself may be a hair off its limit; below zero, as fewer are worse. The
            // documents have no target for it, and so no info.
            let (met, count) = (Double(statistics.compliantCount), Double(statistics.sampleCount))
            return judge(-met, -0.9 * count, -0.9 * count, -0.8 * count) { _, severity in
                let (value, limit) = DecimalText.apart(100 * (met / count), severity == .critical ? 80 : 90)
                return "target compliance \(value)% is below \(limit)%"
            }
        }
    }
}

/// Numbers with as few digits as they need.
enum DecimalText {
    /// Returns two numbers with the fewest digits after the point, six at most, that make them differ.
    static func apart(_ value: Double, _ limit: Double) -> (String, String) {
        let digits = (0..<6).first { value == limit || text(value, $0) != text(limit, $0) } ?? 6
        return (text(value, digits), text(limit, 6))
    }

    private static func text(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (value * scale).rounded() / scale
        let text = "\(rounded.isFinite ? rounded : value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
