/// A figure that an assessment rests on.
package enum AssessedFigure: Sendable, Hashable {
    case device(DeviceFigure)
    case scaling(ScalingFigure)

    /// As its file or table has it: "thermal.skinResistance".
    package var key: String {
        switch self {
        case .device(let figure): figure.rawValue
        case .scaling(let figure): figure.rawValue
        }
    }

    package var unit: String {
        switch self {
        case .device(let figure): figure.meaning.unit
        case .scaling(let figure): figure.unit
        }
    }

    /// For people: "skin resistance", "Neural Engine speed".
    package var name: String {
        let words = key.split(separator: ".").filter { $0 != "thermal" }.map { part in
            switch part {
            case "cpu", "gpu", "a15": part.uppercased()
            case "neuralEngine": "Neural Engine"
            case "wifi": "Wi-Fi"
            default:
                part.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
        }
        return words.joined(separator: " ")
    }

    /// Those that matter to a session, in a fixed order.
    ///
    /// - Parameters:
    ///   - plan: of the session.
    ///   - hasNetworks: whether the reader has networks.
    /// - Returns: scaling first, then the device.
    static func all(for plan: SessionPlan, hasNetworks: Bool) -> [AssessedFigure] {
        let device = DeviceFigure.allCases.filter { figure in
            switch figure {
            case .gpuSpeed: plan.unit == .gpu && hasNetworks
            case .gpuPower: plan.unit == .gpu && hasNetworks || plan.backgroundLoad > 0
            case .neuralEngineSpeed, .neuralEnginePower: plan.unit == .neuralEngine && hasNetworks
            case .lowPowerSpeed: plan.isLowPower
            case .wifiPower, .wifiTailPower, .wifiTail: plan.link == .wifi
            case .cellularPower, .cellularTailPower, .cellularTail: plan.link == .cellular
            case .memoryBudget, .memoryPressure: plan.memory > 0
            default: true
            }
        }
        let scaling = ScalingFigure.allCases.filter { figure in
            switch figure {
            case .image, .hostImage: true
            case .hostDetection, .hostRecognition: hasNetworks
            default: hasNetworks && figure.computeUnit == plan.unit
            }
        }
        return scaling.map(AssessedFigure.scaling) + device.map(AssessedFigure.device)
    }
}
