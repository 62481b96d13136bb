import Basics
import Testing

@testable import ScanningPolicies

extension DegradationLadder {
    fileprivate mutating func decide(
        at second: Int,
        _ alerts: [PerformanceAlert] = [],
        _ conditions: DeviceConditions = .init()
    ) -> [Action] {
        decide(alerts: alerts, conditions: conditions, at: .seconds(second))
    }
}

@Suite struct DegradationLadderTests {
    private func alert(
        _ severity: PerformanceAlert.Severity,
        _ second: Double,
        _ kind: PerformanceAlert.Kind = .latency
    ) -> PerformanceAlert {
        PerformanceAlert(severity: severity, kind: kind, message: "slow", model: "fast", time: .seconds(second))
    }

    /// First decision about any fault, from the highest quality.
    @Test(
        "what each fault leads to",
        arguments: [
            (.info, DeviceConditions(), []), (.warning, DeviceConditions(), [.setFrequency(share: 0.75)]),
            (.critical, DeviceConditions(), [.switchTo(.medium, .latency), .setFrequency(share: 0.75)]),
            (nil, DeviceConditions(thermalState: .fair), [.setFrequency(share: 0.75)]),
            (nil, DeviceConditions(thermalState: .serious), [.setFrequency(share: 0.5)]),
            (nil, DeviceConditions(thermalState: .critical), [.unload(.heat)]),
            (nil, DeviceConditions(hasMemoryWarning: true), [.unload(.memoryWarning)]),
            (nil, DeviceConditions(batteryLevel: 0.19), []),
            (nil, DeviceConditions(isLowPower: true), [.switchTo(.medium, .lowPower), .setFrequency(share: 0.75)]),
            (nil, DeviceConditions(), []),
        ] as [(PerformanceAlert.Severity?, DeviceConditions, [DegradationLadder.Action])]
    )
    func firstDecision(
        _ severity: PerformanceAlert.Severity?,
        _ conditions: DeviceConditions,
        _ expected: [DegradationLadder.Action]
    ) {
        var ladder = DegradationLadder()
        let alerts = severity.map { [alert($0, 1)] } ?? []
        let actions = ladder.decide(at: 1, alerts, conditions)
        #expect(actions == alerts.map(DegradationLadder.Action.log) + expected)
    }

