import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import ScanningPolicies
import Statistics
import Systems

/// Measurement of a model compared with its budget.
struct ModelReport: Codable {
    /// Figure, and its target if it has one.
    struct Row: Equatable, Codable {
        enum Unit: String, Codable { case milliseconds, bytes, percent }

        var name: String
        var unit: Unit
        var value: Figure
        /// Bounds of a percentile.
        var percentile: PercentileEstimate?
        var comparator: Bound.Comparator?
        /// nil where nothing is asked.
        var limit: Double?
        /// nil without a target.
        var judgement: Judgement?
        var evidence = EvidenceClass.measured
        /// Whether the verdict rests on it.
        var gates: Bool
        var note: String

        /// Creates a row that gates, but where the budget has no limit.
        init(
            _ name: String,
            _ unit: Unit,
            _ value: Figure,
            _ comparator: Bound.Comparator = .atMost,
            _ limit: Double? = nil,
            note: String = ""
        ) {
            (self.name, self.unit, self.value, self.note) = (name, unit, value, note)
            (self.limit, gates, self.comparator) = (limit, limit != nil, limit == nil ? nil : comparator)
            judgement = limit.map { limit in
                Judgement.of(value) { comparator.isMet(by: $0, limit: limit) }
            }
        }
    }

    /// Battery use of a session.
    struct Battery {
        /// Inferences a second; nil when it works only when it is asked to.
        var hertz: Double?
        var unit: ComputeUnit
        /// nil when there is no profile.
        var device: (name: String, values: DeviceValues)?
        /// Whether the energy model's figures decide: they are modelled, from this machine's time and a phone's
        /// power.
        var gates = false
    }

    var model: String
    /// Model and its place by the worker: format, precision, inputs.
    var description: [String: String]
    /// Counted inferences, in order.
    var milliseconds: [Double]
    /// Resident memory of the process.
    var memory: MemorySummary.Level
    var budget: ModelTarget
    var rows: [Row]
    /// nil when nothing gates.
    var verdict: Verdict?
    var alerts: [PerformanceAlert]

    /// Judges a model; `warm` is a run of one process after another network, `cold` the first readings of new processes.
    init(
        _ model: String,
        warm: RunFolder.Contents,
        cold: [SampleRecord],
        budget: ModelTarget,
        battery: Battery,
        method: PercentileMethod
    ) {
        (self.model, self.budget) = (model, budget)
        description = warm.events.last { $0.kind == .ready }?.description ?? [:]
        let times = warm.records.compactMap(\.milliseconds)
        milliseconds = times
        memory = MemorySummary(events: warm.events, records: warm.records).resident
        let (peak, base) = (memory.peak, memory.atStart.value)
        let taken =
            base.flatMap { base in peak.value.map { Figure.value($0 - base) } }
            ?? .absent("not reported by the system")
        let latency = LatencySummary(warm.records, method: method)
        let size = (try? FileManager.default.attributesOfItem(atPath: model))?[.size] as? Int ?? 0
        let batteries = Self.batteryRows(
            battery,
            mean: times.isEmpty ? nil : times.reduce(0, +) / Double(times.count),
            budget
        )
        let loads = cold.compactMap(\.loadMilliseconds)
        let answers = cold.compactMap { record in
            record.loadMilliseconds.flatMap { load in
                record.prediction?.stages[ModelSystem.inference].map { load + $0 }
            }
        }
        func longest(_ values: [Double]) -> Figure {
            values.max().map { .value($0) } ?? .absent("no process loaded it")
        }
        rows =
            [
                Row("file size", .bytes, .value(Double(size)), .atMost, budget.sizeBytes.map(Double.init)),
                Row(
                    "load, the longest of \(loads.count)",
                    .milliseconds,
                    longest(loads),
                    .below,
                    budget.loadSeconds * 1_000,
                    note: "read and compiled in a new process, nothing cached"
                ),
                Row(
                    "first answer, the longest of \(loads.count)",
                    .milliseconds,
                    longest(answers),
                    note: "load and first inference"
                ),
            ]
            + [(50, budget.p50Milliseconds), (95, budget.p95Milliseconds), (99, budget.p99Milliseconds)]
            .compactMap {
                Self.latencyRow($0, latency, $1)
            } + [
                Row(
                    "memory, at most",
                    .bytes,
                    taken,
                    .atMost,
                    Double(budget.memoryBytes),
                    note: "the process's resident peak minus OpenVINO's memory after another network"
                ),
                Row(
                    "retained memory",
                    .bytes,
                    memory.delta,
                    note: "by \(NumberText.count(times.count, "inference"))"
                ),
            ] + batteries
        verdict = Verdict.overall(rows.filter(\.gates).compactMap { $0.judgement?.verdict })
        let metrics = times.map {
            InferenceMetrics(
                latency: .milliseconds($0),
                memoryBytes: taken.value.map { Int($0) },
                batteryPercentPer30Minutes: batteries[0].value.value
            )
        }
        let statistics = PerformanceStatistics(of: metrics, target: budget, rule: method)
        alerts = AlertRules.alerts(for: statistics, target: budget, at: .zero)
    }

    private static func latencyRow(
        _ percent: Int,
        _ latency: LatencySummary,
        _ limit: Double?
    )
        -> Row?
    {
        guard let estimate = latency.percentile(percent) else { return nil }
        var row = Row("P\(percent)", .milliseconds, estimate.value, .below, limit, note: "warm")
        row.percentile = estimate
        guard let limit else { return row }
        let judgement = latency.judgement(of: percent, against: Bound(.below, limit), rule: .point)
        // A hundred readings are the documents' number (S3-30), and too few for P99: it is shown and does not decide,
        // unless they show a miss nevertheless.
        (row.judgement, row.gates) = (judgement, percent != 99 || judgement.verdict != .inconclusive)
        return row
    }

