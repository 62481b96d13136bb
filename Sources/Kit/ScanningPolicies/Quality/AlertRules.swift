/// The limits of the alerts (S3-23, S3-24, K-26); a figure equal to the limit is not above it.
public struct AlertRules: Sendable, Hashable, Codable {
    /// Critical P95, as a multiple of the target.
    public var latencyCritical = 2.0
    /// Limit of a warning about latency, as a multiple of the target.
    public var latencyWarning = 1.5
    /// Critical peak memory, as a multiple of the required one.
    public var memoryCritical = 1.5
    /// Peak memory of a warning, as a multiple of the required one.
    public var memoryWarning = 1.2
    /// Percent of the battery in half an hour for a critical alert, whatever the model's own target is.
    public var batteryCritical = 15.0
    /// Percent of the battery in half an hour for a warning.
    public var batteryWarning = 12.0
    /// Share of inferences within the target below which a critical alert is raised.
    public var complianceCritical = 0.8
    /// Share of inferences within the target below which a warning is raised.
    public var complianceWarning = 0.9
    /// Minimum number of inferences for a meaningful share.
    public var complianceMinimumCount = 20

    /// Creates the documents' rules.
    public init() {}

    /// Alerts about a model's figures.
    ///
    /// Above the target and below the warning it is `info`. A share of inferences has no target in the documents, and
    /// so no such band.
    ///
    /// - Returns: at most one for each kind, in the order of the kinds; a figure that is not known gives none.
    public func alerts(
        for statistics: PerformanceStatistics,
        target: ModelTarget,
        at time: Duration
    ) -> [PerformanceAlert] {
        PerformanceAlert.Kind.allCases.compactMap { kind in
            guard isKnown(kind, of: statistics), let (severity, message) = judge(kind, statistics, target) else {
                return nil
            }
            return PerformanceAlert(
                severity: severity,
                kind: kind,
                message: "\(target.name) \(message)",
                model: target.name,
                time: time
            )
        }
    }

    /// Returns whether there are enough inferences to judge a kind of alert.
    func isKnown(_ kind: PerformanceAlert.Kind, of statistics: PerformanceStatistics) -> Bool {
        switch kind {
        case .latency: statistics.p95.milliseconds != nil
        case .memory: statistics.peakMemoryBytes != nil
        case .battery: statistics.batteryPercentPer30Minutes != nil
        case .compliance: statistics.sampleCount >= max(1, complianceMinimumCount)
        }
    }

    /// Returns the severity and text of an alert; nil within the target.
    private func judge(
        _ kind: PerformanceAlert.Kind,
        _ statistics: PerformanceStatistics,
        _ target: ModelTarget
    ) -> (PerformanceAlert.Severity, String)? {
        /// - Parameter unit: divisor of the printed values.
        func above(
            _ value: Double,
            limit: Double,
            warning: Double,
            critical: Double,
            unit: Double = 1,
            _ words: (String, String) -> String
        ) -> (PerformanceAlert.Severity, String)? {
            guard value > min(limit, warning, critical) else { return nil }
            let (figure, bound) = DecimalText.apart(value / unit, limit / unit)
            return (value > critical ? .critical : value > warning ? .warning : .info, words(figure, bound))
        }
        switch kind {
        case .latency:
            let limit = target.p95Milliseconds
            return above(
                statistics.p95.milliseconds ?? 0,
                limit: limit,
                warning: latencyWarning * limit,
                critical: latencyCritical * limit
            ) { "P95 latency \($0)ms exceeds target \($1)ms" }
        case .memory:
            let limit = Double(target.memoryBytes)
            return above(
                Double(statistics.peakMemoryBytes ?? 0),
                limit: limit,
                warning: memoryWarning * limit,
                critical: memoryCritical * limit,
                unit: 1e6
            ) { "memory \($0)MB exceeds requirement \($1)MB" }
        case .battery:
            return above(
                statistics.batteryPercentPer30Minutes ?? 0,
                limit: target.batteryPercentPer30Minutes,
                warning: batteryWarning,
                critical: batteryCritical
            ) { "battery impact \($0)% per 30min exceeds target \($1)%" }
        case .compliance:
            let (met, count) = (Double(statistics.compliantCount), Double(statistics.sampleCount))
            // Counts are compared, as the share itself may be a hair off its limit.
            let isCritical = met < complianceCritical * count
            guard isCritical || met < complianceWarning * count else { return nil }
            let limit = isCritical ? complianceCritical : complianceWarning
            let (figure, bound) = DecimalText.apart(100 * (statistics.targetComplianceRate ?? 0), 100 * limit)
            return (isCritical ? .critical : .warning, "target compliance \(figure)% is below \(bound)%")
        }
    }
}

/// Numbers with as few digits as they need.
enum DecimalText {
    /// Returns two numbers with the fewest digits after the point, six at most, that make them differ.
    static func apart(_ value: Double, _ limit: Double) -> (String, String) {
        for digits in 0..<6 where value == limit || text(value, digits) != text(limit, digits) {
            return (text(value, digits), shortest(limit))
        }
        return (text(value, 6), shortest(limit))
    }

    private static func shortest(_ value: Double) -> String {
        for digits in 0..<6 where Double(text(value, digits)) == value { return text(value, digits) }
        return text(value, 6)
    }

    private static func text(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let whole = "\(Int(scaled))"
        let sign = value < 0 ? "-" : ""
        guard digits > 0 else { return sign + whole }
        let padded = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
        return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