    @Test func criticalAlertsGoFromDegradeToUnloadAndBackAStepAtATime() {
        var ladder = DegradationLadder()
        var steps: [(second: Int, action: DegradationLadder.Action)] = []
        for second in 0..<200 {
            // New evidence every three seconds until the model is off.
            let alerts = ladder.quality == nil || second >= 20 ? [] : [alert(.critical, Double(second / 3 * 3))]
            let before = ladder.quality
            let actions = ladder.decide(at: second, alerts)
            if ladder.quality != before { steps.append((second, actions[alerts.count])) }
        }
        #expect(steps.map(\.second) == [0, 3, 6, 36, 66, 96])
        #expect(
            steps.map(\.action) == [
                .switchTo(.medium, .latency), .switchTo(.low, .latency), .unload(.latency), .recover(to: .low),
                .recover(to: .medium), .recover(to: .high),
            ]
        )
        #expect(ladder.frequencyShare == 1)
    }

    @Test func anAlertOfTheTimeBeforeAStepLeadsToNoOther() {
        var ladder = DegradationLadder()
        let old = alert(.critical, 0)
        for second in 0..<25 { _ = ladder.decide(at: second, [old]) }
        #expect(ladder.quality == .medium)
    }

    @Test func oneThatAlertsMayNotUnloadStaysAtItsLowest() {
        var ladder = DegradationLadder(.init(unloadsOnAlerts: false))
        for second in 0..<100 {
            _ = ladder.decide(at: second, [alert(.critical, Double(second))])
        }
        #expect(ladder.quality == .low)
        let hot = DeviceConditions(thermalState: .critical)
        #expect(ladder.decide(at: 100, [], hot) == [.unload(.heat)])
    }

    @Test func comingBackTooEarlyMakesTheNextTryLater() {
        var ladder = DegradationLadder()
        var recoveries: [Int] = []
        for second in 0..<2000 {
            // Too slow at the highest quality, as soon as it has run for a second.
            let alerts = ladder.quality == .high ? [alert(.critical, Double(second))] : []
            for action in ladder.decide(at: second, alerts) {
                if case .recover = action { recoveries.append(second) }
            }
        }
        // Quiet for 30 s, then 60, 120 and 240 at most; two seconds pass each time before the next step down.
        #expect(Array(recoveries.prefix(5)) == [30, 92, 214, 456, 698])
    }

    @Test func aModelThatTheAppCanDoWithoutIsOffWhenTheBatteryIsLow() {
        var ladder = DegradationLadder(.init(isCritical: false))
        let low = DeviceConditions(batteryLevel: 0.199)
        #expect(ladder.decide(at: 0, [], low) == [.unload(.lowBattery)])
        #expect(ladder.decide(at: 100, [], low).isEmpty)
        let charged = DeviceConditions(batteryLevel: 0.2)
        #expect(ladder.decide(at: 110, [], charged).isEmpty)
        // It was last low at 100 s.
        #expect(ladder.decide(at: 130, [], charged).first == .recover(to: .low))
    }

    @Test func lowPowerModeHoldsItOneLowerAndItComesBackAfterwards() {
        var ladder = DegradationLadder(.init(best: .medium))
        let saving = DeviceConditions(isLowPower: true)
        #expect(ladder.decide(at: 0, [], saving).first == .switchTo(.low, .lowPower))
        #expect(ladder.decide(at: 500, [], saving).isEmpty)
        #expect(ladder.decide(at: 501).first == .recover(to: .medium))
        #expect(ladder.frequencyShare == 1)
        var lowest = DegradationLadder(.init(best: .low))
        #expect(lowest.decide(at: 0, [], saving).isEmpty)
    }

    @Test func theIntervalGrowsAsTheShareFalls() {
        var ladder = DegradationLadder()
        #expect(ladder.minimumInterval == nil)
        _ = ladder.decide(at: 0, [], .init(thermalState: .serious))
        #expect(ladder.minimumInterval == .milliseconds(300))
    }

    /// Ten thousand random conditions, a second apart: nothing returns within its quiet time, skips a quality on its
    /// way up, exceeds the battery's limit, or stays loaded where it must not.
    @Test(arguments: 0..<20)
    func itNeverGoesUpAndDownWithinItsHysteresis(_ seed: UInt64) {
        var random = SplitMix64(state: seed)
        func draw(_ count: Int) -> Int { random.below(count) }
        var ladder = DegradationLadder(.init(isCritical: seed.isMultiple(of: 2)))
        var (alerts, conditions) = ([PerformanceAlert](), DeviceConditions())
        var lastLower = -1000
        for second in 0..<10_000 {
            if draw(20) == 0 {
                alerts = draw(3) == 0 ? [alert(PerformanceAlert.Severity.allCases[draw(3)], Double(second))] : []
            }
            if draw(40) == 0 {
                conditions = DeviceConditions(
                    thermalState: draw(3) == 0 ? ThermalState.allCases[draw(5)] : .nominal,
                    hasMemoryWarning: draw(10) == 0,
                    batteryLevel: draw(4) == 0 ? nil : Double(draw(100)) / 100,
                    isLowPower: draw(5) == 0
                )
            }
            let before = ladder.quality
            _ = ladder.decide(at: second, alerts, conditions)
            let (old, new) = (rank(before), rank(ladder.quality))
            if new < old { lastLower = second }
            if new > old {
                #expect(new == old + 1)
                #expect(second - lastLower >= 30)
            }
            if conditions.hasMemoryWarning || conditions.thermalState == .critical { #expect(new == 0) }
            if conditions.isLowPower { #expect(new <= 2) }
            #expect(ladder.frequencyShare > 0 && ladder.frequencyShare <= 1)
        }
    }

    private func rank(_ quality: ReadingQuality?) -> Int {
        quality.map { ReadingQuality.allCases.count - (ReadingQuality.allCases.firstIndex(of: $0) ?? 0) } ?? 0
    }
}