    /// The session's length that targets are about.
    private static let sessionSeconds = 1_800.0

    /// Returns battery rows by the energy model and by the project document's formula.
    private static func batteryRows(_ plan: Battery, mean: Double?, _ budget: ModelTarget) -> [Row] {
        var energy = Figure.absent(plan.hertz == nil ? "no rate: specify --hertz" : "no readings")
        var (seed, note) = (energy, "")
        if let hertz = plan.hertz, let mean {
            seed = .value(
                SeedBattery.percent(
                    hertz: hertz,
                    milliseconds: mean,
                    seconds: sessionSeconds,
                    on: plan.unit
                )
            )
            energy = .absent("no device profile")
            if let device = plan.device {
                let busy = hertz * mean / 1_000
                var use = EnergyUse()
                use.add(device.values[plan.unit.power] * min(1, busy) * sessionSeconds, of: plan.unit)
                energy = .value(use.percent(of: device.values))
                let pace =
                    "\(NumberText.short(hertz))/s at this machine's mean of \(NumberText.milliseconds(mean))"
                note = [
                    device.name, plan.unit.rawValue, pace + (busy > 1 ? ", which is not sustainable" : ""),
                ].joined(separator: ", ")
            }
        }
        // Without a profile or a pace there is nothing to decide.
        return [
            ("energy model", energy, plan.gates && energy.value != nil, note),
            (
                "seed formula", seed, false, "contradicts itself (K-4), never gates"
            ),
        ].map { model, value, gates, note in
            let name = "battery in 30 min, \(model)"
            var row = Row(name, .percent, value, .atMost, budget.batteryPercentPer30Minutes, note: note)
            (row.evidence, row.gates) = (.modelled, gates)
            return row
        }
    }
}

extension ModelReport {
    var text: String {
        let size = rows.first?.value.value ?? 0
        func ports(_ verb: String) -> [String] {
            description.filter { $0.key.hasPrefix(verb) }.sorted { $0.key < $1.key }.map {
                "  \(verb) \($0.value)"
            }
        }
        func fact(_ key: String) -> String { description[key] ?? "unknown" }
        let head =
            [
                "\(PlainLine.of(model)): \(fact("format")), \(NumberText.megabytes(size))",
                "OpenVINO \(fact("OpenVINO")) on \(fact("processor")), \(fact("precision")), \(fact("threads"))",
            ] + ports("takes") + ports("gives") + [
                "Inputs are random; a model whose work depends on its input may have other times with real inputs."
            ]
        let table = Table(
            "Budget: \(budget.name) (\(budget.source))",
            columns: ["", "value", "target", "status", ""],
            rows: rows.map(\.cells)
        )
        let colours: [PerformanceAlert.Severity: Console.Colour] = [
            .critical: .red, .warning: .yellow, .info: .green,
        ]
        let alerts = alerts.map { alert in
            Console.coloured(alert.severity.rawValue.uppercased(), colours[alert.severity] ?? .green)
                + ": \(alert.message)"
        }
        let word = verdict?.rawValue.uppercased() ?? "NO VERDICT"
        return
            ([
                head.joined(separator: "\n"), table.terminal(width: Console.width),
                alerts.joined(separator: "\n"),
            ]
            .filter { !$0.isEmpty } + ["\(Console.coloured(word, verdict.colour))  \(sentence)"]).joined(
                separator: "\n\n"
            )
    }

    private var sentence: String {
        let gating = rows.filter(\.gates)
        func named(_ verdict: Verdict) -> [Row] { gating.filter { $0.judgement?.verdict == verdict } }
        let isP99Open = rows.contains { $0.percentile?.percent == 99 && !$0.gates && $0.limit != nil }
        let more =
            isP99Open ? " P99 takes --readings \(Percentile.minimumCount(for: 99)) to judge." : ""
        switch verdict {
        case .pass: return "All \(gating.count) figures that gate are within the budget.\(more)"
        case .fail:
            let missed = named(.fail).map(\.name)
            return "\(missed.count) of \(gating.count) figures that gate miss the budget: "
                + "\(missed.joined(separator: "; ")).\(more)"
        case .inconclusive:
            let reasons = named(.inconclusive).map { "\($0.name): \($0.judgement?.note ?? "")" }.joined(
                separator: "; "
            )
            return
                "With \(NumberText.count(milliseconds.count, "reading")) not all can be decided: \(reasons)."
        case nil: return "No limit was specified."
        }
    }
}

extension ModelReport.Row {
    private func text(_ value: Double) -> String {
        switch unit {
        case .milliseconds: NumberText.milliseconds(value)
        case .bytes: NumberText.bytes(value)
        case .percent: NumberText.fixed(value, 2) + " %"
        }
    }

    fileprivate var cells: [String] {
        let value = percentile.map { NumberText.bounded($0) } ?? NumberText.figure(value, text)
        let target = limit.map { "\(comparator?.rawValue ?? "") \(text($0))" } ?? "–"
        let status =
            judgement.map { gates ? $0.verdict.rawValue : "\($0.verdict.rawValue), does not gate" } ?? "–"
        // The reason for an absent figure is in its place already.
        let reason = judgement?.note == self.value.reason ? "" : judgement?.note ?? ""
        let notes = [evidence == .measured ? "" : evidence.rawValue, note, reason]
        return [name, value, target, status, notes.filter { !$0.isEmpty }.joined(separator: "; ")]
    }
}
