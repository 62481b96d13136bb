import Evaluation

/// One measurement on one device, under any of the figures that are plausible.
struct DeviceModel: Sendable {
    /// One number for each figure that the model has.
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

    init(_ subject: AssessmentSubject, on profile: DeviceProfile, by assessor: DeviceAssessor) {
        scaling = DeviceScaling(assessor.calibration, reader: subject.reader)
        unit = scaling.work == nil || !profile.hasNeuralEngine && subject.plan.unit == .neuralEngine
            ? .cpu : subject.plan.unit
        self.subject = subject
        self.profile = profile
        seed = assessor.seed
        minutes = assessor.minutes
    }

    // MARK: Settings

    /// All figures nominal, all on their better side, and all on their worse one.
    var settings: Plausible<Setting> {
        Plausible(
            nominal: Setting(numbers: scaling.numbers(), values: profile.values()),
            favourable: Setting(numbers: scaling.numbers(adverse: false), values: profile.values(adverse: false)),
            adverse: Setting(numbers: scaling.numbers(adverse: true), values: profile.values(adverse: true))
        )
    }

    /// All figures nominal but one.
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

    func costs(_ setting: Setting) -> [ReadingCost] {
        let factors = scaling.factors(setting.numbers, on: setting.values, unit: unit)
        return subject.readings.map { DeviceScaling.cost(of: $0, factors) }
    }

    /// How long readings take up to what a metric is about, in ms, ascending, those that were given up last; nil for a metric
    /// that no device has a part in.
    func milliseconds(until metric: Target.Metric, _ costs: [ReadingCost], _ values: DeviceValues) -> [Double]? {
        guard metric.percent != nil, metric != .enrichmentP95 else { return nil }
        let pressure = subject.plan.memory > values[.memoryBudget] ? values[.memoryPressure] : 1
        let speed = subject.plan.isLowPower ? values[.lowPowerSpeed] : 1
        let times = zip(costs, subject.readings).map { cost, reading in
            let own = (cost.imageSeconds + cost.inferenceSeconds * pressure) / speed
            let waits =
                switch metric {
                case .timeToPreparedP95, .timeToDraftP95: false
                case .timeToTextP95: reading.isReadRemotely
                default: true
                }
            return (own + (waits ? cost.waitSeconds : 0)) * 1_000
        }
        return times.sorted() + [Double](repeating: .infinity, count: subject.timeouts)
    }

    func estimate(_ percent: Int, of sorted: [Double]) -> PercentileEstimate {
        PercentileEstimate(percent: percent, sorted: sorted, method: subject.method, independent: subject.samples)
    }

    // MARK: Sessions

    func plan(minutes: Double) -> SessionPlan {
        var plan = subject.plan
        plan.seconds = minutes * 60
        plan.unit = unit
        return plan
    }

    /// - Parameters:
    ///   - minutes: how long it takes.
    ///   - costs: of readings on the device.
    ///   - values: of the device.
    ///   - pointsEvery: seconds between the points of its timeline; nil for none.
    func session(
        minutes: Double,
        _ costs: [ReadingCost],
        _ values: DeviceValues,
        pointsEvery: Int? = nil
    ) throws -> SessionOutcome {
        try SessionSimulator(plan: plan(minutes: minutes), values: values, costs: costs)
            .run(seed: seed, pointsEvery: pointsEvery)
    }
}
