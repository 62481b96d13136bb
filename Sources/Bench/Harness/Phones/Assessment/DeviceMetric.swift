import Basics
package import Evaluation
package import ScanningPolicies

/// Modelled figure of a measurement on a device.
package enum DeviceMetric: String, Sendable, Codable, CaseIterable {
    case latencyP50 = "latency-p50"
    case latencyP95 = "latency-p95"
    case latencyP99 = "latency-p99"
    case timeToPreparedP95 = "time-to-prepared-p95"
    case timeToTextP95 = "time-to-text-p95"
    case timeToEnrichedP95 = "time-to-enriched-p95"
    case memoryOfBudget = "memory-of-budget"
    case joulesPerBook = "joules-per-book"
    case readingPerHalfHour = "reading-per-half-hour"
    case batteryPerMinute = "battery-per-minute"
    case batteryPerHalfHour = "battery-per-half-hour"
    case books, readings
    case skin
    case hotSeconds = "hot-seconds"
    /// Time to load the networks and read once: after an install, and in later starts.
    case firstStart = "first-start"
    case laterStart = "later-start"
    /// By the formula of the project documents, which contradicts its own targets (K-4); it never gates.
    case seedPerMinute = "seed-per-minute"
    case seedPerHalfHour = "seed-per-half-hour"

    /// Those that a suite's `assert` may name.
    package static let allCases: [Self] = [
        .latencyP50, .latencyP95, .latencyP99, .timeToPreparedP95, .timeToTextP95, .timeToEnrichedP95, .memoryOfBudget,
        .joulesPerBook, .readingPerHalfHour, .batteryPerMinute, .batteryPerHalfHour, .books, .readings, .skin,
        .hotSeconds,
    ]

    /// Name, name in the table of what each phone is asked, and unit, which is empty for counts.
    package var meaning: (name: String, short: String, unit: String) {
        switch self {
        case .latencyP50, .latencyP95, .latencyP99, .timeToPreparedP95, .timeToTextP95, .timeToEnrichedP95:
            (latency?.name ?? rawValue, "", "ms")
        case .memoryOfBudget: ("peak memory footprint, measured here, of the device's budget", "", "%")
        case .joulesPerBook: ("energy that reading adds for each book", "energy of reading, a book", "J")
        case .readingPerHalfHour: ("battery that reading adds in 30 minutes", "battery of reading in 30 min", "%")
        case .batteryPerMinute: ("battery of the whole phone in a minute", "battery of the whole phone, a minute", "%")
        case .batteryPerHalfHour:
            ("battery of the whole phone in 30 minutes", "battery of the whole phone in 30 min", "%")
        case .books: ("books identified in the session", "", "")
        case .readings: ("readings in the session", "", "")
        case .skin: ("skin temperature at the end of the session", "", "°C")
        case .hotSeconds: ("time in the states serious and critical", "", "s")
        case .firstStart: ("", "first text, first start after an install", "ms")
        case .laterStart: ("", "first text, later starts", "ms")
        case .seedPerMinute: ("", "battery of reading a minute, by the seed's formula", "%")
        case .seedPerHalfHour: ("", "battery of reading in 30 min, by the seed's formula", "%")
        }
    }

    /// Percentile of readings that it is; nil for another figure.
    package var latency: Metric? { Metric.named(rawValue) }

    /// Returns the figure of a session; nil for energy that found no book.
    func value(of session: SessionResult) -> Double? {
        switch self {
        case .joulesPerBook: session.joulesPerBook
        case .readingPerHalfHour: session.readingPercentPerHalfHour
        case .batteryPerMinute: session.percentPerMinute
        case .batteryPerHalfHour: session.percentPerMinute * 30
        case .seedPerMinute: session.seedPercentPerMinute
        case .seedPerHalfHour: session.seedPercentPerMinute * 30
        case .books: session.books
        case .readings: session.readings
        case .skin: session.skin
        case .hotSeconds: session.stateSeconds.suffix(2).reduce(0, +)
        default: nil
        }
    }

    /// Returns a value with its unit.
    package func text(_ value: Double) -> String {
        switch meaning.unit {
        case "ms": NumberText.milliseconds(value)
        case "": NumberText.fixed(value, 0)
        case let unit:
            NumberText.fixed(value, [.joulesPerBook, .batteryPerMinute, .seedPerMinute].contains(self) ? 2 : 1) + " "
                + unit
        }
    }

    /// Returns a limit without superfluous digits.
    package func limit(_ value: Double) -> String {
        NumberText.short(value) + (meaning.unit.isEmpty ? "" : " " + meaning.unit)
    }
}

/// Conditions of a simulated session that differ from the standard session: 10 minutes with the app's own policies.
package struct SessionConditions: Sendable, Hashable, Codable {
    package var minutes: Double?
    package var thermalPolicy: ThermalPolicy?
    /// Whether the camera pauses when nothing new is seen.
    package var pause: Bool?
    /// Temperature of the air in °C.
    package var ambient: Double?
    /// Share of frames that show a spine, above 0 and up to 1.
    package var spineShare: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case minutes
        case thermalPolicy = "policy"
        case pause, ambient
        case spineShare = "spine-share"
    }

    package init() {}

    /// These conditions, and those of `other` where these have none.
    package func over(_ other: SessionConditions) -> SessionConditions {
        var whole = self
        whole.minutes = minutes ?? other.minutes
        whole.thermalPolicy = thermalPolicy ?? other.thermalPolicy
        whole.pause = pause ?? other.pause
        whole.ambient = ambient ?? other.ambient
        whole.spineShare = spineShare ?? other.spineShare
        return whole
    }

    /// "30 min, proactive, 35 °C"; empty for the standard session.
    package var text: String {
        [
            minutes.map { "\(NumberText.short($0)) min" }, thermalPolicy.map { "policy \($0.rawValue)" },
            pause.map { $0 ? "with pauses" : "without pauses" },
            ambient.map { "\(NumberText.short($0)) °C" },
            spineShare.map { "\(NumberText.percent($0)) of frames with a spine" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// Changes a standard plan.
    func apply(to plan: inout SessionPlan) {
        if let minutes { plan.seconds = minutes * 60 }
        if let thermalPolicy { plan.thermalPolicy = thermalPolicy }
        if pause == false { plan.idleLimit = nil }
        if let ambient { plan.ambient = ambient }
        if let spineShare { plan.spineShare = spineShare }
    }
}

/// Value of a ``DeviceMetric`` under conditions, at nominal figures and in each draw.
package struct DeviceMetricValue: Sendable, Equatable, Codable {
    package struct Key: Sendable, Hashable, Codable {
        package var metric: DeviceMetric
        package var conditions: SessionConditions

        package init(_ metric: DeviceMetric, _ conditions: SessionConditions) {
            (self.metric, self.conditions) = (metric, conditions)
        }
    }

    package var key: Key
    package var figure: Drawn
    /// Bounds of a percentile's estimate in each draw, nil for one without; nil for other figures.
    package var lower, upper: [Double?]?

    package init(key: Key, figure: Drawn) { (self.key, self.figure) = (key, figure) }
}
