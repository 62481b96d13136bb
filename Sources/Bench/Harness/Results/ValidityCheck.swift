import Basics
import Evaluation

/// Condition of a valid measurement, with the required and the observed value.
package struct ValidityRule: Sendable, Equatable, Codable {
    package var name: String
    package var required: String
    package var seen: String
    package var isMet: Bool
    /// Whether a violation invalidates the measurement; else only misses of latency targets are in doubt: a busy
    /// machine makes readings longer, never shorter.
    package var invalidates: Bool

    init(_ name: String, required: String, seen: String, isMet: Bool, invalidates: Bool = true) {
        (self.name, self.required, self.seen) = (name, required, seen)
        (self.isMet, self.invalidates) = (isMet, invalidates)
    }

    /// "no worker lost: required 0, seen 2".
    package var text: String { "\(name): required \(required), measured \(seen)" }
}

extension MeasurementResult {
    /// The rules that are not met and make the measurement invalid, in words; nil when it is valid.
    package var invalidReason: String? { Self.reason(validity.filter { !$0.isMet && $0.invalidates }) }

    /// The rules that are not met and make readings longer than they would be, in words; nil when there are none.
    package var doubtReason: String? { Self.reason(validity.filter { !$0.isMet && !$0.invalidates }) }

    private static func reason(_ rules: [ValidityRule]) -> String? {
        rules.isEmpty ? nil : rules.map(\.text).joined(separator: "; ")
    }
}

struct ValidityCheck {
    let scenario: Scenario
    let plan: ScenarioPlan
    let records: [SampleRecord]
    let events: [RunEvent]
    /// The highest percentile that a target asks for; nil when none does.
    var percent: Int? = 95
    /// Whether the harness read: it knows nothing of how others did.
    var isOfHarness = true

    /// Maximum difference of the clocks; beyond it they were set, or stopped.
    static let mostClockJumpSeconds = 0.5
    /// Maximum share of all processors' time for other programs.
    static let mostOtherShare = 0.1
    /// Maximum share of the host of a virtual machine.
    static let mostStealShare = 0.02

    var rules: [ValidityRule] {
        guard isOfHarness else { return [completeness] + ownRules }
        return [completeness] + ownRules + [workers, attempts] + warmUp + [clock, machine].compactMap(\.self)
    }

    /// Readings that ended with a text, an error or a timeout.
    var attempted: [SampleRecord] { records.filter { $0.outcome != .notAttempted } }

    private var ownRules: [ValidityRule] {
        switch scenario.kind {
        case .single: percentiles
        case .server, .paced: percentiles + serverRules
        case .offline: offlineRules
        case .soak: percentiles + soakRules
        case .cold: coldRules
        case .live: []
        }
    }

    private var completeness: ValidityRule {
        let isMeasured = events.contains { $0.kind == .measured }
        let wanted = plan.total.map { "all \(NumberText.count($0, "reading"))" } ?? "to finish"
        let isMet = plan.total.map { records.count >= $0 } ?? isMeasured
        let seen = NumberText.count(records.count, "reading") + (isMet ? "" : ", then it was stopped")
        return ValidityRule("complete", required: wanted, seen: seen, isMet: isMet)
    }

    /// A run that asks for no percentile is not invalid for having too few readings for one.
    private var percentiles: [ValidityRule] {
        guard let percent else { return [] }
        let least = Percentile.minimumCount(for: percent)
        let count = records.count { $0.outcome == .read && $0.milliseconds != nil || $0.outcome == .timedOut }
        return [
            ValidityRule("readings for P\(percent)", required: "≥ \(least)", seen: "\(count)", isMet: count >= least)
        ]
    }

    private var workers: ValidityRule {
        let lost = events.count { $0.kind == .workerLost }
        return ValidityRule("workers lost", required: "0", seen: "\(lost)", isMet: lost == 0)
    }

    private var attempts: ValidityRule {
        let count = records.count { $0.outcome == .notAttempted }
        return ValidityRule("readings not attempted", required: "0", seen: "\(count)", isMet: count == 0)
    }

    /// A worker that has begun is one that has been warmed up.
    private var warmUp: [ValidityRule] {
        guard scenario.kind != .cold else { return [] }
        let readers = Set(attempted.compactMap(\.worker)).count
        let warm = events.count { $0.kind == .began }
        let required = NumberText.count(readers, "worker")
        return [ValidityRule("warm-up done", required: required, seen: "\(warm)", isMet: warm >= readers)]
    }

    private var clock: ValidityRule? {
        let conditions = events.compactMap(\.conditions)
        guard !conditions.isEmpty else { return nil }
        let jump = conditions.map(\.wallJumpSeconds).max { abs($0) < abs($1) } ?? 0
        let pause = conditions.map(\.suspendedSeconds).reduce(0, +)
        let limit = Self.mostClockJumpSeconds
        var seen = "time of day moved by \(NumberText.fixed(abs(jump) < 0.005 ? 0 : jump, 2)) s"
        if pause > limit { seen += ", the machine was suspended for \(NumberText.span(seconds: pause))" }
        let required = "within \(NumberText.short(limit)) s, no suspension"
        let isMet = abs(jump) <= limit && pause <= limit
        return ValidityRule("clock steady", required: required, seen: seen, isMet: isMet)
    }

