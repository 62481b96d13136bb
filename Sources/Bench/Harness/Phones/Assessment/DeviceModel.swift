import Basics
import Evaluation
import ScanningPolicies
import Statistics

/// Model of one measurement on one device, at nominal figures and in each draw.
struct DeviceModel: Sendable {
    let subject: AssessmentSubject
    let profile: DeviceProfile
    let scaling: DeviceScaling
    let unit: ComputeUnit
    let minutes: DeviceAssessor.Minutes
    let draws: Draws
    /// Readings on the device itself; nil when nobody recorded it.
    let recording: DeviceRecording?
    /// The nominal setting, and the draws.
    let settings: [DeviceValues]
    /// Costs of the readings in each setting.
    let costs: [[ReadingCost]]

    /// `isRecorded`: Whether a recording takes the place of the model.
    init(
        _ subject: AssessmentSubject,
        on profile: DeviceProfile,
        by assessor: DeviceAssessor,
        isRecorded: Bool = true
    ) {
        let scaling = DeviceScaling(assessor.calibration, reader: subject.reader)
        let unit =
            scaling.work == nil || !profile.hasNeuralEngine && subject.plan.unit == .neuralEngine
            ? ComputeUnit.cpu : subject.plan.unit
        (self.subject, self.profile, self.scaling, self.unit) = (subject, profile, scaling, unit)
        minutes = assessor.minutes
        let recording = isRecorded ? subject.recordings.first { $0.device == profile.name } : nil
        self.recording = recording
        var plan = subject.plan
        plan.unit = unit
        let draws = Draws(
            profile.figures.merging(scaling.figures) { $1 },
            relevant: DeviceFigure.relevant(to: plan, hasNetworks: scaling.work != nil),
            seed: assessor.seed
        )
        self.draws = draws
        settings = draws.all
        costs = settings.map { values in
            let factors = scaling.factors(values, unit: unit)
            let modelled = subject.readings.map { DeviceScaling.cost(of: $0, factors) }
            return recording.map { Self.costs(of: $0, like: modelled) } ?? modelled
        }
    }

    /// Returns the cost of each reading of a recording, divided among the stages as the model's.
    private static func costs(of recording: DeviceRecording, like modelled: [ReadingCost]) -> [ReadingCost] {
        let parts = [\ReadingCost.imageSeconds, \.inferenceSeconds, \.waitSeconds, \.idleSeconds]
        let sums = parts.map { part in modelled.reduce(0) { $0 + $1[keyPath: part] } }
        let whole = max(sums.reduce(0, +), 1e-12)
        return recording.milliseconds.enumerated().map { place, milliseconds in
            var cost = modelled[place % modelled.count]
            for (part, sum) in zip(parts, sums) { cost[keyPath: part] = milliseconds / 1_000 * sum / whole }
            return cost
        }
    }

    // MARK: Latency

    /// Returns the times of readings up to a metric's milestone in a setting, in ms, ascending, unreached ones last, as
    /// infinity; nil for a metric without a device's part.
    private func milliseconds(until metric: Metric, in place: Int) -> [Double]? {
        guard metric.percent != nil, metric != .enrichmentP95, metric != .firstTextP50 else { return nil }
        let values = settings[place]
        // A recording was taken under whatever pressure there was.
        let isPressed = recording == nil && subject.plan.memory > values[.memoryBudget]
        let pressure = isPressed ? values[.memoryPressure] : 1
        let speed = recording == nil && subject.plan.isLowPower ? values[.lowPowerSpeed] : 1
        let times = costs[place].enumerated().map { place, cost -> Double in
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

    /// Number of readings of different spines.
    private var independent: Int {
        recording?.samples ?? subject.samples ?? subject.readings.count + subject.unanswered
    }

    /// Returns the estimates of a percentile, of the nominal setting first; nil for a metric without a device's part.
    func estimates(_ metric: Metric) -> [PercentileEstimate]? {
        let estimates = settings.indices.compactMap { place in
            milliseconds(until: metric, in: place).map { sorted in
                PercentileEstimate(
                    percent: metric.percent ?? 50,
                    sorted: sorted,
                    method: subject.method,
                    independent: independent,
                    infinite: "had no answer"
                )
            }
        }
        return estimates.isEmpty ? nil : estimates
    }

    /// Returns a percentile; `isClaimed` leaves it absent with too few readings.
    func latency(_ metric: Metric, _ estimates: [PercentileEstimate], isClaimed: Bool = true) -> Drawn {
        let value = isClaimed ? estimates[0].value : estimates[0].point
        // A percentile that is itself a reading without an answer exceeds any limit.
        let isEndless = estimates[0].count > 0 && estimates[0].point.value == nil
        guard value.value != nil else {
            return Drawn(absent: value.reason ?? estimates[0].point.reason ?? "", isEndless: isEndless)
        }
        return Drawn(nominal: value, draws: estimates.dropFirst().map(\.point.value))
    }

    // MARK: Sessions

    /// Returns the sessions under conditions in each setting.
    ///
    /// - Throws: `HarnessError` when a figure is out of its range.
    func sessions(_ conditions: SessionConditions) throws(HarnessError) -> [SessionResult] {
        let plan = plan(conditions)
        var results: [SessionResult] = []
        for (values, costs) in zip(settings, costs) { results.append(try Session(plan, values, costs: costs).run()) }
        return results
    }

    func plan(_ conditions: SessionConditions) -> SessionPlan {
        var plan = subject.plan
        (plan.seconds, plan.unit) = (minutes.short * 60, unit)
        if recording != nil { plan.memory = 0 }
        conditions.apply(to: &plan)
        return plan
    }
}
