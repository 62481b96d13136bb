extension AssessmentSubject {
    /// What the readings cost on a device at full speed, and how it is used there.
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
        guard !readings.isEmpty else { return (plan, []) }
        let settings = model.settings
        let setting =
            switch bound {
            case .favourable: settings.favourable
            case .nominal: settings.nominal
            case .adverse: settings.adverse
            }
        return (plan, model.costs(setting))
    }
}
