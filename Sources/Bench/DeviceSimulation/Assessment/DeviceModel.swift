import Basics
import Evaluation
import ScanningPolicies

/// Model of one measurement on one device, for all plausible figures.
struct DeviceModel: Sendable {
    struct Setting {
        var numbers: [ScalingFigure: Double]
        var values: DeviceValues
    }

    let subject: AssessmentSubject
    let profile: DeviceProfile
    let scaling: DeviceScaling
    let seed: UInt64
    let unit: ComputeUnit
    let minutes: DeviceAssessor.Minutes
    let gate: SessionPlan.GateRates?
    /// Readings on the device itself; nil when nobody recorded it.
    let recording: DeviceRecording?

    /// `isRecorded`: Whether a recording takes the place of the model.
    init(
        _ subject: AssessmentSubject,
        on profile: DeviceProfile,
        by assessor: DeviceAssessor,
        isRecorded: Bool = true
    ) {
        scaling = DeviceScaling(assessor.calibration, reader: subject.reader)
        unit =
            scaling.work == nil || !profile.hasNeuralEngine && subject.plan.unit == .neuralEngine
            ? .cpu : subject.plan.unit
        self.subject = subject
        self.profile = profile
        seed = assessor.seed
        minutes = assessor.minutes
        gate = assessor.gate
        let own = subject.recordings.first { $0.device == profile.name }
        recording = isRecorded ? own : nil
    }

    // MARK: Settings

    /// Figures on the better side, nominal, and on the worse one.
    var settings: Plausible<Setting> {
        Plausible { Setting(numbers: scaling.numbers(at: $0), values: profile.values(at: $0)) }
    }

    func setting(changing figure: AssessedFigure, to side: Estimate.Side) -> Setting {
        switch figure {
        case .device(let figure):
            Setting(numbers: scaling.numbers(), values: profile.values(changing: [figure: side]))
        case .scaling(let figure):
            Setting(numbers: scaling.numbers(changing: [figure: side]), values: profile.values())
        }
    }

    /// The figures that are not known exactly and matter here.
    var uncertain: [(figure: AssessedFigure, estimate: Estimate)] {
        AssessedFigure.all(for: plan(minutes: minutes.short), hasNetworks: scaling.work != nil).compactMap { figure in
            let estimate: Estimate? =
                switch figure {
                case .device(let key): profile.figures[key]
                case .scaling(let key): scaling.figures[key]
                }
            guard let estimate, estimate.low < estimate.high else { return nil }
            return (figure, estimate)
        }
    }

    // MARK: Latency

    /// Returns the cost of each reading; with a recording of the device itself, that of each of its readings, divided
    /// among the stages by the model.
    func costs(_ setting: Setting) -> [ReadingCost] {
        let factors = scaling.factors(setting.numbers, on: setting.values, unit: unit)
        let modelled = subject.readings.map { DeviceScaling.cost(of: $0, factors) }
        guard let recording else { return modelled }
        let parts = [\ReadingCost.imageSeconds, \.inferenceSeconds, \.waitSeconds, \.idleSeconds]
        let sums = parts.map { part in modelled.reduce(0) { $0 + $1[keyPath: part] } }
        let whole = max(sums.reduce(0, +), 1e-12)
        return recording.milliseconds.enumerated().map { place, milliseconds in
            var cost = modelled[place % modelled.count]
            for (part, sum) in zip(parts, sums) { cost[keyPath: part] = milliseconds / 1_000 * sum / whole }
            return cost
        }
    }

    /// Returns the times of readings up to a metric's milestone, in ms, ascending, unreached ones last, as infinity;
    /// nil for a metric without a device's part.
    func milliseconds(until metric: Metric, _ costs: [ReadingCost], _ values: DeviceValues) -> [Double]? {
        guard metric.percent != nil, metric != .enrichmentP95, metric != .firstTextP50 else { return nil }
        // A recording was taken under whatever pressure there was.
        let isPressed = recording == nil && subject.plan.memory > values[.memoryBudget]
        let pressure = isPressed ? values[.memoryPressure] : 1
        let speed = recording == nil && subject.plan.isLowPower ? values[.lowPowerSpeed] : 1
        let times = costs.enumerated().map { place, cost -> Double in
            let own = (cost.imageSeconds + cost.inferenceSeconds * pressure) / speed + cost.idleSeconds
            let reading = subject.readings[place % subject.readings.count]
            let waits =
                switch metric {
                case .timeToPreparedP95, .timeToDraftP95: false
                case .timeToTextP95: reading.isReadRemotely
                default: true
                }
            // Deferred scans have no answer, however soon the request was given up.
            if metric == .timeToEnrichedP95, recording == nil, !reading.isAnswered { return .infinity }
            return (own + (waits ? cost.waitSeconds : 0)) * 1_000
        }
        return times.sorted() + [Double](repeating: .infinity, count: recording?.unanswered ?? subject.unanswered)
    }

    /// Returns these times at each bound; nil for a metric without a device's part.
    func milliseconds(
        until metric: Metric,
        _ costs: Plausible<[ReadingCost]>,
        _ settings: Plausible<Setting>
    ) -> Plausible<[Double]>? {
        Plausible(all: Plausible { milliseconds(until: metric, costs[$0], settings[$0].values) })
    }

    /// Number of readings of different spines.
    var independent: Int { recording?.samples ?? subject.samples ?? subject.readings.count + subject.unanswered }

    /// Percentiles of whole readings in each setting.
    func latency(_ settings: Plausible<Setting>) -> Plausible<DeviceRow.Latency> {
        let sorted = milliseconds(until: .latencyP95, settings.map(costs), settings)
        return (sorted ?? Plausible { _ in [] }).map {
            DeviceRow.Latency(p50: estimate(50, of: $0), p95: estimate(95, of: $0), p99: estimate(99, of: $0))
        }
    }

    func estimate(_ percent: Int, of sorted: [Double]) -> PercentileEstimate {
        PercentileEstimate(
            percent: percent,
            sorted: sorted,
            method: subject.method,
            independent: independent,
            infinite: AssessmentSubject.infinite
        )
    }

    // MARK: Sessions

    func plan(minutes: Double, at bound: Bound = .nominal) -> SessionPlan {
        var plan = subject.plan
        plan.gate = plan.gate?.at(bound)
        plan.seconds = minutes * 60
        plan.unit = unit
        if recording != nil { plan.memory = 0 }
        return plan
    }

    /// Returns a session, equal for the same seed; `bound` is the position of the presence gate's rates, and
    /// `pointsEvery` the seconds between the points of its timeline, nil for none.
    ///
    /// - Throws: `SessionError` when a figure is out of its range.
    func session(
        minutes: Double,
        _ costs: [ReadingCost],
        _ values: DeviceValues,
        at bound: Bound = .nominal,
        pointsEvery: Int? = nil
    ) throws -> SessionOutcome {
        try SessionSimulator(plan: plan(minutes: minutes, at: bound), values: values, costs: costs)
            .run(seed: seed, pointsEvery: pointsEvery)
    }
}
