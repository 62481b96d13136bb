import Testing

@testable import Harness

@Suite struct SeedBatteryTests {
    /// Four models of the NeuroGuide document at their own frequencies and P50 latencies, and their results by K-4.
    @Test(
        arguments: [
            // 20 Hz × 1800 s × 30 ms ÷ 100 ms × 0.01 %
            ("pose", 20, 30, 108),
            ("vocal", 10, 60, 108), ("facial", 5, 100, 90), ("parent stress", 0.2, 100, 3.6),
        ] as [(String, Double, Double, Double)]
    )
    func theModelsOfTheDocumentTakeWhatItsFormulaSays(
        model: String,
        hertz: Double,
        milliseconds: Double,
        percent: Double
    ) {
        let drain = SeedBattery.percent(hertz: hertz, milliseconds: milliseconds, seconds: 1800, on: .neuralEngine)
        #expect(abs(drain - percent) < 1e-12 * percent, "\(model)")
    }

    @Test func aMinuteAtFullDutyTakesSixTwelveAndEighteenPercent() {
        #expect(abs(SeedBattery.percent(busySeconds: 60, on: .neuralEngine) - 6) < 1e-12)
        #expect(abs(SeedBattery.percent(busySeconds: 60, on: .gpu) - 12) < 1e-12)
        #expect(abs(SeedBattery.percent(busySeconds: 60, on: .cpu) - 18) < 1e-12)
    }

    @Test func aSecondOfTheNeuralEngineWouldBe46WattsOfA15Pro() {
        // 0.1 % of 12.7 Wh = 45.72 J.
        let joules = SeedBattery.percent(busySeconds: 1, on: .neuralEngine) / 100 * 12.7 * 3600
        #expect(abs(joules - 45.72) < 1e-9)
    }

    @Test func noWorkTakesNothing() {
        #expect(SeedBattery.percent(hertz: 0, milliseconds: 30, seconds: 1800, on: .cpu) == 0)
    }
}

@Suite struct EnergyUseTests {
    @Test func energyIsASumOverComponents() {
        var use = EnergyUse()
        use.base = 210
        use.display = 390
        use.camera = 600
        use.radio = 12.5
        use.add(100, of: .cpu)
        use.add(50, of: .gpu)
        use.add(25, of: .neuralEngine)
        use.add(5, of: .neuralEngine)
        #expect(use.cpu == 100 && use.gpu == 50 && use.neuralEngine == 30)
        #expect(use.total == 1392.5)
    }

    @Test func percentIsOfWhatTheBatteryStillHolds() {
        // 10 Wh at 80 % hold 28,800 J; 288 J of them are 1 %.
        let values = ThermalStatesTests.values([.batteryCapacity: 10, .batteryHealth: 0.8])
        var use = EnergyUse()
        use.base = 288
        #expect(abs(use.percent(of: values) - 1) < 1e-12)
        #expect(EnergyUse().percent(of: values) == 0)
    }
}
