package import Evaluation

extension AssessmentSubject {
    /// Session of the readings on a device at full speed: their cost, and their use.
    ///
    /// - Parameters:
    ///   - profile: of the device; a recording of it takes the place of the model.
    ///   - calibration: of the host that the readings were measured on.
    ///   - bound: where the figures of device and scaling lie.
    /// - Returns: a cost for each reading, and the plan on a unit that the device has.
    package func session(
        on profile: DeviceProfile,
        calibration: HostCalibration,
        at bound: Bound
    ) -> (plan: SessionPlan, costs: [ReadingCost]) {
        let model = DeviceModel(self, on: profile, by: DeviceAssessor(calibration: calibration))
        var plan = plan
        plan.unit = model.unit
        plan.gate = plan.gate?.at(bound)
        guard !readings.isEmpty else { return (plan, []) }
        return (plan, model.costs(model.setting(at: bound)))
    }

    /// Words for a reading whose time is infinite, for ``PercentileEstimate``.
    package static let infinite = "had no answer"

    /// Times of readings on a device, cool and at full speed, up to what a metric is about: what device rows are made
    /// of.
    ///
    /// - Parameters:
    ///   - metric: of a latency.
    ///   - profile: of the device; a recording of it takes the place of the model.
    ///   - calibration: of the host that the readings were measured on.
    ///   - bound: where the figures of device and scaling lie.
    /// - Returns: in ms, ascending, infinity for those without an answer, and how many are of different spines; nil for a metric
    ///   that no device has a part in.
    package func milliseconds(
        until metric: Metric,
        on profile: DeviceProfile,
        calibration: HostCalibration,
        at bound: Bound
    ) -> (sorted: [Double], independent: Int)? {
        let model = DeviceModel(self, on: profile, by: DeviceAssessor(calibration: calibration))
        guard !readings.isEmpty else {
            return metric.percent == nil ? nil : ([Double](repeating: .infinity, count: unanswered), model.independent)
        }
        let setting = model.setting(at: bound)
        return model.milliseconds(until: metric, model.costs(setting), setting.values).map { ($0, model.independent) }
    }
}
