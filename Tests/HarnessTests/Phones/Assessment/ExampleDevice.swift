import Foundation

@testable import Harness

/// A device and a host with round figures, made up by hand.
enum ExampleDevice {
    static let numbers: [DeviceFigure: Double] = [
        .batteryCapacity: 10, .batteryHealth: 1, .cpuSpeed: 0.5, .gpuSpeed: 0.8, .neuralEngineSpeed: 2,
        .lowPowerSpeed: 0.5, .basePower: 0.5, .displayPower: 0.5, .cameraPower: 1, .cpuPower: 2, .gpuPower: 3,
        .neuralEnginePower: 1, .wifiPower: 1, .wifiTailPower: 0.2, .wifiTail: 0.5, .cellularPower: 2,
        .cellularTailPower: 1, .cellularTail: 10, .chipCapacity: 2, .chipResistance: 2, .skinCapacity: 60,
        .skinResistance: 6, .fairAt: 36, .seriousAt: 40, .criticalAt: 44, .hysteresis: 1, .fairSpeed: 0.9,
        .seriousSpeed: 0.75, .criticalSpeed: 0.5, .throttlePowerExponent: 2, .memoryBudget: 500, .memoryPressure: 3,
    ]

    /// - Parameters:
    ///   - name: of the device.
    ///   - ranges: of the figures that are not known exactly.
    /// - Returns: a device.
    static func profile(_ name: String = "Example", ranges: [DeviceFigure: (Double, Double)] = [:]) -> DeviceProfile {
        DeviceProfile(
            name: name,
            chip: "X1",
            tier: .medium,
            memory: exact(4),
            hasNeuralEngine: true,
            appleIntelligence: .none,
            systems: 15...26,
            claims: [:],
            notes: [],
            figures: numbers.reduce(into: [:]) { figures, number in
                var figure = exact(number.value)
                if let range = ranges[number.key] { (figure.low, figure.high) = range }
                figures[number.key] = figure
            }
        )
    }

    /// The image work takes 20 ms here, detection 5 and recognition 4.
    static let calibration = HostCalibration(
        fingerprint: "Example CPU, 2 cores",
        measuredAt: Date(timeIntervalSince1970: 1_000_000),
        engine: "Example 1.0",
        models: ["det.onnx": "sha256:aa"],
        image: HostCalibration.Timing([20]),
        networks: [
            "small": HostCalibration.Networks(
                work: NetworkWork(name: "small", detectionGigaOperations: 1.5, recognitionGigaOperations: 3),
                detection: HostCalibration.Timing([5]),
                recognition: HostCalibration.Timing([4])
            )
        ]
    )

    /// Device with sessions that take little time to simulate.
    static let assessor: DeviceAssessor = {
        var minutes = DeviceAssessor.Minutes()
        (minutes.short, minutes.long) = (0.5, 1)
        return DeviceAssessor(calibration: calibration, minutes: minutes)
    }()

    private static func exact(_ value: Double) -> Estimate {
        Estimate(value, low: value, high: value, source: "made up", kind: .assumed)
    }
}
