import Basics
import Evaluation
import ScanningPolicies
import Statistics

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
            requirements: targets(beside: modelled) + starts + memory + sessions(ten, half),
            sensitivity: draws.uncertain.enumerated().map { place, figure in
                DeviceRow.Sensitivity(
                    key: figure.figure.rawValue,
                    name: figure.figure.name,
                    unit: figure.figure.meaning.unit,
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

    private func answer(_ claim: Claim, _ figure: Drawn, _ evidence: EvidenceClass, most: String? = nil) -> Answer {
        var answer = Answer(open: claim, subject.name, device: profile.name, because: "")
        answer.take(figure, evidence: evidence) { most ?? draws.mostDeciding($0) }
        return answer
    }

    /// The model has the place of a recording that a target does not admit.
    private func targets(beside modelled: DeviceModel?) -> [Answer] {
        subject.targets.compactMap { target in
            let isAdmitted = recording.map { target.admits($0.evidence) } ?? true
            let model = isAdmitted ? self : modelled ?? self
            guard target.category == nil, let metric = target.metric, let estimates = model.estimates(metric) else {
                return nil
            }
            return model.answer(target, model.latency(metric, estimates), model.recording?.evidence ?? .modelled)
        }
    }

    /// Requirements of a start, which do not gate: no figure of them was measured on the device.
    private var starts: [Answer] {
        guard scaling.work != nil, unit == .neuralEngine, let readings = estimates(.latencyP50) else { return [] }
        return [(DeviceMetric.firstStart, DeviceFigure.firstStart), (.laterStart, .laterStart)].map { metric, figure in
            let times = zip(settings, readings).map { values, reading in
                reading.point.value.map { $0 + values[figure] / values[.cpuSpeed] }
            }
            return answer(
                Claim.ofPhone(metric, "E-14", below: Claim.mostToFirstText),
                Drawn(nominal: times[0].map { .value($0) } ?? .absent("no reading"), draws: Array(times.dropFirst())),
                .modelled,
                most: figure.name
            )
        }
    }

    /// Requirement of memory as it was measured on the host: the model has nothing to add to it.
    private var memory: [Answer] {
        let bytes = subject.memory.map { $0 * 1e6 }
        let figure = bytes.map { Drawn(nominal: .value($0), draws: [$0]) } ?? Drawn(absent: "not measured")
        return subject.targets.filter(\.isOfMemory).map { answer($0, figure, .measured) }
    }

    /// Requirements of sessions: the share of reading gates, and that of the whole phone does not.
    ///
    /// Base, display and camera take most of the latter before anything is read.
    private func sessions(_ ten: [SessionResult], _ half: [SessionResult]) -> [Answer] {
        let percent = ModelBudget.batteryPercentPer30Minutes
        return [
            Claim.ofPhone(.joulesPerBook, "E-01", below: Claim.mostJoulesPerBook, gates: true),
            .ofPhone(.readingPerHalfHour, "S3-06", below: percent, gates: true),
            .ofPhone(.batteryPerHalfHour, "S3-06", below: percent), .ofPhone(.batteryPerMinute, "S0-B01", below: 5),
            .ofPhone(.seedPerMinute, "S0-B01", below: 5), .ofPhone(.seedPerHalfHour, "S3-06", below: percent),
        ].compactMap { claim in
            guard let metric = claim.device else { return nil }
            let isLong = [.readingPerHalfHour, .batteryPerHalfHour, .seedPerHalfHour].contains(metric)
            var row = answer(claim, Drawn(isLong ? half : ten, metric.value), .modelled)
            let most = settings.map(EnergyUse.mostPercentOfMinute)
            if metric == .batteryPerMinute, let worst = most.max(), worst < claim.limit {
                let note =
                    "cannot be missed: the device's maximum is \(NumberText.fixed(most[0], 1)) % "
                    + "(\(NumberText.fixed(worst, 1)) % at most in the draws)"
                (row.judgement, row.share) = (Judgement(.inconclusive, note: note), 1)
            }
            return row
        }
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
                let shares = subject.memory.map { memory in settings.map { 100 * memory / $0[.memoryBudget] } }
                let figure = shares.map { Drawn(nominal: .value($0[0]), draws: Array($0.dropFirst())) }
                values.append(.init(key: key, figure: figure ?? Drawn(absent: "memory was not measured")))
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

extension Claim {
    /// Most time in ms to the first text (S2-20).
    static let mostToFirstText = 500.0

    /// Most energy in J of a book: what Wi-Fi takes to send the picture that reading saves, 2 MB (S0-T04) in 1.6 s at
    /// 10 Mbit/s and the profiles' 1.2 W, rounded up.
    package static let mostJoulesPerBook = 2.0

    /// What each phone is asked, in a session of ten minutes or of half an hour.
    fileprivate static func ofPhone(
        _ metric: DeviceMetric,
        _ source: String,
        below limit: Double,
        gates: Bool = false
    ) -> Claim {
        Claim(source: source, device: metric, comparator: .below, limit: limit, gates: gates)
    }

    /// Whether it is a limit of the memory that phones are judged by.
    var isOfMemory: Bool { metric == .peakFootprint || metric == .peakMemory }
}
