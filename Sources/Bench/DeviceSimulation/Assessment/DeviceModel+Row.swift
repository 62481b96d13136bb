import Basics
import Evaluation
import ScanningPolicies

extension DeviceModel {
    /// Returns the row of the measurement on the device.
    ///
    /// - Throws: ``SessionError`` when a figure of the plan or the device is out of its range.
    ///
    /// `modelled`: The same without the recording that took the place of the model.
    func row(beside modelled: DeviceModel?) throws -> DeviceRow {
        let settings = settings
        let costs = settings.map(costs)
        func sessions(_ minutes: Double, pointsEvery: Int? = nil) throws -> Plausible<SessionOutcome> {
            try Plausible {
                let points = $0 == .nominal ? pointsEvery : nil
                return try session(minutes: minutes, costs[$0], settings[$0].values, at: $0, pointsEvery: points)
            }
        }
        let whole = milliseconds(until: .latencyP95, costs, settings) ?? Plausible { _ in [] }
        let (ten, half) = (try sessions(minutes.short), try sessions(minutes.long, pointsEvery: 20))
        let tries = try uncertain.map { try SensitivityProbe($0.figure, $0.estimate, of: self) }
        let reference = SessionSummary(ten.nominal)
        let nominalP95 = Percentile.finite(95, of: whole.nominal, subject.method)
        return DeviceRow(
            measurement: subject.name,
            tier: subject.tier,
            device: profile.name,
            chip: profile.chip,
            unit: unit,
            link: subject.plan.link,
            evidence: recording?.evidence ?? .modelled,
            latency: latency(settings),
            recording: recording,
            modelled: recording.flatMap { _ in modelled?.latency(settings) },
            memory: subject.memory,
            memoryBudget: profile.figures[.memoryBudget] ?? Estimate(0, low: 0, high: 0, source: "", kind: .assumed),
            tenMinutes: ten.map(SessionSummary.init),
            halfHour: half.map(SessionSummary.init),
            timeline: half.nominal.timeline,
            minutes: half.nominal.minutes,
            requirements: latencies(beside: modelled) + starts(whole, settings) + memory
                + (try batteries(ten, half, tries)),
            sensitivity: tries.map(\.sensitivity).sorted {
                ($1.weight(beside: nominalP95, reference), $0.key) < ($0.weight(beside: nominalP95, reference), $1.key)
            },
            asked: try asked(settings, costs)
        )
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
        func sorted(_ setting: Setting) -> [Double]? {
            milliseconds(until: target.metric, costs(setting), setting.values)
        }
        guard target.category == nil, let percent = target.metric.percent,
            let times = Plausible(all: settings.map(sorted))
        else { return nil }
        func single(_ figure: AssessedFigure, _ side: Estimate.Side) -> Double? {
            sorted(setting(changing: figure, to: side)).flatMap { Percentile.finite(percent, of: $0, subject.method) }
        }
        var row = requirement(
            .latency(target.metric),
            source: target.source,
            target.comparator,
            target.limit,
            times.map { estimate(percent, of: $0).value },
            gates: target.gates,
            singles: uncertain.map { ($0.figure.name, single($0.figure, .low), single($0.figure, .high)) }
        )
        row.machine = target.machine
        // A percentile that is itself a timeout misses any limit.
        if Percentile.finite(percent, of: times.nominal, subject.method) == nil { row.outcome = .failsAlways }
        return row
    }

    /// Requirements of a start, which do not gate: no figure of them was measured on the device.
    private func starts(_ whole: Plausible<[Double]>, _ settings: Plausible<Setting>) -> [DeviceRequirement] {
        guard scaling.work != nil, unit == .neuralEngine else { return [] }
        return [ScalingFigure.firstStart, .laterStart].map { figure in
            func milliseconds(_ setting: Setting, _ sorted: [Double]) -> Double? {
                let load = (setting.numbers[figure] ?? .nan) / setting.values[.cpuSpeed]
                return Percentile.finite(50, of: sorted, subject.method).map { $0 + load }
            }
            func single(_ side: Estimate.Side) -> Double? {
                milliseconds(setting(changing: .scaling(figure), to: side), whole.nominal)
            }
            return requirement(
                .firstText(isFirstStart: figure == .firstStart),
                source: "E-14",
                .below,
                DeviceRequirement.mostToFirstText,
                Plausible { milliseconds(settings[$0], whole[$0]).map { .value($0) } ?? .absent("no reading") },
                gates: false,
                singles: [(AssessedFigure.scaling(figure).name, single(.low), single(.high))]
            )
        }
    }

