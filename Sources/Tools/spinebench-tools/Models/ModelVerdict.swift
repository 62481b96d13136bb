import Basics
import DeviceSimulation
import Evaluation
import Results
import ScanningPolicies

/// Measurement of a model compared with its limits.
struct ModelVerdict: Sendable, Equatable, Codable {
    /// Figure, and its target if it has one.
    struct Row: Sendable, Equatable, Codable {
        /// Unit of a figure.
        enum Unit: String, Sendable, Codable { case milliseconds, bytes, percent }

        var name: String
        var unit: Unit
        var value: Figure
        /// Bounds of a percentile.
        var percentile: PercentileEstimate?
        /// nil where nothing is asked.
        var target: Target?
        /// nil without a target.
        var judgement: Judgement?
        var evidence: EvidenceClass
        /// Whether the verdict rests on it.
        var gates: Bool
        var note: String

        /// A limit of a figure.
        struct Target: Sendable, Equatable, Codable {
            var comparator: Evaluation.Target.Comparator
            var limit: Double
        }
    }

    /// Battery use of a session, beside the seed's formula.
    struct BatteryPlan: Sendable {
        /// Inferences a second; nil when it works only when it is asked to.
        var hertz: Double?
        var unit: ComputeUnit
        /// nil when there is no profile.
        var device: (name: String, values: DeviceValues)?
        /// Whether the energy model's figures decide: they are modelled, from this machine's time and a phone's
        /// power.
        var gates = false
    }

    var budget: ModelTarget
    var rows: [Row]
    /// nil when nothing gates.
    var verdict: Verdict?
    var alerts: [PerformanceAlert]

    /// Judges a model's measurement.
    ///
    /// `loads`: of new processes, in milliseconds: loading, and the first inference; at least one.
    init(
        _ measurement: ModelMeasurement,
        loads: [(load: Double, first: Double)],
        fileBytes: Int,
        budget: ModelTarget,
        battery: BatteryPlan,
        method: PercentileMethod
    ) {
        self.budget = budget
        let latency = LatencySummary(milliseconds: measurement.milliseconds, timeouts: 0, method: method)
        let memory: Figure =
            measurement.memory.map { .value(Double($0.taken)) } ?? .absent("not reported by the system")
        let count = measurement.milliseconds.count
        let mean = count == 0 ? nil : measurement.milliseconds.reduce(0, +) / Double(count)
        let batteries = Self.batteryRows(battery, mean: mean, budget: budget)
        var rows = [
            Self.row("file size", .bytes, .value(Double(fileBytes)), .atMost, budget.sizeBytes.map(Double.init)),
            Self.row(
                "load, the longest of \(loads.count)",
                .milliseconds,
                .value(loads.map(\.load).max() ?? 0),
                .below,
                budget.loadSeconds * 1_000,
                note: "read and compiled in a new process, nothing cached"
            ),
            Self.row(
                "first answer, the longest of \(loads.count)",
                .milliseconds,
                .value(loads.map { $0.load + $0.first }.max() ?? 0),
                note: "load and first inference"
            ),
        ]
        let limits = [(50, budget.p50Milliseconds), (95, .some(budget.p95Milliseconds)), (99, budget.p99Milliseconds)]
        rows += limits.compactMap { percent, limit in Self.latencyRow(percent, latency, limit, budget) }
        rows += [
            Self.row(
                "memory, at most",
                .bytes,
                memory,
                .atMost,
                Double(budget.memoryBytes),
                note: "the process's peak minus OpenVINO's memory after another network"
            ),
            Self.row(
                "retained memory",
                .bytes,
                measurement.memory.map { .value(Double($0.left)) } ?? .absent("not reported by the system"),
                note: "by \(NumberText.count(count, "inference"))"
            ),
        ]
        rows += batteries
        self.rows = rows
        verdict = Verdict.overall(rows.filter(\.gates).compactMap { $0.judgement?.verdict })
        let metrics = measurement.milliseconds.map {
            InferenceMetrics(
                model: budget.name,
                time: .zero,
                latency: .milliseconds($0),
                memoryBytes: measurement.memory?.taken,
                batteryPercentPer30Minutes: batteries[0].value.value
            )
        }
        let statistics = PerformanceStatistics(of: metrics, target: budget, rule: method)
        alerts = AlertRules().alerts(for: statistics, target: budget, at: .zero)
    }

