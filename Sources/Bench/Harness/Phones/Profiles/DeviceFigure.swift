import Foundation

/// The figures that a device profile has to give, by the keys of its JSON file.
package enum DeviceFigure: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case batteryCapacity = "battery.capacity"
    case batteryHealth = "battery.health"

    case cpuSpeed = "cpu.speed"
    case gpuSpeed = "gpu.speed"
    case neuralEngineSpeed = "neuralEngine.speed"
    case lowPowerSpeed = "lowPower.speed"

    case basePower = "base.power"
    case displayPower = "display.power"
    case cameraPower = "camera.power"
    case cpuPower = "cpu.power"
    case gpuPower = "gpu.power"
    case neuralEnginePower = "neuralEngine.power"
    case wifiPower = "wifi.power"
    case wifiTailPower = "wifi.tailPower"
    case wifiTail = "wifi.tail"
    case cellularPower = "cellular.power"
    case cellularTailPower = "cellular.tailPower"
    case cellularTail = "cellular.tail"

    case chipCapacity = "thermal.chipCapacity"
    case chipResistance = "thermal.chipResistance"
    case skinCapacity = "thermal.skinCapacity"
    case skinResistance = "thermal.skinResistance"
    case fairAt = "thermal.fairAt"
    case seriousAt = "thermal.seriousAt"
    case criticalAt = "thermal.criticalAt"
    case hysteresis = "thermal.hysteresis"

    case fairSpeed = "throttle.fair"
    case seriousSpeed = "throttle.serious"
    case criticalSpeed = "throttle.critical"
    case throttlePowerExponent = "throttle.powerExponent"

    case memoryBudget = "memory.budget"
    case memoryPressure = "memory.pressure"

    /// Meaning of a figure: its unit and its range.
    package struct Meaning: Sendable, Decodable {
        package var text: String
        /// Unit; empty for a factor or a share.
        package var unit: String
        private var low: Double
        private var high: Double

        package var range: ClosedRange<Double> { low...high }
    }

    package var meaning: Meaning {
        guard let meaning = Self.meanings[self] else { preconditionFailure("figures.json lacks \(rawValue)") }
        return meaning
    }

    private static let meanings: [DeviceFigure: Meaning] = BuiltInFile.decoded(PackageResources.figures_json)
}

/// File that comes with the program: it is an error of the program when it is broken.
enum BuiltInFile {
    static func decoded<Value: Decodable>(_ bytes: [UInt8]) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            preconditionFailure("a file that comes with the program is broken: \(error)")
        }
    }
}

/// Uncertain figure, and its source.
package struct Estimate: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Measured on the device; the source names the author.
        case measured
        /// Computed from measured figures; the source describes the computation.
        case derived
        case assumed
    }

    /// The likeliest.
    package var value: Double
    /// The lowest that is plausible; not above `value`.
    package var low: Double
    /// The highest that is plausible; not below `value`.
    package var high: Double
    package var source: String
    package var kind: Kind

    package init(_ value: Double, low: Double, high: Double, source: String, kind: Kind) {
        (self.value, self.low, self.high, self.source, self.kind) = (value, low, high, source, kind)
    }
}