    /// Requirement of memory as it was measured on the host: the model has nothing to add to it.
    private var memory: [DeviceRequirement] {
        subject.targets.compactMap { target in
            guard [.peakFootprint, .peakMemory].contains(target.metric) else { return nil }
            let figure: Figure = subject.memory.map { .value($0) } ?? .absent("not measured")
            return requirement(
                .memory,
                source: target.source,
                target.comparator,
                target.limit / 1e6,
                Plausible { _ in figure },
                gates: target.gates,
                singles: []
            )
        }
    }

    /// Returns battery rows: the share of reading in a session, which gates, and that of the whole phone, which does
    /// not.
    ///
    /// Base, display and camera take most of the latter before anything is read. The seed's formula never gates (K-4).
    private func batteries(
        _ ten: Plausible<SessionOutcome>,
        _ half: Plausible<SessionOutcome>,
        _ tries: [SensitivityProbe]
    ) throws -> [DeviceRequirement] {
        func row(
            _ subject: DeviceRequirement.Subject,
            _ source: String,
            below limit: Double,
            in sessions: Plausible<SessionOutcome>,
            gatesOver minutes: Double? = nil
        ) throws -> DeviceRequirement {
            var values = sessions.map { subject.value(of: SessionSummary($0)) }
            // One figure alone is tried over ten minutes; half an hour changes as they do.
            let short = subject.value(of: SessionSummary(ten.nominal)) ?? 0
            let growth = (values.nominal ?? 0) / max(short, 1e-12)
            let singles = tries.map { $0.single { subject.value(of: $0.summary).map { $0 * growth } } }
            // A device whose figures are all bad stops reading before it has used much: each figure's bad side of
            // this row counts too.
            if let minutes {
                let setting = worst(of: tries) { subject.value(of: $0.summary) }
                let session = try session(minutes: minutes, costs(setting), setting.values)
                let most = [subject.value(of: SessionSummary(session))] + singles.flatMap { [$0.low, $0.high] }
                values.adverse = ([values.adverse] + most).compactMap(\.self).max()
            }
            return requirement(
                subject,
                source: source,
                .below,
                limit,
                values.map { $0.map { .value($0) } ?? .absent("no books read") },
                gates: minutes != nil,
                singles: singles
            )
        }
        let mostJoules = DeviceRequirement.mostJoulesPerBook
        var perBook = try row(.joulesPerBook, "E-01", below: mostJoules, in: ten, gatesOver: minutes.short)
        // Energy without any book is above any limit.
        if ten.nominal.books == 0 { perBook.outcome = .failsAlways }
        var seedMinute = try row(.percentPerMinute(.energy), "S0-B01", below: 5, in: ten)
        let maximum = Plausible { EnergyUse.mostPercentOfMinute(on: profile.values(at: $0)) }
        if max(maximum.nominal, maximum.adverse) < seedMinute.limit {
            seedMinute.outcome = .cannotBeMissed(maximum: maximum.nominal, worst: maximum.adverse)
        }
        let limit = ModelBudget().batteryPercentPer30Minutes
        return [
            perBook, try row(.readingPerHalfHour, "S3-06", below: limit, in: half, gatesOver: minutes.long),
            try row(.percentPerHalfHour(.energy), "S3-06", below: limit, in: half), seedMinute,
            try row(.percentPerMinute(.seed), "S0-B01", below: 5, in: ten),
            try row(.percentPerHalfHour(.seed), "S3-06", below: limit, in: half),
        ]
    }

    /// Returns the setting in which each figure is on the side that raises a value, where it alone does.
    private func worst(of tries: [SensitivityProbe], _ value: (SensitivityProbe.Side) -> Double?) -> Setting {
        var (device, scaling) = ([DeviceFigure: Estimate.Side](), [ScalingFigure: Estimate.Side]())
        for one in tries {
            guard let low = value(one.low), let high = value(one.high), low != high else { continue }
            let side: Estimate.Side = high > low ? .high : .low
            switch one.figure {
            case .device(let figure): device[figure] = side
            case .scaling(let figure): scaling[figure] = side
            }
        }
        return Setting(numbers: self.scaling.numbers(changing: scaling), values: profile.values(changing: device))
    }

