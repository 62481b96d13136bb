import Basics
import Evaluation
import Statistics

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
    static let mostRateDeviation = 0.05

    var rules: [ValidityRule] {
        let own =
            isOfHarness
            ? [none("workers lost", lost), none("readings not attempted", untried), warmUp, clock, machine] : []
        return ([complete] + ofScenario + own).compactMap(\.self)
    }

    private var ofScenario: [ValidityRule?] {
        let spans = records.filter { $0.atSeconds != nil }.byWorker.map { $0.latest(\.endSeconds) }
        let arrivals = records.byWorker.map { $0.latest(\.atSeconds) }
        return switch scenario.kind {
        case .single: [percentile]
        case .server, .paced: [percentile] + load + [duration(arrivals.reduce(0, +), "arrivals")]
        case .offline: [least("readings", plan.least, records.count - untried), duration(spans.reduce(0, +), "stream")]
        case .soak: [percentile, duration(spans.max() ?? 0, "one worker")]
        case .cold: [started]
        case .live: []
        }
    }

    private var lost: Int { events.count { $0.kind == .workerLost } }

    private var untried: Int { records.count { $0.outcome == .notAttempted } }

    private func least(_ name: String, _ least: Int, _ count: Int) -> ValidityRule {
        ValidityRule(name, required: "≥ \(least)", seen: "\(count)", isMet: count >= least)
    }

    private func none(_ name: String, _ count: Int) -> ValidityRule {
        ValidityRule(name, required: "0", seen: "\(count)", isMet: count == 0)
    }

    private var started: ValidityRule {
        let count = events.count { $0.kind == .ready }
        return ValidityRule(
            "processes started",
            required: "\(plan.least)",
            seen: "\(count)",
            isMet: count >= plan.least
        )
    }

    private var complete: ValidityRule {
        let wanted = plan.total.map { "all \(NumberText.count($0, "reading"))" } ?? "to finish"
        let isMet = plan.total.map { records.count >= $0 } ?? events.contains { $0.kind == .measured }
        let seen = NumberText.count(records.count, "reading") + (isMet ? "" : ", then it was stopped")
        return ValidityRule("complete", required: wanted, seen: seen, isMet: isMet)
    }

    /// A run that asks for no percentile is not invalid for having too few readings for one.
    private var percentile: ValidityRule? {
        let count = records.count { $0.outcome == .read && $0.milliseconds != nil || $0.outcome == .timedOut }
        return percent.map { least("readings for P\($0)", Percentile.minimumCount(for: $0), count) }
    }

    /// A worker that has begun is one that has been warmed up.
    private var warmUp: ValidityRule? {
        let readers = Set(records.filter { $0.outcome != .notAttempted }.compactMap(\.worker)).count
        let warm = events.count { $0.kind == .began }
        let required = NumberText.count(readers, "worker")
        return scenario.kind == .cold
            ? nil : ValidityRule("warm-up done", required: required, seen: "\(warm)", isMet: warm >= readers)
    }

    private var conditions: [Conditions] { events.compactMap(\.conditions) }

    private var clock: ValidityRule? {
        let jump = conditions.map(\.wallJumpSeconds).max { abs($0) < abs($1) } ?? 0
        let pause = conditions.map(\.suspendedSeconds).reduce(0, +)
        let limit = Self.mostClockJumpSeconds
        var seen = "time of day moved by \(NumberText.fixed(abs(jump) < 0.005 ? 0 : jump, 2)) s"
        if pause > limit { seen += ", the machine was suspended for \(NumberText.span(seconds: pause))" }
        let required = "within \(NumberText.short(limit)) s, no suspension"
        let isMet = abs(jump) <= limit && pause <= limit
        return conditions.isEmpty ? nil : ValidityRule("clock steady", required: required, seen: seen, isMet: isMet)
    }

    /// Rule for the time-weighted mean over the workers; by the load average when the system does not report other
    /// programs' share.
    private var machine: ValidityRule? {
        let total = conditions.reduce(0) { $0 + $1.seconds }
        guard total > 0, let first = conditions.first else { return nil }
        func mean(_ share: (Conditions) -> Double?) -> Double? {
            let parts = conditions.compactMap { conditions in share(conditions).map { $0 * conditions.seconds } }
            return parts.count == conditions.count ? parts.reduce(0, +) / total : nil
        }
        func rule(_ required: String, _ seen: String?..., isMet: Bool) -> ValidityRule {
            let seen = seen.compactMap(\.self).joined(separator: ", ")
            return ValidityRule("machine quiet", required: required, seen: seen, isMet: isMet, invalidates: false)
        }
        let load = first.loadAverageBefore
        let loadText = load.map { "load average \(NumberText.fixed($0, 2)) before" }
        guard let others = mean(\.otherShare), let stolen = mean(\.stealShare) else {
            return load.map { load in
                rule("load average ≤ \(first.cores), one per processor", loadText, isMet: load <= Double(first.cores))
            }
        }
        let most = [Self.mostOtherShare, Self.mostStealShare].map { NumberText.percent($0) }
        return rule(
            "other programs ≤ \(most[0]) of all processors, host ≤ \(most[1])",
            NumberText.percent(others),
            "\(NumberText.percent(stolen)) stolen",
            loadText,
            isMet: others <= Self.mostOtherShare && stolen <= Self.mostStealShare
        )
    }

    private var load: [ValidityRule?] {
        guard let load = ServerFindings(records, scenario: scenario) else { return [] }
        let asked = NumberText.fixed(load.scheduledRate, 2)
        let most = max(5 * scenario.laneCount, (load.readings + 19) / 20)
        return [
            ValidityRule(
                "rate achieved",
                required: "within \(NumberText.percent(Self.mostRateDeviation)) of the \(asked)/s that were scheduled",
                seen: "\(NumberText.fixed(load.achievedRate, 2))/s",
                isMet: abs(load.achievedRate / load.scheduledRate - 1) <= Self.mostRateDeviation
            ),
            ValidityRule(
                "queue does not grow",
                required: "≤ \(most) waiting at the last arrival",
                seen: "\(load.backlog)",
                isMet: load.backlog <= most
            ),
        ]
    }

    /// Returns the rule for the duration; nil where the number of readings decides alone.
    private func duration(_ seconds: Double, _ what: String) -> ValidityRule? {
        let least = scenario.leastSeconds
        let required = "≥ \(NumberText.span(seconds: least))"
        let seen = "\(NumberText.span(seconds: seconds)) (\(what))"
        // The worker's clock and the harness's are not read at one instant.
        return least > 0
            ? ValidityRule("duration", required: required, seen: seen, isMet: seconds >= least - 0.05) : nil
    }
}

extension [SampleRecord] {
    /// Those of each worker, by its number: each has its own clock.
    var byWorker: [[SampleRecord]] {
        Dictionary(grouping: self) { $0.worker ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the largest of their times; 0 when all are unknown.
    func latest(_ time: (SampleRecord) -> Double?) -> Double { compactMap(time).max() ?? 0 }
}

extension SampleRecord {
    /// End of the reading, by the clock of `atSeconds`; nil when it is unknown.
    var endSeconds: Double? {
        atSeconds.flatMap { start in milliseconds.map { start + $0 / 1_000 } }
    }
}
