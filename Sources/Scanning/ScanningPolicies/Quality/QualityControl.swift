/// One model under watch: its last inferences, what there is to say about them, and what that leads to.
///
/// A value without a clock or a model: who holds one does what it says.
public struct QualityControl: Sendable {
    /// The last inferences.
    public private(set) var window: PerformanceWindow
    /// Ladder that the alerts lead to.
    public private(set) var ladder: DegradationLadder
    /// Alerts that were raised and that ended with the last inference that was noted.
    public private(set) var changes: [AlertChange] = []

    /// - Parameters:
    ///   - window: of the model, with its target.
    ///   - ladder: where the model begins.
    public init(window: PerformanceWindow, ladder: DegradationLadder = DegradationLadder()) {
        self.window = window
        self.ladder = ladder
    }

    /// Notes an inference.
    ///
    /// - Parameters:
    ///   - metrics: of the model; its time is not before the last one's.
    ///   - conditions: of the device.
    /// - Returns: what is to be done, in this order.
    public mutating func note(
        _ metrics: InferenceMetrics,
        under conditions: DeviceConditions
    ) -> [DegradationLadder.Action] {
        changes = window.add(metrics)
        return decide(under: conditions, at: metrics.time)
    }

    /// Notes how the device is doing while there is nothing to infer.
    ///
    /// - Parameters:
    ///   - conditions: of the device.
    ///   - time: not before the last one.
    /// - Returns: what is to be done, in this order.
    public mutating func note(
        _ conditions: DeviceConditions,
        at time: Duration
    ) -> [DegradationLadder.Action] {
        changes = []
        return decide(under: conditions, at: time)
    }

    private mutating func decide(under conditions: DeviceConditions, at time: Duration) -> [DegradationLadder.Action] {
        let before = ladder.quality
        let actions = ladder.decide(alerts: window.alerts, conditions: conditions, at: time)
        if ladder.quality != before { window.forget() }
        return actions
    }
}