    private func requirement(
        _ subject: DeviceRequirement.Subject,
        source: String,
        _ comparator: Target.Comparator,
        _ limit: Double,
        _ figures: Plausible<Figure>,
        gates: Bool,
        singles: [(name: String, low: Double?, high: Double?)]
    ) -> DeviceRequirement {
        var row = DeviceRequirement(
            source: source,
            subject: subject,
            comparator: comparator,
            limit: limit,
            figures: figures.ordered(by: comparator),
            outcome: .undecided(reason: figures.nominal.reason ?? "no figure"),
            gates: gates
        )
        if let isMet = Plausible(all: figures.map(\.value))?.map(row.isMet) {
            row.outcome = PlausibleOutcome(
                isMet,
                singles: singles.map { ($0.name, $0.low.map(row.isMet), $0.high.map(row.isMet)) }
            )
        }
        return row
    }
}

extension Plausible<Figure> {
    /// Returns the three with the best as the favourable one, and the worst as the adverse one; unchanged when one is
    /// absent.
    fileprivate func ordered(by comparator: Target.Comparator) -> Plausible<Figure> {
        guard let range = Plausible<Double>(all: map(\.value))?.range else { return self }
        let (low, high) = (Figure.value(range.lowerBound), Figure.value(range.upperBound))
        return comparator.isLowerBound
            ? Plausible(nominal: nominal, favourable: high, adverse: low)
            : Plausible(nominal: nominal, favourable: low, adverse: high)
    }
}

extension DeviceModel {
    /// Probe of one figure on its low and on its high side, the others nominal.
    fileprivate struct SensitivityProbe {
        struct Side {
            var summary: SessionSummary
            var effect: DeviceRow.Sensitivity.Effect

            init(_ setting: Setting, value: Double, of model: DeviceModel) throws {
                let costs = model.costs(setting)
                let sorted = model.milliseconds(until: .latencyP95, costs, setting.values)
                summary = SessionSummary(try model.session(minutes: model.minutes.short, costs, setting.values))
                effect = DeviceRow.Sensitivity.Effect(
                    value: value,
                    p95: sorted.flatMap { Percentile.finite(95, of: $0, model.subject.method) },
                    percentPerMinute: summary.percentPerMinute(.energy) ?? 0,
                    skin: summary.skin
                )
            }
        }

        var figure: AssessedFigure
        var estimate: Estimate
        var low: Side
        var high: Side

        init(_ figure: AssessedFigure, _ estimate: Estimate, of model: DeviceModel) throws {
            (self.figure, self.estimate) = (figure, estimate)
            low = try Side(model.setting(changing: figure, to: .low), value: estimate.low, of: model)
            high = try Side(model.setting(changing: figure, to: .high), value: estimate.high, of: model)
        }

        func single(_ value: (Side) -> Double?) -> (name: String, low: Double?, high: Double?) {
            (figure.name, value(low), value(high))
        }

        var sensitivity: DeviceRow.Sensitivity {
            DeviceRow.Sensitivity(
                key: figure.key,
                name: figure.name,
                unit: figure.unit,
                kind: estimate.kind,
                low: low.effect,
                high: high.effect
            )
        }
    }
}

extension DeviceRow.Sensitivity {
    /// Returns the largest share by which it changes latency, battery or the skin's excess over 20 °C.
    fileprivate func weight(beside p95: Double?, _ session: SessionSummary) -> Double {
        func share(_ value: (Effect) -> Double?, of nominal: Double?) -> Double {
            guard let nominal, nominal > 0, let low = value(low), let high = value(high) else { return 0 }
            return abs(high - low) / nominal
        }
        return max(
            share(\.p95, of: p95),
            share(\.percentPerMinute, of: session.percentPerMinute(.energy)),
            share({ $0.skin }, of: session.skin - 20)
        )
    }
}

extension Percentile {
    /// Returns a percentile of sorted values; nil without any, and when it is infinite.
    fileprivate static func finite(_ percent: Int, of sorted: [Double], _ method: PercentileMethod) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let value = value(percent, of: sorted, method: method)
        return value.isFinite ? value : nil
    }
}