    /// Rule for the time-weighted mean over the workers; by the load average when the system does not report other
    /// programs' share.
    private var machine: ValidityRule? {
        let conditions = events.compactMap(\.conditions)
        let total = conditions.reduce(0) { $0 + $1.seconds }
        guard total > 0, let first = conditions.first else { return nil }
        func mean(_ share: (Conditions) -> Double?) -> Double? {
            let parts = conditions.compactMap { conditions in share(conditions).map { $0 * conditions.seconds } }
            return parts.count == conditions.count ? parts.reduce(0, +) / total : nil
        }
        let load = first.loadAverageBefore
        let loadText = load.map { "load average \(NumberText.fixed($0, 2)) before" }
        func rule(_ required: String, _ seen: [String?], _ isMet: Bool) -> ValidityRule {
            let seen = seen.compactMap(\.self).joined(separator: ", ")
            return ValidityRule("machine quiet", required: required, seen: seen, isMet: isMet, invalidates: false)
        }
        guard let others = mean(\.otherShare), let stolen = mean(\.stealShare) else {
            return load.map { load in
                rule("load average ≤ \(first.cores), one per processor", [loadText], load <= Double(first.cores))
            }
        }
        let (most, mostStolen) = (Self.mostOtherShare, Self.mostStealShare)
        return rule(
            "other programs ≤ \(NumberText.percent(most)) of all processors, host ≤ \(NumberText.percent(mostStolen))",
            [NumberText.percent(others), "\(NumberText.percent(stolen)) stolen", loadText],
            others <= most && stolen <= mostStolen
        )
    }
}

extension ValidityCheck {
    static let mostRateDeviation = 0.05

    var serverRules: [ValidityRule] {
        guard let load = ServerFindings(records, scenario: scenario) else { return [] }
        let asked = NumberText.fixed(load.scheduledRate, 2)
        let deviation = load.achievedRate / load.scheduledRate - 1
        let most = max(5 * scenario.laneCount, (load.readings + 19) / 20)
        return [
            ValidityRule(
                "rate achieved",
                required: "within \(NumberText.percent(Self.mostRateDeviation)) of the \(asked)/s that were scheduled",
                seen: "\(NumberText.fixed(load.achievedRate, 2))/s",
                isMet: abs(deviation) <= Self.mostRateDeviation
            ),
            ValidityRule(
                "queue does not grow",
                required: "≤ \(most) waiting at the last arrival",
                seen: "\(load.backlog)",
                isMet: load.backlog <= most
            ),
        ] + duration(Self.lastArrival(records), what: "arrivals")
    }

    var offlineRules: [ValidityRule] {
        let (least, count) = (plan.least, attempted.count)
        return [
            ValidityRule("readings", required: "≥ \(least)", seen: "\(count)", isMet: count >= least)
        ] + duration(spans.reduce(0, +), what: "stream")
    }

    var soakRules: [ValidityRule] { duration(spans.max() ?? 0, what: "one worker") }

    var coldRules: [ValidityRule] {
        let started = events.count { $0.kind == .ready }
        let least = plan.least
        return [ValidityRule("processes started", required: "\(least)", seen: "\(started)", isMet: started >= least)]
    }

    /// Returns the rule for the duration; none where the number of readings decides alone.
    private func duration(_ seconds: Double, what: String) -> [ValidityRule] {
        let least = scenario.leastSeconds
        guard least > 0 else { return [] }
        return [
            ValidityRule(
                "duration",
                required: "≥ \(NumberText.span(seconds: least))",
                seen: "\(NumberText.span(seconds: seconds)) (\(what))",
                // The worker's clock and the harness's are not read at one instant.
                isMet: seconds >= least - 0.05
            )
        ]
    }

    private static func lastArrival(_ records: [SampleRecord]) -> Double {
        Dictionary(grouping: records, by: \.worker).values.reduce(0) { $0 + ($1.compactMap(\.atSeconds).max() ?? 0) }
    }

    /// Time of each worker, in seconds from its first counted reading to the end of its last one.
    private var spans: [Double] {
        Dictionary(grouping: records.filter { $0.atSeconds != nil }) { $0.worker ?? 0 }
            .sorted { $0.key < $1.key }
            .map { $1.compactMap(\.endSeconds).max() ?? 0 }
    }
}

extension SampleRecord {
    /// End of the reading, by the clock of `atSeconds`; nil when it is unknown.
    var endSeconds: Double? {
        atSeconds.flatMap { start in milliseconds.map { start + $0 / 1_000 } }
    }
}
