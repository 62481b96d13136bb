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

        /// A limit of a figure.
        struct Target: Sendable, Equatable, Codable {
            var comparator: Evaluation.Target.Comparator
            var limit: Double
        }

        var name: String
        var unit: Unit
        var value: Figure
        /// Bounds of a percentile.
        var percentile: PercentileEstimate?
        /// nil where nothing is asked.
        var target: Target?
        /// nil without a target.
        var judgement: Judgement?
        var evidence = EvidenceClass.measured
        /// Whether the verdict rests on it.
        var gates: Bool
        var note: String

        init(
            _ name: String,
            _ unit: Unit,
            _ value: Figure,
            _ comparator: Evaluation.Target.Comparator = .atMost,
            _ limit: Double? = nil,
            note: String = ""
        ) {
            (self.name, self.unit, self.value, self.note) = (name, unit, value, note)
            target = limit.map { Target(comparator: comparator, limit: $0) }
            judgement = limit.map { limit in Judgement.of(value) { comparator.isMet(by: $0, limit: limit) } }
            gates = limit != nil
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
        let times = measurement.milliseconds
        let latency = LatencySummary(milliseconds: times, timeouts: 0, method: method)
        let limits = [(50, budget.p50Milliseconds), (95, budget.p95Milliseconds), (99, budget.p99Milliseconds)]
        let mean = times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
        let batteries = Self.batteryRows(battery, mean: mean, budget: budget)
        func memory(_ bytes: KeyPath<ModelMeasurement.Memory, Int>) -> Figure {
            measurement.memory.map { .value(Double($0[keyPath: bytes])) } ?? .absent("not reported by the system")
        }
        rows = [
            Row("file size", .bytes, .value(Double(fileBytes)), .atMost, budget.sizeBytes.map(Double.init)),
            Row(
                "load, the longest of \(loads.count)",
                .milliseconds,
                .value(loads.map(\.load).max() ?? 0),
                .below,
                budget.loadSeconds * 1_000,
                note: "read and compiled in a new process, nothing cached"
            ),
            Row(
                "first answer, the longest of \(loads.count)",
                .milliseconds,
                .value(loads.map { $0.load + $0.first }.max() ?? 0),
                note: "load and first inference"
            ),
        ]
        rows += limits.compactMap { percent, limit in Self.latencyRow(percent, latency, limit, budget) }
        rows += [
            Row(
                "memory, at most",
                .bytes,
                memory(\.taken),
                .atMost,
                Double(budget.memoryBytes),
                note: "the process's resident peak minus OpenVINO's memory after another network"
            ),
            Row("retained memory", .bytes, memory(\.left), note: "by \(NumberText.count(times.count, "inference"))"),
        ]
        rows += batteries
        verdict = Verdict.overall(rows.filter(\.gates).compactMap { $0.judgement?.verdict })
        let metrics = times.map {
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

    /// Returns a latency's row; nil for a percentile without a limit, but for P50.
    private static func latencyRow(
        _ percent: Int,
        _ latency: LatencySummary,
        _ limit: Double?,
        _ budget: ModelTarget
    ) -> Row? {
        guard let estimate = latency.percentile(percent) else { return nil }
        var row = Row("P\(percent)", .milliseconds, estimate.value, .below, limit, note: "warm")
        row.percentile = estimate
        guard let limit else { return row }
        let metric: Metric = percent == 50 ? .latencyP50 : percent == 95 ? .latencyP95 : .latencyP99
        let target = Target(source: budget.source, metric: metric, comparator: .below, limit: limit)
        let judgement = latency.judgement(against: target, rule: .point)
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
            let limit = budget.batteryPercentPer30Minutes
            var row = Row("battery in 30 min, \(model)", .percent, value, .atMost, limit, note: note)
            (row.evidence, row.gates) = (.modelled, gates)
            return row
        }
        var energy = Figure.absent(plan.hertz == nil ? "no rate: specify --hertz" : "no readings")
        var (seed, note) = (energy, "")
        if let hertz = plan.hertz, let mean {
            seed = .value(SeedBattery.percent(hertz: hertz, milliseconds: mean, seconds: sessionSeconds, on: plan.unit))
            energy = .absent("no device profile")
            if let device = plan.device {
                let busy = hertz * mean / 1_000
                var use = EnergyUse()
                use.add(device.values[plan.unit.power] * min(1, busy) * sessionSeconds, of: plan.unit)
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
    fileprivate var title: String {
        switch self {
        case .cpu: "CPU"
        case .gpu: "GPU"
        case .neuralEngine: "Neural Engine"
        }
    }
}
