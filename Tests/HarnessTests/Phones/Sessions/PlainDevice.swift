@testable import Harness

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

extension Session {
    /// Runs a session on the plain device; `change` starts from ten frames a second, a spine in sight all the time, and
    /// ten seconds.
    static func run(
        values: DeviceValues = .plain(),
        costs: [ReadingCost] = [.quick],
        pointsEvery: Int? = 10,
        _ change: (inout SessionPlan) -> Void = { _ in }
    ) throws -> SessionResult {
        var plan = SessionPlan()
        (plan.seconds, plan.framesPerSecond, plan.spineShare) = (10, 10, 1)
        change(&plan)
        return try Session(plan, values, costs: costs).run(pointsEvery: pointsEvery)
    }
}

extension ReadingCost {
    /// 10 ms on the CPU and 20 ms on the unit.
    static let quick = ReadingCost(imageSeconds: 0.010, inferenceSeconds: 0.020)

    static func quick(wait: Double, bytesUp: Int = 0) -> ReadingCost {
        ReadingCost(imageSeconds: 0.010, inferenceSeconds: 0.020, waitSeconds: wait, bytesUp: bytesUp)
    }
}

extension Double {
    func isNear(_ other: Double, _ tolerance: Double = 1e-9) -> Bool { abs(self - other) <= tolerance }
}
