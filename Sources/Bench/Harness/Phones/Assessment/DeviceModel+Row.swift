import Basics
import Evaluation
import ScanningPolicies

extension DeviceModel {
    /// Returns the row of the measurement on the device; `modelled`: the same without the recording that took the place
    /// of the model.
    ///
    /// - Throws: ``HarnessError`` when a figure of the plan or the device is out of its range.
    func row(beside modelled: DeviceModel?) throws(HarnessError) -> DeviceRow {
        var long = SessionConditions()
        long.minutes = minutes.long
        let (ten, half) = (try sessions(.init()), try sessions(long))
        let detail = try Session(plan(long), settings[0], costs: costs[0]).run(pointsEvery: 20)
        let p95 = estimates(.latencyP95).map { latency(.latencyP95, $0, isClaimed: false).draws } ?? []
        let outcomes = [p95, Drawn(ten) { $0.percentPerMinute }.draws, Drawn(ten) { $0.skin }.draws]
            .map { $0.isEmpty ? draws.uncertain.map { _ in nil } : draws.correlations(with: $0) }
        return DeviceRow(
            measurement: subject.name,
            tier: subject.tier,
            device: profile.name,
            chip: profile.chip,
            unit: unit,
            link: subject.plan.link,
            evidence: recording?.evidence ?? .modelled,
            latency: wholeReadings,
            recording: recording,
            modelled: recording.flatMap { _ in modelled?.wholeReadings },
            memory: subject.memory,
            tenMinutes: DeviceRow.Session(ten),
            halfHour: DeviceRow.Session(half, detail: detail),
            requirements: latencies(beside: modelled) + starts + memory + batteries(ten, half),
            sensitivity: draws.uncertain.enumerated().map { place, figure in
                DeviceRow.Sensitivity(
                    key: figure.figure.key,
                    name: figure.figure.name,
                    unit: figure.figure.unit,
                    kind: figure.estimate.kind,
                    low: figure.estimate.low,
                    high: figure.estimate.high,
                    p95: outcomes[0][place],
                    battery: outcomes[1][place],
                    skin: outcomes[2][place]
                )
            }.sorted { ($1.most, $0.key) < ($0.most, $1.key) },
            asked: try asked(standard: ten)
        )
    }

    private var wholeReadings: DeviceRow.Latency {
        func spread(_ metric: Metric) -> Spread {
            estimates(metric).map { latency(metric, $0).spread } ?? Spread(nominal: .absent("no reading"))
        }
        return DeviceRow.Latency(p50: spread(.latencyP50), p95: spread(.latencyP95), p99: spread(.latencyP99))
    }

    // MARK: Requirements

    /// The model has the place of a recording that a target does not admit.
    private func latencies(beside modelled: DeviceModel?) -> [DeviceRequirement] {
        subject.targets.compactMap { target in
            guard let recording, let modelled, !target.admits(recording.evidence) else { return latency(target) }
            var row = modelled.latency(target)
            row?.evidence = .modelled
            return row
        }
    }

    private func latency(_ target: Target) -> DeviceRequirement? {
        guard target.category == nil, let estimates = estimates(target.metric) else { return nil }
        var row = DeviceRequirement(
            .latency(target.metric),
            source: target.source,
            target.comparator,
            target.limit,
            latency(target.metric, estimates),
            gates: target.gates,
            deciding: draws.mostDeciding
        )
        row.machine = target.machine
        return row
    }

    /// Requirements of a start, which do not gate: no figure of them was measured on the device.
    private var starts: [DeviceRequirement] {
        guard scaling.work != nil, unit == .neuralEngine, let readings = estimates(.latencyP50) else { return [] }
        return [ScalingFigure.firstStart, .laterStart].map { figure in
            let times = zip(settings, readings).map { setting, reading in
                reading.point.value.map { $0 + (setting.scaling[figure] ?? .nan) / setting.values[.cpuSpeed] }
            }
            return DeviceRequirement(
                .firstText(isFirstStart: figure == .firstStart),
                source: "E-14",
                .below,
                DeviceRequirement.mostToFirstText,
                Drawn(nominal: times[0].map { .value($0) } ?? .absent("no reading"), draws: Array(times.dropFirst())),
                gates: false
            ) { _ in AssessedFigure.scaling(figure).name }
        }
    }

