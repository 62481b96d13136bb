import DeviceSimulation

/// A device in the middle of what profiles may say, and readings as long as a phone's.
enum CheckDevice {
    /// A gate like a good one: what it does is not checked here.
    static let gate = SessionPlan.GateRates(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)
    static let values: DeviceValues = {
        var numbers: [DeviceFigure: Double] = [:]
        for figure in DeviceFigure.allCases { numbers[figure] = 1 }
        let figures: [DeviceFigure: Double] = [
            .batteryCapacity: 12.4, .lowPowerSpeed: 0.5, .basePower: 0.4, .displayPower: 0.9, .cameraPower: 0.9,
            .cpuPower: 1.5, .gpuPower: 3, .neuralEnginePower: 0.5, .wifiPower: 0.7, .wifiTailPower: 0.2, .wifiTail: 0.3,
            .cellularPower: 1.8, .cellularTailPower: 1, .cellularTail: 11, .chipCapacity: 4, .chipResistance: 2,
            .skinCapacity: 45, .skinResistance: 5.6, .fairAt: 36, .seriousAt: 39, .criticalAt: 43, .fairSpeed: 0.9,
            .seriousSpeed: 0.75, .criticalSpeed: 0.6, .throttlePowerExponent: 2, .memoryBudget: 1_400,
            .memoryPressure: 3,
        ]
        return DeviceValues(numbers.merging(figures) { $1 })
    }()

    /// From 10 to 60 ms.
    static let costs = (0..<101).map {
        ReadingCost(
            imageSeconds: 0.004,
            inferenceSeconds: 0.006 + 0.0005 * Double($0),
            waitSeconds: 0.15,
            bytesUp: 2_000
        )
    }
}
