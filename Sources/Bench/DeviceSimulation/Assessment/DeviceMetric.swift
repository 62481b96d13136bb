package import Basics
package import Evaluation
package import ScanningPolicies

/// Modelled figure of a measurement on a device, as a suite's `assert` names it.
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

    /// Name and unit; the unit is empty for counts.
    package var meaning: (name: String, unit: String) {
        switch self {
        case .latencyP50, .latencyP95, .latencyP99, .timeToPreparedP95, .timeToTextP95, .timeToEnrichedP95:
            (latency?.meaning.name ?? rawValue, "ms")
        case .memoryOfBudget: ("peak memory footprint, measured here, of the device's budget", "%")
        case .joulesPerBook: ("energy that reading adds for each book", "J")
        case .readingPerHalfHour: ("battery that reading adds in 30 minutes", "%")
        case .batteryPerMinute: ("battery of the whole phone in a minute", "%")
        case .batteryPerHalfHour: ("battery of the whole phone in 30 minutes", "%")
        case .books: ("books identified in the session", "")
        case .readings: ("readings in the session", "")
        case .skin: ("skin temperature at the end of the session", "°C")
        case .hotSeconds: ("time in the states serious and critical", "s")
        }
    }

    /// Percentile of readings that it is; nil for another figure.
    package var latency: Metric? { Metric.named(rawValue) }
}

/// Conditions of a simulated session that differ from the standard session: 10 minutes with the app's own policies.
package struct SessionConditions: Sendable, Hashable, Codable {
    package var minutes: Double?
    package var thermalPolicy: ThermalPolicy?
    /// Whether the presence gate decides which frames are read.
    package var gate: Bool?
    /// Whether the camera pauses when nothing new is seen.
    package var pause: Bool?
    /// Temperature of the air in °C.
    package var ambient: Double?
    /// Share of frames that show a spine, above 0 and up to 1.
    package var spineShare: Double?

    package init() {}

    /// These conditions, and those of `other` where these have none.
    package func over(_ other: SessionConditions) -> SessionConditions {
        var whole = self
        whole.minutes = minutes ?? other.minutes
        whole.thermalPolicy = thermalPolicy ?? other.thermalPolicy
        whole.gate = gate ?? other.gate
        whole.pause = pause ?? other.pause
        whole.ambient = ambient ?? other.ambient
        whole.spineShare = spineShare ?? other.spineShare
        return whole
    }

    /// "30 min, proactive, 35 °C"; empty for the standard session.
    package var text: String {
        [
            minutes.map { "\(NumberText.short($0)) min" }, thermalPolicy.map { "policy \($0.rawValue)" },
            gate.map { $0 ? "with gate" : "without gate" }, pause.map { $0 ? "with pauses" : "without pauses" },
            ambient.map { "\(NumberText.short($0)) °C" },
            spineShare.map { "\(NumberText.percent($0)) of frames with a spine" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// Changes a standard plan; `rates` are those of the presence gate.
    func apply(to plan: inout SessionPlan, rates: SessionPlan.GateRates?) {
        if let minutes { plan.seconds = minutes * 60 }
        if let thermalPolicy { plan.thermalPolicy = thermalPolicy }
        if let gate { plan.gate = gate ? rates : nil }
        if pause == false { plan.idleLimit = nil }
        if let ambient { plan.ambient = ambient }
        if let spineShare { plan.user = UserScript(spineShare: spineShare) }
    }
}

/// Value of a ``DeviceMetric`` under conditions, at each bound of the device's figures.
package struct DeviceMetricValue: Sendable, Equatable, Codable {
    package struct Key: Sendable, Hashable, Codable {
        package var metric: DeviceMetric
        package var conditions: SessionConditions

        package init(_ metric: DeviceMetric, _ conditions: SessionConditions) {
            (self.metric, self.conditions) = (metric, conditions)
        }
    }

    package var key: Key
    package var values: Plausible<Figure>
    /// Bounds of a percentile's estimate; nil for other figures, and with too few readings.
    package var intervals: Plausible<ClosedRange<Double>>?
    /// True when the figure exceeds any limit: a percentile that is a reading without an answer, energy that found no book.
    package var isEndless = false
}

extension DeviceModel {
    /// Values of the figures that the subject's assertions ask for; sessions of equal conditions are simulated once.
    ///
    /// - Throws: ``SessionError`` when a figure of the plan or the device is out of its range.
    func asked(_ settings: Plausible<Setting>, _ costs: Plausible<[ReadingCost]>) throws -> [DeviceMetricValue]? {
        guard !subject.asked.isEmpty else { return nil }
        var sessions: [SessionConditions: Plausible<SessionOutcome>] = [:]
        return try subject.asked.compactMap { key in
            if let metric = key.metric.latency { return latency(key, metric, settings, costs) }
            if key.metric == .memoryOfBudget {
                return DeviceMetricValue(
                    key: key,
                    values: settings.map { setting in
                        subject.memory.map { .value(100 * $0 / setting.values[.memoryBudget]) }
                            ?? .absent("memory was not measured")
                    }
                )
            }
            if key.conditions.gate == true, gate == nil {
                return DeviceMetricValue(
                    key: key,
                    values: Plausible { _ in .absent("the presence gate was not measured") }
                )
            }
            let session = try sessions[key.conditions] ?? self.session(key.conditions, settings, costs)
            sessions[key.conditions] = session
            return DeviceMetricValue(
                key: key,
                values: session.map { Self.value(key.metric, $0) },
                isEndless: key.metric == .joulesPerBook && session.nominal.books == 0
            )
        }
    }

    private func session(
        _ conditions: SessionConditions,
        _ settings: Plausible<Setting>,
        _ costs: Plausible<[ReadingCost]>
    ) throws -> Plausible<SessionOutcome> {
        try Plausible { bound in
            var plan = plan(minutes: minutes.short, at: bound)
            conditions.apply(to: &plan, rates: gate?.at(bound))
            return try SessionSimulator(plan: plan, values: settings[bound].values, costs: costs[bound]).run(seed: seed)
        }
    }

    private static func value(_ metric: DeviceMetric, _ session: SessionOutcome) -> Figure {
        switch metric {
        case .joulesPerBook: session.joulesPerBook.map { .value($0) } ?? .absent("no book was identified")
        case .readingPerHalfHour: .value(session.readingPercentPerHalfHour)
        case .batteryPerMinute: .value(session.percentPerMinute)
        case .batteryPerHalfHour: .value(session.percentPerHalfHour)
        case .books: .value(Double(session.books))
        case .readings: .value(Double(session.counts.read))
        case .skin: .value(session.skin)
        case .hotSeconds: .value(session.stateSeconds.serious + session.stateSeconds.critical)
        default: .absent("not a figure of a session")
        }
    }

    private func latency(
        _ key: DeviceMetricValue.Key,
        _ metric: Metric,
        _ settings: Plausible<Setting>,
        _ costs: Plausible<[ReadingCost]>
    ) -> DeviceMetricValue? {
        guard let times = milliseconds(until: metric, costs, settings) else { return nil }
        let estimates = times.map { estimate(metric.percent ?? 50, of: $0) }
        let ranges = estimates.map { estimate in
            estimate.lower.value.flatMap { low in estimate.upper.value.map { low...max(low, $0) } }
        }
        return DeviceMetricValue(
            key: key,
            values: estimates.map(\.value),
            intervals: Plausible(all: ranges),
            isEndless: estimates.nominal.count > 0 && estimates.nominal.point.value == nil
        )
    }
}