    /// Requirement of memory as it was measured on the host: the model has nothing to add to it.
    private var memory: [DeviceRequirement] {
        subject.targets.compactMap { target in
            guard [.peakFootprint, .peakMemory].contains(target.metric) else { return nil }
            return DeviceRequirement(
                .memory,
                source: target.source,
                target.comparator,
                target.limit / 1e6,
                subject.memory.map { Drawn(nominal: .value($0), draws: [$0]) } ?? Drawn(absent: "not measured"),
                gates: target.gates
            ) { _ in nil }
        }
    }

    /// Returns battery rows: the share of reading in a session, which gates, and that of the whole phone, which does
    /// not.
    ///
    /// Base, display and camera take most of the latter before anything is read. The seed's formula never gates (K-4).
    private func batteries(_ ten: [SessionResult], _ half: [SessionResult]) -> [DeviceRequirement] {
        func row(
            _ subject: DeviceRequirement.Subject,
            _ source: String,
            below limit: Double,
            of sessions: [SessionResult],
            gates: Bool = false,
            _ value: (SessionResult) -> Double?
        ) -> DeviceRequirement {
            DeviceRequirement(
                subject,
                source: source,
                .below,
                limit,
                Drawn(sessions, value),
                gates: gates,
                deciding: draws.mostDeciding
            )
        }
        var minute = row(.percentPerMinute(.energy), "S0-B01", below: 5, of: ten) { $0.percentPerMinute }
        let most = settings.map { EnergyUse.mostPercentOfMinute(on: $0.values) }
        if let worst = most.max(), worst < minute.limit {
            minute.outcome = .cannotBeMissed(maximum: most[0], worst: worst)
        }
        let limit = ModelBudget().batteryPercentPer30Minutes
        let book = DeviceRequirement.mostJoulesPerBook
        return [
            row(.joulesPerBook, "E-01", below: book, of: ten, gates: true) { $0.joulesPerBook },
            row(.readingPerHalfHour, "S3-06", below: limit, of: half, gates: true) { $0.readingPercentPerHalfHour },
            row(.percentPerHalfHour(.energy), "S3-06", below: limit, of: half) { $0.percentPerMinute * 30 },
            minute,
            row(.percentPerMinute(.seed), "S0-B01", below: 5, of: ten) { $0.seedPercentPerMinute },
            row(.percentPerHalfHour(.seed), "S3-06", below: limit, of: half) { $0.seedPercentPerMinute * 30 },
        ]
    }

    // MARK: Assertions

    /// Returns the figures that the subject's assertions ask for; sessions of equal conditions are simulated once.
    private func asked(standard: [SessionResult]) throws(HarnessError) -> [DeviceMetricValue]? {
        guard !subject.asked.isEmpty else { return nil }
        var sessions = [SessionConditions(): standard]
        var values: [DeviceMetricValue] = []
        for key in subject.asked {
            if let metric = key.metric.latency {
                guard let estimates = estimates(metric) else { continue }
                var value = DeviceMetricValue(key: key, figure: latency(metric, estimates))
                value.lower = estimates.dropFirst().map(\.lower.value)
                value.upper = estimates.dropFirst().map(\.upper.value)
                values.append(value)
            } else if key.metric == .memoryOfBudget {
                let shares = subject.memory.map { memory in settings.map { 100 * memory / $0.values[.memoryBudget] } }
                let figure = shares.map { Drawn(nominal: .value($0[0]), draws: Array($0.dropFirst())) }
                values.append(.init(key: key, figure: figure ?? Drawn(absent: "memory was not measured")))
            } else if key.conditions.gate == true, gate == nil {
                values.append(.init(key: key, figure: Drawn(absent: "the presence gate was not measured")))
            } else {
                let known = sessions[key.conditions]
                let own = if let known { known } else { try self.sessions(key.conditions) }
                sessions[key.conditions] = own
                values.append(.init(key: key, figure: Drawn(own, key.metric.value)))
            }
        }
        return values
    }
}
