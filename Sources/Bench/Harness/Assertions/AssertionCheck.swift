package import Basics
package import Evaluation

/// Answers a suite's assertions from the results of a run.
///
/// A measured figure is judged as a target is, by ``Requirement``. A limit that is another variant's figure has an
/// interval too; by the rule `interval`, all of it has to agree. A modelled figure has to meet its limit in every
/// draw of the device's figures, the other figure being taken of the same draw.
package struct AssertionCheck {
    var measurements: [MeasurementResult]
    /// nil when no device was asked for.
    var devices: DeviceAssessment?
    var rule = DecisionRule.point
    var host: HostDescription?
    var isStopped = false
    var modelledGates = false

    /// A row for each measurement, and for each device, that an assertion holds for; one row says what is missing when
    /// there is none.
    package func answers(to assertions: [Assertion]) -> [AssertionAnswer] {
        assertions.flatMap { assertion in
            assertion.metric.map { measured(assertion, $0) } ?? assertion.device.map { modelled(assertion, $0) } ?? []
        }
    }

    // MARK: Measured

    private func measured(_ assertion: Assertion, _ metric: Metric) -> [AssertionAnswer] {
        let own = measurements.filter { assertion.holds(for: $0.variant.name) }
        return missing(assertion, among: own) + own.map { answer(assertion, metric, $0) }
    }

    /// Variants that the assertion names and that were not run.
    private func missing(_ assertion: Assertion, among own: [MeasurementResult]) -> [AssertionAnswer] {
        let absent = assertion.variants.filter { pattern in !own.contains { pattern.match($0.variant.name) != nil } }
        let names = assertion.variants.isEmpty && own.isEmpty ? ["all"] : absent.map(\.text)
        return names.map { .init(undecided: assertion, $0, because: "no measurement of this variant") }
    }

    private func answer(_ assertion: Assertion, _ metric: Metric, _ measurement: MeasurementResult) -> AssertionAnswer {
        var answer = AssertionAnswer(undecided: assertion, measurement.id, because: "")
        let found = measurement.found(metric, in: assertion.category)
        (answer.value, answer.range, answer.evidence) = (found.value, found.interval, found.evidence)
        var limits = [assertion.limit]
        if let name = assertion.reference(of: measurement.variant.name), let reference = assertion.reference {
            answer.reference = name
            func undecided(_ reason: String) -> AssertionAnswer {
                (answer.limit, answer.judgement) = (.absent(reason), Judgement(.inconclusive, note: reason))
                return answer
            }
            guard let other = measurements.first(where: { isComparable($0, measurement) && $0.variant.name == name })
            else { return undecided("no measurement of \(name)") }
            let figure = other.found(metric, in: assertion.category)
            guard let value = figure.value.value else {
                return undecided("\(other.id): \(figure.value.reason ?? "no \(metric.id)")")
            }
            if metric.family == .speed, let reason = other.invalidReason {
                return undecided("\(other.id) is invalid: \(reason)")
            }
            func limit(_ value: Double) -> Double { reference.factor * value + assertion.limit }
            answer.limit = .value(limit(value))
            if figure.evidence == .modelled { answer.evidence = .modelled }
            let ends = rule == .interval ? figure.interval : nil
            limits = ends.map { [limit($0.lowerBound), limit($0.upperBound)] } ?? [limit(value)]
        }
        let comparators = assertion.comparator.targets
        let judgements = zip(comparators, comparators.indices).map { comparator, place in
            let ends = place == 0 ? limits : [assertion.upperLimit ?? limits[0]]
            return unanimous(ends.map { judgement(measurement, assertion, metric, comparator, limit: $0) })
        }
        answer.judgement = Self.overall(judgements)
        answer.gates = assertion.gates && answer.evidence != .modelled && !isStopped
        return answer
    }

    /// Whether only the variants of two measurements differ.
    private func isComparable(_ a: MeasurementResult, _ b: MeasurementResult) -> Bool {
        a.dataset == b.dataset && a.scenario == b.scenario
    }

    private func judgement(
        _ measurement: MeasurementResult,
        _ assertion: Assertion,
        _ metric: Metric,
        _ comparator: Target.Comparator,
        limit: Double
    ) -> Judgement {
        let target = Target(
            source: "assert",
            metric: metric,
            category: assertion.category,
            comparator: comparator,
            limit: limit
        )
        return Judge(target, of: measurement, rule: rule, host: host, isStopped: isStopped).row.judgement
    }

    /// What all ends of a limit's interval come to.
    private func unanimous(_ judgements: [Judgement]) -> Judgement {
        let verdicts = Set(judgements.map(\.verdict))
        if verdicts.count == 1 || verdicts.isEmpty { return judgements.first ?? Judgement(.inconclusive) }
        return Judgement(.inconclusive, note: "the intervals of the figure and of its limit overlap")
    }

    private static func overall(_ judgements: [Judgement]) -> Judgement {
        let verdict = Verdict.overall(judgements.map(\.verdict)) ?? .inconclusive
        return judgements.first { $0.verdict == verdict && !$0.note.isEmpty } ?? Judgement(verdict)
    }

    // MARK: Modelled

    private func modelled(_ assertion: Assertion, _ metric: DeviceMetric) -> [AssertionAnswer] {
        var own = measurements.filter { assertion.holds(for: $0.variant.name) }
        // An assertion about all variants is about those that devices can be modelled for.
        if assertion.variants.isEmpty, let rows = devices?.rows {
            own = own.filter { measurement in rows.contains { $0.measurement == measurement.id } }
        }
        let absent = missing(assertion, among: own)
        guard let devices else {
            return absent + own.map { .init(undecided: assertion, $0.id, because: "no device was asked for") }
        }
        let known = devices.coverage.map(\.device)
        let names = assertion.devices.isEmpty ? known : assertion.devices
        return absent
            + own.flatMap { measurement in
                names.map { name in
                    func undecided(_ reason: String) -> AssertionAnswer {
                        .init(undecided: assertion, measurement.id, device: name, because: reason)
                    }
                    guard known.contains(name) else { return undecided("the device was not asked for") }
                    return answer(assertion, metric, measurement, on: name, devices, undecided)
                }
            }
    }

    private func answer(
        _ assertion: Assertion,
        _ metric: DeviceMetric,
        _ measurement: MeasurementResult,
        on device: String,
        _ devices: DeviceAssessment,
        _ undecided: (String) -> AssertionAnswer
    ) -> AssertionAnswer {
        func row(_ id: String) -> DeviceRow? { devices.rows.first { $0.measurement == id && $0.device == device } }
        guard let ownRow = row(measurement.id) else {
            return undecided("\(measurement.id) is not modelled on devices")
        }
        guard let own = ownRow.value(of: metric, assertion.session) else {
            return undecided("the figure was not modelled in this run")
        }
        var answer = undecided("")
        let figure = own.figure
        (answer.value, answer.range) = (figure.nominal, figure.spread.range)
        answer.evidence = metric.latency == nil ? .modelled : ownRow.evidence
        answer.gates = assertion.gates && modelledGates && !isStopped
        var limits = figure.draws.map { _ in [assertion.limit] }
        if let name = assertion.reference(of: measurement.variant.name), let reference = assertion.reference {
            answer.reference = [name, reference.session?.text ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
            let other = measurements.first { isComparable($0, measurement) && $0.variant.name == name }
            guard let limit = other.flatMap({ row($0.id) })?.value(of: metric, assertion.referenceSession)
            else { return undecided("no figure of \(name) on this device") }
            if limit.figure.draws.isEmpty { return undecided("\(name): \(limit.figure.nominal.reason ?? "no figure")") }
            let ends = limit.figure.draws.indices.map { limit.ends($0, rule) }
            if ends.contains(nil) { return undecided("the limit has no value: \(name) has no answer or no book") }
            func scaled(_ value: Double) -> Double { reference.factor * value + assertion.limit }
            limits = ends.map { ($0 ?? []).map(scaled) }
            answer.limit = limit.figure.nominal.map(scaled)
        }
        answer.judgement = judgement(assertion, own, limits) { devices.mostDeciding($0, of: ownRow) }
        return answer
    }

    /// Judges each draw, whose limits are an element of `limits`.
    private func judgement(
        _ assertion: Assertion,
        _ own: DeviceMetricValue,
        _ limits: [[Double]],
        deciding: ([Double]) -> String?
    ) -> Judgement {
        let draws = own.figure.draws
        let note = own.figure.nominal.reason ?? ""
        guard !draws.isEmpty else { return Judgement(.inconclusive, note: note) }
        let comparators = assertion.comparator.targets
        let answers = zip(draws.indices, limits).map { draw, limits -> Verdict in
            guard let ends = own.ends(draw, rule) else { return comparators.allSatisfy(\.isLowerBound) ? .pass : .fail }
            return Verdict.overall(
                zip(comparators, [limits, [assertion.upperLimit ?? limits[0]]]).map { comparator, limits -> Verdict in
                    let met = Set(
                        ends.flatMap { end in limits.map { comparator.isMet(by: end, limit: $0) } }
                    )
                    return met.count > 1 ? .inconclusive : met.contains(true) ? .pass : .fail
                }
            ) ?? .inconclusive
        }
        if !answers.contains(where: { $0 != .inconclusive }) {
            return Judgement(.inconclusive, note: "the interval includes the limit")
        }
        if answers.allSatisfy({ $0 == .fail }) { return Judgement(.fail, note: note) }
        let outcome = PlausibleOutcome(met: answers.count { $0 == .pass }, of: answers.count) {
            deciding(zip(draws, limits).map { ($0 ?? .infinity) - $1[0] })
        }
        if case .passesAlways = outcome { return Judgement(.pass, note: note) }
        return Judgement(.inconclusive, note: outcome.text)
    }
}

extension DeviceRow {
    fileprivate func value(of metric: DeviceMetric, _ conditions: SessionConditions) -> DeviceMetricValue? {
        asked?.first { $0.key == DeviceMetricValue.Key(metric, conditions) }
    }
}

extension DeviceMetricValue {
    /// What has to keep a limit in a draw: the value, or by the rule `interval` both ends of its interval; nil for a figure
    /// beyond any limit.
    fileprivate func ends(_ draw: Int, _ rule: DecisionRule) -> [Double]? {
        if rule == .interval, let low = lower?[draw], let high = upper?[draw] { return [low, max(low, high)] }
        return figure.draws[draw].map { [$0] }
    }
}

/// Assertion of a suite, answered for one measurement, or for one measurement on one device.
package struct AssertionAnswer: Sendable, Equatable, Codable {
    package var assertion: Assertion
    /// Id of the measurement; where none was run, the assertion's variant.
    package var measurement: String
    /// nil for a figure of the measurement itself.
    package var device: String?
    /// In the figure's unit.
    package var value: Figure
    /// Interval at 95 % of a measured figure, or the plausible values of a modelled figure; nil without one.
    package var range: ClosedRange<Double>?
    /// Limit, or the lower one of two.
    package var limit: Figure
    package var upperLimit: Double?
    /// Measurement and session that the limit is taken of; nil for a limit that is a number.
    package var reference: String?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    package var gates: Bool

    init(undecided assertion: Assertion, _ measurement: String, device: String? = nil, because reason: String) {
        self.assertion = assertion
        (self.measurement, self.device) = (measurement, device)
        value = .absent(reason)
        limit = assertion.reference == nil ? .value(assertion.limit) : .absent(reason)
        upperLimit = assertion.upperLimit
        judgement = Judgement(.inconclusive, note: reason)
        evidence = assertion.device == nil ? .measured : .modelled
        gates = assertion.gates
    }
}
