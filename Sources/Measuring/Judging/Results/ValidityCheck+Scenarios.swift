import Documents
import Harness

/// The rules of one kind of scenario each.
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
        let batch = scenario.batch ?? 0
        let short = Dictionary(grouping: attempted.filter { $0.query != nil }) { [$0.worker ?? 0, $0.query ?? 0] }
            .values.count { $0.count < batch }
        // The last query is as long as what was left for it.
        let isCut = batch > 0 && short > Set(attempted.compactMap(\.worker)).count
        return [
            ValidityRule("readings", required: "≥ \(least)", seen: "\(count)", isMet: count >= least),
            ValidityRule(
                "queries done",
                required: batch > 0 ? "all of them whole" : "the one",
                seen: batch > 0 ? "\(short) shorter" : "\(count) readings of it",
                isMet: !isCut
            ),
        ] + duration(spans.reduce(0, +), what: "stream")
    }

    var soakRules: [ValidityRule] { duration(spans.max() ?? 0, what: "one worker") }

    var coldRules: [ValidityRule] {
        let started = events.count { $0.kind == .ready }
        let least = plan.least
        return [ValidityRule("processes started", required: "\(least)", seen: "\(started)", isMet: started >= least)]
    }

    /// No rule where the number of readings decides alone.
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

    /// Of each worker, in seconds from its first counted reading to the end of its last one.
    private var spans: [Double] {
        Dictionary(grouping: records.filter { $0.atSeconds != nil }) { $0.worker ?? 0 }
            .sorted { $0.key < $1.key }
            .map { $1.compactMap(\.endSeconds).max() ?? 0 }
    }
}

extension SampleRecord {
    /// When the reading ended, by the clock of `atSeconds`; nil when that is not known.
    var endSeconds: Double? {
        atSeconds.flatMap { start in milliseconds.map { start + $0 / 1_000 } }
    }
}
