import Testing

@testable import ScanningPolicies

@Suite struct QualityControlTests {
    /// A reader that takes 120 and 40 ms by quality, or 40 % of that nine times of ten unless it is even, and from five
    /// seconds on a factor of that, against a target of 150: 0.8, 1.12, 1.6 and 2.08 times the target.
    @Test(
        "the sequence that each slow-down leads to in half a minute",
        arguments: [
            (1, false, []), (1.4, false, ["info"]), (2, false, ["warning"]),
            // The fast reader replaces a critical one, and meets the target.
            (2.6, false, ["critical", "to medium"]),
            // Hardly any reading meets the target once P95 does not: the documents' 80 % come first.
            (1.4, true, ["info", "to medium"]),
        ] as [(Double, Bool, [String])]
    )
    func slowDown(_ factor: Double, _ isEven: Bool, _ expected: [String]) {
        let target = ModelTarget.tiers[1]
        var control = QualityControl(window: PerformanceWindow(target: target, limits: .init(count: 30)))
        var events: [String] = []
        for tenth in 0..<300 {
            let own = control.ladder.quality == .high ? 120.0 : 40
            let share = isEven || tenth % 10 == 0 ? 1 : 0.4
            let metrics = InferenceMetrics(
                time: .milliseconds(100 * tenth),
                latency: .milliseconds(own * share * (tenth < 50 ? 1 : factor))
            )
            for action in control.note(metrics, under: DeviceConditions(), at: metrics.time) {
                switch action {
                case .log(let alert) where alert.kind == .latency: events.append(alert.severity.rawValue)
                case .log, .setFrequency: break
                case .switchTo(let quality, _): events.append("to \(quality.rawValue)")
                case .unload, .recover: events.append("\(action)")
                }
            }
        }
        #expect(events == expected)
    }
}
