/// Where a session's energy went in J, by component: the sum of power × time (after Android's `power_profile.xml`).
package struct EnergyUse: Sendable, Equatable, Codable {
    /// The system with its screen on, whatever an app does.
    package var base = 0.0
    package var display = 0.0
    package var camera = 0.0
    package var cpu = 0.0
    package var gpu = 0.0
    package var neuralEngine = 0.0
    /// Sending, receiving, and the time until the radio sleeps.
    package var radio = 0.0

    package init() {}

    package var total: Double { base + display + camera + cpu + gpu + neuralEngine + radio }

    mutating func add(_ other: Self) {
        base += other.base
        display += other.display
        camera += other.camera
        cpu += other.cpu
        gpu += other.gpu
        neuralEngine += other.neuralEngine
        radio += other.radio
    }
}

extension EnergyUse {
    package func percent(of values: DeviceValues) -> Double {
        100 * total / (values[.batteryCapacity] * values[.batteryHealth] * 3600)
    }

    /// Returns the percentage of the battery that a minute takes at most, with all on at once: screen, camera, a fast
    /// core of the CPU, GPU, Neural Engine and the stronger of the radios.
    static func mostPercentOfMinute(_ values: DeviceValues) -> Double {
        let powers = [.basePower, .displayPower, .cameraPower, .cpuPower, .gpuPower, DeviceFigure.neuralEnginePower]
        var most = EnergyUse()
        most.base = powers.reduce(0) { $0 + 60 * values[$1] } + 60 * max(values[.wifiPower], values[.cellularPower])
        return most.percent(of: values)
    }

    package mutating func add(_ joules: Double, of unit: ComputeUnit) {
        switch unit {
        case .cpu: cpu += joules
        case .gpu: gpu += joules
        case .neuralEngine: neuralEngine += joules
        }
    }
}

/// The battery formula of the NeuroGuide document, literally (S3-05).
///
/// "Frequency × latency × compute unit", at 0.01 % of the battery for 100 ms of the Neural Engine, 0.02 of the GPU
/// and 0.03 of the CPU. By it a pose model at its own targets (20 Hz, 30 ms) takes 108 % in half an hour, where 5 %
/// are allowed: one second of the Neural Engine would be 46 J of a battery of 12.7 Wh, a power of 46 W (K-4). It is
/// shown beside the energy model, and never gates.
package enum SeedBattery {
    package static func percentPer100Milliseconds(_ unit: ComputeUnit) -> Double {
        switch unit {
        case .neuralEngine: 0.01
        case .gpu: 0.02
        case .cpu: 0.03
        }
    }

    package static func percent(busySeconds: Double, on unit: ComputeUnit) -> Double {
        busySeconds * 10 * percentPer100Milliseconds(unit)
    }

    /// Returns the percentage of the battery for inferences at an even pace; may exceed 100 by the formula.
    package static func percent(hertz: Double, milliseconds: Double, seconds: Double, on unit: ComputeUnit) -> Double {
        hertz * seconds * milliseconds / 100 * percentPer100Milliseconds(unit)
    }
}

package enum ComputeUnit: String, Sendable, Codable, CaseIterable {
    case cpu, gpu, neuralEngine
}

extension ComputeUnit {
    /// Power that it takes while it works.
    package var power: DeviceFigure {
        switch self {
        case .cpu: .cpuPower
        case .gpu: .gpuPower
        case .neuralEngine: .neuralEnginePower
        }
    }
}
