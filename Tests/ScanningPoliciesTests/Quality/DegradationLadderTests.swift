import Testing

@testable import ScanningPolicies

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
        let actions = ladder.decide(alerts: alerts, conditions: conditions, at: .seconds(1))
        #expect(actions == alerts.map(DegradationLadder.Action.log) + expected)
    }

    @Test func criticalAlertsGoFromLogOverDegradeToUnloadAndBackAStepAtATime() {
        var ladder = DegradationLadder()
        var steps: [String] = []
        for second in 0..<200 {
            // New evidence every three seconds until the model is off.
            let alerts = ladder.quality == nil || second >= 20 ? [] : [alert(.critical, Double(second / 3 * 3))]
            for action in ladder.decide(alerts: alerts, conditions: .init(), at: .seconds(second)) {
                switch action {
                case .log: if steps.last != "log" { steps.append("log") }
                case .switchTo(let quality, _): steps.append("\(second) \(quality.rawValue)")
                case .unload(let reason): steps.append("\(second) off: \(reason.rawValue)")
                case .recover(let quality): steps.append("\(second) back to \(quality.rawValue)")
                case .setFrequency: break
                }
            }
        }
        #expect(
            steps == [
                "log", "0 medium", "log", "3 low", "log", "6 off: latency", "36 back to low", "66 back to medium",
                "96 back to high",
            ]
        )
        #expect(ladder.frequencyShare == 1)
    }

    @Test func anAlertOfTheTimeBeforeAStepLeadsToNoOther() {
        var ladder = DegradationLadder()
        let old = alert(.critical, 0)
        for second in 0..<25 { _ = ladder.decide(alerts: [old], conditions: .init(), at: .seconds(second)) }
        #expect(ladder.quality == .medium)
    }

    @Test func oneThatAlertsMayNotUnloadStaysAtItsLowest() {
        var ladder = DegradationLadder(.init(unloadsOnAlerts: false))
        for second in 0..<100 {
            _ = ladder.decide(alerts: [alert(.critical, Double(second))], conditions: .init(), at: .seconds(second))
        }
        #expect(ladder.quality == .low)
        let hot = DeviceConditions(thermalState: .critical)
        #expect(ladder.decide(alerts: [], conditions: hot, at: .seconds(100)) == [.unload(.heat)])
    }

    @Test func comingBackTooEarlyMakesTheNextTryLater() {
        var ladder = DegradationLadder()
        var recoveries: [Int] = []
        for second in 0..<2000 {
            // Too slow at the highest quality, as soon as it has run for a second.
            let alerts = ladder.quality == .high ? [alert(.critical, Double(second))] : []
            for action in ladder.decide(alerts: alerts, conditions: .init(), at: .seconds(second)) {
                if case .recover = action { recoveries.append(second) }
            }
        }
        // Quiet for 30 s, then 60, 120 and 240 at most; two seconds pass each time before the next step down.
        #expect(Array(recoveries.prefix(5)) == [30, 92, 214, 456, 698])
    }

    @Test func aModelThatTheAppCanDoWithoutIsOffWhenTheBatteryIsLow() {
        var ladder = DegradationLadder(.init(isCritical: false))
        let low = DeviceConditions(batteryLevel: 0.199)
        #expect(ladder.decide(alerts: [], conditions: low, at: .zero) == [.unload(.lowBattery)])
        #expect(ladder.decide(alerts: [], conditions: low, at: .seconds(100)).isEmpty)
        let charged = DeviceConditions(batteryLevel: 0.2)
        #expect(ladder.decide(alerts: [], conditions: charged, at: .seconds(110)).isEmpty)
        // It was last low at 100 s.
        #expect(ladder.decide(alerts: [], conditions: charged, at: .seconds(130)).first == .recover(to: .low))
    }

    @Test func lowPowerModeHoldsItOneLowerAndItComesBackAfterwards() {
        var ladder = DegradationLadder(.init(best: .medium))
        let saving = DeviceConditions(isLowPower: true)
        #expect(ladder.decide(alerts: [], conditions: saving, at: .zero).first == .switchTo(.low, .lowPower))
        #expect(ladder.decide(alerts: [], conditions: saving, at: .seconds(500)).isEmpty)
        #expect(ladder.decide(alerts: [], conditions: .init(), at: .seconds(501)).first == .recover(to: .medium))
        #expect(ladder.frequencyShare == 1)
        var lowest = DegradationLadder(.init(best: .low))
        #expect(lowest.decide(alerts: [], conditions: saving, at: .zero).isEmpty)
    }

    @Test func theIntervalGrowsAsTheShareFalls() {
        var ladder = DegradationLadder()
        #expect(ladder.minimumInterval(nil) == nil && ladder.minimumInterval(.seconds(1)) == .seconds(1))
        _ = ladder.decide(alerts: [], conditions: .init(thermalState: .serious), at: .zero)
        #expect(ladder.minimumInterval(nil) == .milliseconds(300) && ladder.minimumInterval(.seconds(1)) == .seconds(2))
    }

    /// Ten thousand random conditions, a second apart: nothing returns within its quiet time, skips a quality on its
    /// way up, exceeds the battery's limit, or stays loaded where it must not.
    @Test(arguments: 0..<20)
    func itNeverGoesUpAndDownWithinItsHysteresis(_ seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func draw(_ count: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % count
        }
        let settings = DegradationLadder.Settings(isCritical: seed.isMultiple(of: 2))
        var ladder = DegradationLadder(settings)
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
            _ = ladder.decide(alerts: alerts, conditions: conditions, at: .seconds(second))
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
