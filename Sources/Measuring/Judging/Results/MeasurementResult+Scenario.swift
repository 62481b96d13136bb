import Basics
import Harness
import SpineDatasets
import Statistics

extension MeasurementResult {
    /// The result of a measurement with what its scenario shows, and whether it is valid.
    ///
    /// - Parameters:
    ///   - samples: those that the run may read, in any order.
    ///   - percent: the highest percentile that a target asks for; nil when none does.
    init(
        _ measurement: Measurement,
        plan: ScenarioPlan,
        samples: [Sample],
        records: [SampleRecord],
        events: [RunEvent],
        method: PercentileMethod = .nearestRank,
        percent: Int? = 95
    ) {
        let isMeasured = events.contains { $0.kind == .measured }
        // Only `single` is bound to read every sample, unless it was stopped: the others count for those that they came to.
        let read = Set(records.map(\.id))
        let isBound = measurement.scenario.kind == .single && isMeasured && records.count >= plan.least
        self.init(
            measurement,
            samples: isBound ? samples : samples.filter { read.contains($0.id) },
            planned: plan.total ?? (isMeasured ? records.count : max(plan.least, records.count + 1)),
            records: records,
            events: events,
            method: method
        )
        guard hasBegun else {
            takeAwayFigures()
            return
        }
        validity = ValidityCheck(
            scenario: measurement.scenario,
            plan: plan,
            records: records,
            events: events,
            percent: percent
        ).rules
        if measurement.scenario.kind != .single {
            findings = ScenarioFindings(measurement.scenario, records: records, events: events)
        }
    }

    /// The reason for no figures of a measurement that the run was stopped before.
    package static let notBegun = "not begun"

    package var hasBegun: Bool { !outcomes.isEmpty }

    package var isPartial: Bool { done < planned }

    package var done: Int { outcomes.values.reduce(0, +) }

    /// Leaves no figure of a measurement that was not begun, each with that reason.
    private mutating func takeAwayFigures() {
        let none = Figure.absent(Self.notBegun)
        coldStart = ColdStart(modelLoad: none, untilReady: none, untilFirstReading: none)
        memory = MemorySummary(absent: none)
        inferenceShare = none
        for index in categories.indices {
            categories[index].latency.takeAway(Self.notBegun)
            categories[index].accuracy.takeAway(Self.notBegun)
        }
    }
}

extension LatencySummary {
    fileprivate mutating func takeAway(_ reason: String) {
        for percentile in [\LatencySummary.p50, \.p90, \.p95, \.p99] {
            for figure in [\PercentileEstimate.value, \.point, \.lower, \.upper] {
                self[keyPath: percentile][keyPath: figure] = .absent(reason)
            }
        }
        (earlyStoppingP90, longest) = (.absent(reason), .absent(reason))
    }
}
