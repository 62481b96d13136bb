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

    /// Meaning of a figure: its unit, its range, and the worse direction for latency, heat and battery.
    package struct Meaning: Sendable {
        package var text: String
        /// Unit; empty for a factor or a share.
        package var unit: String
        package var range: ClosedRange<Double>
        package var adverse: Estimate.Side
    }

    package var meaning: Meaning {
        func meaning(_ text: String, _ unit: String, _ range: ClosedRange<Double>, _ adverse: Estimate.Side) -> Meaning
        {
            Meaning(text: text, unit: unit, range: range, adverse: adverse)
        }
        return switch self {
        case .batteryCapacity: meaning("Energy of a new battery.", "Wh", 1...60, .low)
        case .batteryHealth: meaning("Battery health, as a share of the new battery's energy.", "", 0.5...1, .low)
        case .cpuSpeed: meaning("CPU speed of one thread, relative to an A15.", "", 0.05...10, .low)
        case .gpuSpeed: meaning("GPU speed, relative to an A15 with five cores.", "", 0.05...20, .low)
        case .neuralEngineSpeed: meaning("Neural Engine speed, relative to an A15.", "", 0.05...20, .low)
        case .lowPowerSpeed: meaning("All speeds in Low Power Mode, relative to normal mode.", "", 0.1...1, .low)
        case .basePower:
            meaning("Power of the idle system with the screen on, without the display.", "W", 0...5, .high)
        case .displayPower: meaning("Power of the display at 300 nit.", "W", 0...6, .high)
        case .cameraPower: meaning("Power of sensor and image processor during a preview.", "W", 0...5, .high)
        case .cpuPower: meaning("Power of the CPU with one busy thread.", "W", 0.05...15, .high)
        case .gpuPower: meaning("Power of the busy GPU.", "W", 0.05...20, .high)
        case .neuralEnginePower: meaning("Power of the busy Neural Engine.", "W", 0.01...15, .high)
        case .wifiPower: meaning("Power of Wi-Fi while sending or receiving.", "W", 0...5, .high)
        case .wifiTailPower: meaning("Power of Wi-Fi after a transfer, until it sleeps.", "W", 0...5, .high)
        case .wifiTail: meaning("Time until Wi-Fi sleeps.", "s", 0...30, .high)
        case .cellularPower: meaning("Power of the modem while sending or receiving.", "W", 0...8, .high)
        case .cellularTailPower: meaning("Power of the modem after a transfer, until it sleeps.", "W", 0...5, .high)
        case .cellularTail: meaning("Time until the modem sleeps.", "s", 0...60, .high)
        case .chipCapacity: meaning("Heat capacity of the chip.", "J/K", 0.01...100, .low)
        case .chipResistance: meaning("Thermal resistance from the chip to the skin.", "K/W", 0.05...50, .high)
        case .skinCapacity:
            meaning("Heat capacity of skin, battery and frame.", "J/K", 1...1000, .low)
        case .skinResistance: meaning("Thermal resistance from the skin to the air.", "K/W", 0.5...50, .high)
        case .fairAt: meaning("Skin temperature from which the state is fair.", "°C", 25...80, .low)
        case .seriousAt: meaning("Skin temperature from which the state is serious.", "°C", 25...80, .low)
        case .criticalAt: meaning("Skin temperature from which the state is critical.", "°C", 25...80, .low)
        case .hysteresis: meaning("Hysteresis: a state ends this far below its start temperature.", "K", 0...10, .high)
        case .fairSpeed: meaning("All speeds in the state fair, relative to nominal.", "", 0.05...1, .low)
        case .seriousSpeed: meaning("All speeds in the state serious.", "", 0.05...1, .low)
        case .criticalSpeed: meaning("All speeds in the state critical.", "", 0.05...1, .low)
        case .throttlePowerExponent:
            meaning("Exponent of a compute unit's power over its speed.", "", 1...3, .low)
        case .memoryBudget:
            meaning("Memory limit of an app, above which models are unloaded and reloaded.", "MB", 50...20_000, .low)
        case .memoryPressure: meaning("Slow-down of inference above that limit.", "", 1...20, .high)
        }
    }
}

/// Position of all figures of a model in their ranges.
package enum Bound: String, Sendable, Codable, CaseIterable {
    /// Each figure on the better side for latency, heat and battery.
    case favourable
    case nominal
    case adverse

    /// Returns the side of a figure whose worse one is `adverse`.
    func side(adverse: Estimate.Side) -> Estimate.Side {
        switch self {
        case .nominal: .nominal
        case .adverse: adverse
        case .favourable: adverse == .low ? .high : .low
        }
    }
}

extension DeviceProfile {
    package func values(at bound: Bound) -> DeviceValues {
        DeviceValues(figures.reduce(into: [:]) { $0[$1.key] = $1.value[bound.side(adverse: $1.key.meaning.adverse)] })
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

    /// Selector of one of the three figures.
    package enum Side: String, Sendable, Codable, CaseIterable {
        case low, nominal, high
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

    package subscript(side: Side) -> Double {
        switch side {
        case .low: low
        case .nominal: value
        case .high: high
        }
    }
}
