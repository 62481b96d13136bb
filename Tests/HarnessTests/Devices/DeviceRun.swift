import Basics
import Evaluation
import Foundation

@testable import Harness

/// The golden run on two devices that are made up by hand, in sessions of half a minute and a minute.
enum DeviceRun {
    static let numbers: [DeviceFigure: Double] = [
        .batteryCapacity: 10, .batteryHealth: 1, .cpuSpeed: 1, .gpuSpeed: 1, .neuralEngineSpeed: 1,
        .lowPowerSpeed: 0.5, .basePower: 0.5, .displayPower: 0.5, .cameraPower: 1, .cpuPower: 2, .gpuPower: 3,
        .neuralEnginePower: 1, .wifiPower: 1, .wifiTailPower: 0.2, .wifiTail: 0.5, .cellularPower: 2,
        .cellularTailPower: 1, .cellularTail: 10, .chipCapacity: 2, .chipResistance: 2, .skinCapacity: 60,
        .skinResistance: 6, .fairAt: 36, .seriousAt: 40, .criticalAt: 44, .hysteresis: 1, .fairSpeed: 0.9,
        .seriousSpeed: 0.75, .criticalSpeed: 0.5, .throttlePowerExponent: 2, .memoryBudget: 500, .memoryPressure: 3,
    ]

    /// - Parameters:
    ///   - name: of the device.
    ///   - camera: the range of its camera's power, in W.
    ///   - speed: of its CPU beside an A15's.
    /// - Returns: a device.
    /// - Throws: when a figure is missing.
    static func profile(
        _ name: String,
        camera: ClosedRange<Double> = 0.5...9,
        speed: Double = 1
    ) throws -> DeviceProfile {
        func estimate(_ value: Double, _ range: ClosedRange<Double>) -> Estimate {
            Estimate(value, low: range.lowerBound, high: range.upperBound, source: "made up", kind: .assumed)
        }
        let figures = numbers.reduce(into: [String: Estimate]()) { figures, number in
            let value = number.key == .cpuSpeed ? speed : number.value
            figures[number.key.rawValue] = estimate(value, number.key == .cameraPower ? camera : value...value)
        }
        let encoded = try JSONEncoder().encode(figures)
        // Profiles come from files: there is no other way to make one.
        let text = """
            {"name": \(String(decoding: try JSONEncoder().encode(name), as: UTF8.self)), "chip": "X1", "tier": "low",
            "memory": {"value": 4, "low": 4, "high": 4, "source": "made up", "kind": "assumed"}, "hasNeuralEngine": true,
            "appleIntelligence": "none", "systems": [15, 18], "claims": {}, "notes": [],
            "figures": \(String(decoding: encoded, as: UTF8.self))}
            """
        return try JSONDecoder().decode(DeviceProfile.self, from: Data(text.utf8))
    }

    static let calibration = HostCalibration(
        fingerprint: "Example CPU, 2 cores",
        measuredAt: Date(timeIntervalSince1970: 1_000_000),
        engine: "Example 1.0",
        models: [:],
        image: HostCalibration.Timing([10]),
        networks: [
            "small": HostCalibration.Networks(
                work: NetworkWork(name: "small", detectionGigaOperations: 1, recognitionGigaOperations: 2),
                detection: HostCalibration.Timing([5]),
                recognition: HostCalibration.Timing([4])
            )
        ]
    )

    /// A measured and four modelled claims: the fourth is of two sessions, the last has no figure with so few readings.
    static let assertions: [Claim] = {
        var title = Claim(metric: .titleRead, comparator: .atLeast, limit: 0.9, gates: false)
        title.because = "It is so, in 2 | 3 cases."
        var latency = Claim(device: .latencyP95, comparator: .within, limit: 5, gates: false)
        latency.upperLimit = 50
        let joules = Claim(device: .joulesPerBook, comparator: .below, limit: 2, gates: false)
        var sparse = Claim(device: .readings, comparator: .atMost, limit: 0, gates: false)
        sparse.session = SessionConditions()
        sparse.session?.spineShare = 0.1
        var other = SessionConditions()
        other.pause = false
        sparse.reference = Claim.Reference(session: other, factor: 0.4)
        return [
            title, latency, joules, sparse, Claim(device: .latencyP99, comparator: .below, limit: 100, gates: false),
        ]
    }()

    /// - Parameters:
    ///   - names: of the devices.
    ///   - gates: what they decide.
    /// - Returns: the golden run with the results of its tier on them.
    /// - Throws: when a session cannot be simulated.
    static func contents(
        _ names: [String] = ["Phone A", "Phone B"],
        gates: DeviceSelection.Gating = .none
    ) async throws -> RunContents {
        var result = try GoldenRun.result()
        let profiles = try names.map { try profile($0) }
        result.configuration.devices = try DeviceSelection(profiles, gates: gates)
        result.configuration.assertions = assertions
        let contents = GoldenRun.contents(result)
        var plan = SessionPlan()
        plan.minimumInterval = 0.1
        let subjects = contents.subjects { [plan] _ in (plan, "small") }
        var minutes = DeviceAssessor.Minutes()
        (minutes.short, minutes.long) = (0.5, 1)
        let assessor = DeviceAssessor(calibration: calibration, minutes: minutes)
        let record = DeviceRecord(
            profiles: profiles,
            calibration: calibration,
            assessment: try await assessor.assess(subjects, on: profiles)
        )
        var whole = contents
        whole.result.add(record)
        return whole
    }
}
