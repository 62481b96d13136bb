import Evaluation
import SpineDatasets

extension MeasurementResult {
    /// The result of a measurement with what its scenario shows, and whether it is valid.
    ///
    /// - Parameters:
    ///   - measurement: what was run.
    ///   - plan: what its scenario asked for.
    ///   - samples: those that the run may read, in any order.
    ///   - records: of this measurement.
    ///   - events: of this measurement.
    ///   - method: how percentiles are picked.
    init(
        _ measurement: Measurement,
        plan: ScenarioPlan,
        samples: [Sample],
        records: [SampleRecord],
        events: [RunEvent],
        method: PercentileMethod = .nearestRank
    ) {
        let isMeasured = events.contains { $0.kind == .measured }
        // Only `single` is bound to read every sample: the others count for those that they came to.
        let read = Set(records.map(\.id))
        self.init(
            measurement,
            samples: measurement.scenario.kind == .single ? samples : samples.filter { read.contains($0.id) },
            planned: plan.total ?? (isMeasured ? records.count : max(plan.least, records.count + 1)),
            records: records,
            events: events,
            method: method
        )
        validity = ValidityCheck(scenario: measurement.scenario, plan: plan, records: records, events: events).rules
        if measurement.scenario.kind != .single {
            findings = ScenarioFindings(measurement.scenario, records: records, events: events)
        }
    }
}
