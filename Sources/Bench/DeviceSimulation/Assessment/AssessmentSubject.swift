package import Basics
package import Evaluation

/// A measurement of a run as far as an assessment needs it.
package struct AssessmentSubject: Sendable, Equatable {
    package var name: String
    package var tier: String
    package var readings: [HostReading]
    /// Readings that were given up or failed: later than all others on any device.
    package var unanswered = 0
    /// Number of different spines; nil for one of each reading.
    package var samples: Int?
    package var method = PercentileMethod.nearestRank
    /// The most that its process held here, in MB; nil when that is not known.
    package var memory: Double?
    /// Key in the calibration; nil for a reader without networks.
    package var reader: String?
    /// Plan of its use: the stages that it has, and the link that its requests go over.
    package var plan = SessionPlan()
    /// Targets of its tier for latencies and memory.
    package var targets: [Target] = []
    /// Readings on devices themselves, one recording of a device at most.
    package var recordings: [DeviceRecording] = []
    package var asked: [DeviceMetricValue.Key] = []

    /// Note on time that nothing explains; nil where that is less than a hundredth.
    var unaccountedNote: String? {
        let rest = readings.reduce(0) { $0 + $1.unaccounted }
        let whole = readings.reduce(rest) { $0 + $1.image + $1.detection + $1.recognition + $1.wait }
        guard whole > 0, rest >= whole / 100 else { return nil }
        return
            "\(name): \((100 * rest / whole).rounded(toDigits: 1)) % of its readings' time belongs to no stage and used no "
            + "CPU; it is modelled as equally long on every device, without energy"
    }
}

extension AssessmentSubject {
    package init(name: String, tier: String, readings: [HostReading]) {
        self.init(name: name, tier: tier, readings: readings, unanswered: 0)
    }

    /// Returns the session of the readings on a device at full speed: their cost, and their use.
    ///
    /// `profile` may have a recording, which takes the place of the model; `calibration` is of the host that the
    /// readings were measured on.
    ///
    /// - Returns: a cost for each reading, and the plan on a unit that the device has.
    package func session(
        on profile: DeviceProfile,
        calibration: HostCalibration,
        at bound: Bound
    ) -> (plan: SessionPlan, costs: [ReadingCost]) {
        let model = DeviceModel(self, on: profile, by: DeviceAssessor(calibration: calibration))
        var plan = plan
        plan.unit = model.unit
        plan.gate = plan.gate?.at(bound)
        guard !readings.isEmpty else { return (plan, []) }
        return (plan, model.costs(model.settings[bound]))
    }

    /// Words for a reading whose time is infinite, for ``PercentileEstimate``.
    package static let infinite = "had no answer"
}

/// A figure that an assessment rests on.
package enum AssessedFigure: Sendable, Hashable {
    case device(DeviceFigure)
    case scaling(ScalingFigure)

    /// Key in its file or table: "thermal.skinResistance".
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

    /// Name for people: "skin resistance", "Neural Engine speed".
    package var name: String {
        let words = key.split(separator: ".").filter { $0 != "thermal" }.map { part in
            switch part {
            case "cpu", "gpu", "a15": part.uppercased()
            case "neuralEngine": "Neural Engine"
            case "wifi": "Wi-Fi"
            default: part.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
        }
        return words.joined(separator: " ")
    }

    /// Returns the figures that affect a session, in a fixed order: scaling first, then the device.
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
            case .firstStart, .laterStart: false
            default: hasNetworks && figure.computeUnit == plan.unit
            }
        }
        return scaling.map(AssessedFigure.scaling) + device.map(AssessedFigure.device)
    }
}
