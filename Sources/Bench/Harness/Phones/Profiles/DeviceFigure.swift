import Foundation

/// Figure of the model of a device, by its key: those of the host and of an A15, by which readings are scaled, and those
/// that a profile has to give; see `figures.json`.
package enum DeviceFigure: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case hostImage = "host.image"
    case hostDetection = "host.detection"
    case hostRecognition = "host.recognition"

    case a15Image = "a15.image"
    case a15NeuralEngineRate = "a15.neuralEngine.rate"
    case a15NeuralEngineCall = "a15.neuralEngine.call"
    case a15GPURate = "a15.gpu.rate"
    case a15GPUCall = "a15.gpu.call"
    case a15CPURate = "a15.cpu.rate"
    case firstStart = "a15.firstStart"
    case laterStart = "a15.laterStart"

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
        private var low: Double?
        private var high: Double?

        package var range: ClosedRange<Double> { (low ?? -.infinity)...(high ?? .infinity) }

        var isOfProfiles: Bool { low != nil }
    }

    package var meaning: Meaning {
        guard let meaning = Self.meanings[self] else { preconditionFailure("figures.json lacks \(rawValue)") }
        return meaning
    }

    private static let meanings: [DeviceFigure: Meaning] = BuiltInFile.decoded(PackageResources.figures_json)

    /// Figures that a profile has to give.
    package static let ofProfiles = allCases.filter(\.meaning.isOfProfiles)

    /// Name for people: "skin resistance", "Neural Engine speed".
    package var name: String {
        let words = rawValue.split(separator: ".").filter { $0 != "thermal" }.map { part in
            switch part {
            case "cpu", "gpu", "a15": part.uppercased()
            case "neuralEngine": "Neural Engine"
            case "wifi": "Wi-Fi"
            default: part.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
        }
        return words.joined(separator: " ")
    }

    /// Returns the figures that affect a session, in a fixed order.
    ///
    /// `isScaled`: whether its readings were timed on a host.
    package static func relevant(to plan: SessionPlan, hasNetworks: Bool, isScaled: Bool = true) -> [DeviceFigure] {
        func infers(on unit: ComputeUnit) -> Bool { hasNetworks && plan.unit == unit }
        return allCases.filter { figure in
            switch figure {
            case .hostImage, .a15Image: isScaled
            case .hostDetection, .hostRecognition: isScaled && hasNetworks
            case .a15NeuralEngineRate, .a15NeuralEngineCall, .neuralEngineSpeed: isScaled && infers(on: .neuralEngine)
            case .a15GPURate, .a15GPUCall, .gpuSpeed: isScaled && infers(on: .gpu)
            case .a15CPURate: isScaled && infers(on: .cpu)
            case .firstStart, .laterStart: false
            case .gpuPower: infers(on: .gpu) || plan.backgroundLoad > 0
            case .neuralEnginePower: infers(on: .neuralEngine)
            case .lowPowerSpeed: plan.isLowPower
            case .wifiPower, .wifiTailPower, .wifiTail: plan.link == .wifi
            case .cellularPower, .cellularTailPower, .cellularTail: plan.link == .cellular
            case .memoryBudget, .memoryPressure: plan.memory > 0
            default: true
            }
        }
    }
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
