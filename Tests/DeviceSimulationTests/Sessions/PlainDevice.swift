@testable import DeviceSimulation

/// A device with round figures, for calculation by hand.
extension DeviceValues {
    static func plain(_ changes: [DeviceFigure: Double] = [:]) -> DeviceValues {
        let numbers: [DeviceFigure: Double] = [
            .batteryCapacity: 10, .batteryHealth: 1, .cpuSpeed: 1, .gpuSpeed: 1, .neuralEngineSpeed: 1,
            .lowPowerSpeed: 0.5, .basePower: 0.25, .displayPower: 0.5, .cameraPower: 1, .cpuPower: 2, .gpuPower: 4,
            .neuralEnginePower: 0.5, .wifiPower: 1, .wifiTailPower: 0.25, .wifiTail: 0.5, .cellularPower: 2,
            .cellularTailPower: 1, .cellularTail: 10, .chipCapacity: 4, .chipResistance: 2, .skinCapacity: 45,
            .skinResistance: 6, .fairAt: 36, .seriousAt: 40, .criticalAt: 45, .hysteresis: 1, .fairSpeed: 0.9,
            .seriousSpeed: 0.75, .criticalSpeed: 0.5, .throttlePowerExponent: 2, .memoryBudget: 200, .memoryPressure: 3,
        ]
        return DeviceValues(numbers.merging(changes) { $1 })
    }
}

extension SessionPlan {
    /// The standard plan with a gate that is made up.
    static var gated: SessionPlan {
        var plan = SessionPlan()
        plan.gate = GateRates(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)
        return plan
    }

    /// Returns the plan with changes.
    static func with(_ change: (inout SessionPlan) -> Void) -> SessionPlan {
        var plan = gated
        change(&plan)
        return plan
    }
}

extension ReadingCost {
    /// 10 ms on the CPU and 20 ms on the unit.
    static let quick = ReadingCost(imageSeconds: 0.010, inferenceSeconds: 0.020)
}