    private static func row(
        _ name: String,
        _ unit: Row.Unit,
        _ value: Figure,
        _ comparator: Target.Comparator = .atMost,
        _ limit: Double? = nil,
        evidence: EvidenceClass = .measured,
        gates: Bool = true,
        note: String = ""
    ) -> Row {
        let target = limit.map { Row.Target(comparator: comparator, limit: $0) }
        let judgement = target.map { target in
            Judgement.of(value) { target.comparator.isMet(by: $0, limit: target.limit) }
        }
        return Row(
            name: name,
            unit: unit,
            value: value,
            target: target,
            judgement: judgement,
            evidence: evidence,
            gates: gates && target != nil,
            note: note
        )
    }

    /// Returns a latency's row; nil for a percentile without a limit, but for P50.
    private static func latencyRow(
        _ percent: Int,
        _ latency: LatencySummary,
        _ limit: Double?,
        _ budget: ModelTarget
    ) -> Row? {
        guard let estimate = latency.percentile(percent) else { return nil }
        var row = row("P\(percent)", .milliseconds, estimate.value, note: "warm")
        row.percentile = estimate
        guard let limit else { return row }
        let metric: Metric = percent == 50 ? .latencyP50 : percent == 95 ? .latencyP95 : .latencyP99
        let target = Target(source: budget.source, metric: metric, comparator: .below, limit: limit)
        let judgement = latency.judgement(against: target, rule: .point)
        row.target = Row.Target(comparator: .below, limit: limit)
        row.judgement = judgement
        // A hundred readings are the documents' number (S3-30), and too few for P99: it is shown and does not decide,
        // unless they show a miss nevertheless.
        row.gates = percent != 99 || judgement.verdict != .inconclusive
        return row
    }

    /// The session's length that targets are about.
    private static let sessionSeconds = 1_800.0

    /// Returns battery rows by the energy model and by the project document's formula.
    private static func batteryRows(_ plan: BatteryPlan, mean: Double?, budget: ModelTarget) -> [Row] {
        func row(_ model: String, _ value: Figure, gates: Bool, note: String) -> Row {
            self.row(
                "battery in 30 min, \(model)",
                .percent,
                value,
                .atMost,
                budget.batteryPercentPer30Minutes,
                evidence: .modelled,
                gates: gates,
                note: note
            )
        }
        var energy = Figure.absent(plan.hertz == nil ? "no rate: specify --hertz" : "no readings")
        var (seed, note) = (energy, "")
        if let hertz = plan.hertz, let mean {
            seed = .value(SeedBattery.percent(hertz: hertz, milliseconds: mean, seconds: sessionSeconds, on: plan.unit))
            energy = .absent("no device profile")
            if let device = plan.device {
                let busy = hertz * mean / 1_000
                var use = EnergyUse()
                use.add(plan.unit.power(of: device.values) * min(1, busy) * sessionSeconds, of: plan.unit)
                energy = .value(use.percent(of: device.values))
                let pace = "\(NumberText.short(hertz))/s at this machine's mean of \(NumberText.milliseconds(mean))"
                let late = busy > 1 ? ", which is not sustainable" : ""
                note = "\(device.name), \(plan.unit.title), \(pace)\(late)" + (plan.gates ? "" : "; does not gate")
            }
        }
        // Without a profile or a pace there is nothing to decide.
        return [
            row("energy model", energy, gates: plan.gates && energy.value != nil, note: note),
            row("seed formula", seed, gates: false, note: "contradicts itself (K-4), never gates"),
        ]
    }
}

extension ComputeUnit {
    /// Title for people.
    var title: String {
        switch self {
        case .cpu: "CPU"
        case .gpu: "GPU"
        case .neuralEngine: "Neural Engine"
        }
    }

    /// Returns the power in W while it works.
    func power(of values: DeviceValues) -> Double {
        switch self {
        case .cpu: values[.cpuPower]
        case .gpu: values[.gpuPower]
        case .neuralEngine: values[.neuralEnginePower]
        }
    }
}
