import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-07: how many readings a presence gate saves, by the share of frames with a spine (S0-TS1, S0-TS2, S0-TS3).
struct GatingQuestion: Question {
    static let experiment = Experiment.gating
    let input: ExperimentInput

    /// The share of frames that a gate with true-positive rate t and false-positive rate f keeps from the reader, when a share
    /// p of them has a spine: 1 − (p·t + (1 − p)·f).
    static func saved(share p: Double, gate: SessionPlan.GateRates) -> Double {
        1 - (p * gate.truePositive + (1 - p) * gate.falsePositive)
    }

    /// The shares of frames with a spine for which a gate saves so much; nil for none.
    static func shares(saving range: ClosedRange<Double>, gate: SessionPlan.GateRates) -> ClosedRange<Double>? {
        // Solved for p; a better gate saves less the more spines there are.
        let slope = gate.truePositive - gate.falsePositive
        guard slope > 0 else { return nil }
        let low = (1 - gate.falsePositive - range.upperBound) / slope
        let high = (1 - gate.falsePositive - range.lowerBound) / slope
        guard high >= 0, low <= 1 else { return nil }
        return max(low, 0)...min(high, 1)
    }

    func answer() throws(Unanswered) -> Finding {
        guard let subject = input.localSubjects.first, let profile = input.profiles.first else {
            throw Unanswered("it needs a variant that reads on the device, and a device")
        }
        guard let trial = input.gating, let gate = trial.measurement.rates else {
            throw Unanswered("the presence gate was not run, or its measurement has no rates")
        }
        let gated = GatedSession(input: input, subject: subject, profile: profile, trial: trial, gate: gate)
        guard let answer = gated.answer else {
            throw Unanswered("no sequence has frames with a spine and without one, or nothing was read")
        }
        return answer
    }
}

/// The gate's trial in sessions of a reader on a device.
private struct GatedSession {
    let input: ExperimentInput
    let subject: AssessmentSubject
    let profile: DeviceProfile
    let trial: GatingTrial
    let gate: SessionPlan.GateRates

    /// A frame at 60 a second (S0-TS1).
    private static let frameMilliseconds = 16.7
    /// Share that is claimed to be saved.
    private static let claimed = 0.6...0.8

    /// What is saved when a share of the frames has a spine.
    private struct Row {
        var percent: Int
        var sequence: GatingTrial.Sequence
        /// By the measured rates and at their bounds.
        var byRates: Double
        var bounds: ClosedRange<Double>
        /// Of all energy, modelled.
        var energy: Double
    }

    /// nil when no sequence has frames with a spine and without one, or nothing was read.
    var answer: Finding? {
        let rows = stride(from: 5, through: 95, by: 5).compactMap(row)
        return rows.first.map {
            GatingQuestion.finding(nil, text(rows, $0.sequence), tables: [savings(rows), rates], plots: [plot(rows)])
        }
    }

    private func row(_ percent: Int) -> Row? {
        let share = Double(percent) / 100
        func energy(_ rates: SessionPlan.GateRates?) -> Double? {
            let plan = input.plan(subject) {
                $0.user = UserScript(spineShare: share)
                $0.gate = rates
                $0.idleLimit = nil
            }
            return input.outcome(plan, subject, on: profile)?.energy.total
        }
        let times = input.costs(subject, on: profile).map { $0.imageSeconds + $0.inferenceSeconds }.sorted()
        guard !times.isEmpty,
            let sequence = trial.sequence(
                share: share,
                gateSeconds: gate.seconds / profile.values()[.cpuSpeed],
                readingSeconds: Percentile.nearestRank(50, of: times)
            ),
            let with = energy(gate), let without = energy(nil), without > 0
        else { return nil }
        let (better, worse) = (gate.at(.favourable), gate.at(.adverse))
        // What saves most misses most, too: the ends are those of the rates, not of better and worse.
        let least = 1 - (share * better.truePositive + (1 - share) * worse.falsePositive)
        let most = 1 - (share * worse.truePositive + (1 - share) * better.falsePositive)
        return Row(
            percent: percent,
            sequence: sequence,
            byRates: GatingQuestion.saved(share: share, gate: gate),
            bounds: least...most,
            energy: 1 - with / without
        )
    }

    private func text(_ rows: [Row], _ sequence: GatingTrial.Sequence) -> String {
        let (hits, alarms) = (trial.measurement.all.withSpine, trial.measurement.all.without)
        let here = GateMeasurement.Kind("here", trial.clips)
        let tellsApart =
            (hits.passed.interval.value?.lowerBound ?? 0) > (alarms.passed.interval.value?.upperBound ?? 1)
            && (here.withSpine.passed.rate.value ?? 0) > (here.without.passed.rate.value ?? 1)
        let fitting = rows.filter { Self.claimed.contains($0.sequence.saved) }
        let ends = rows.map(\.sequence.saved)
        let verdict =
            if !tellsApart {
                "No: the gate does not tell frames with a spine from those without, whatever it saves"
            } else if let low = fitting.first, let high = fitting.last {
                "Only when \(low.percent) to \(high.percent) % of the frames have a spine\(solved): with fewer it saves "
                    + "more, with more less"
            } else {
                "No: whatever share of the frames has a spine, it keeps \(NumberText.percent(ends.min() ?? 0)) to "
                    + "\(NumberText.percent(ends.max() ?? 0)) of the frames from the reader"
            }
        let missed =
            "In the sequences of this run it kept \(NumberText.percent(sequence.missedShare)) of the frames with a spine back, and "
            + "\(sequence.missedSpines) of \(sequence.spines) spines altogether"
        let measured =
            "It passes \(text(hits)) with a spine and \(text(alarms)) without one (measured \(trial.measurement.date))"
        return [verdict, missed, measured, budget].joined(separator: ". ") + "."
    }

    private var solved: String {
        guard let shares = GatingQuestion.shares(saving: Self.claimed, gate: gate) else { return "" }
        let ends = [shares.lowerBound, shares.upperBound].map { NumberText.fixed(100 * $0, 0) }
        return " (\(ends[0]) to \(ends[1]) % by the measured rates)"
    }

    private func text(_ rate: GateMeasurement.Rate) -> String {
        let interval = NumberText.interval(rate.passed)
        return "\(NumberText.percent(rate.passed.rate.value ?? .nan)) \(interval) of \(rate.passed.trials) frames of "
            + NumberText.count(rate.scenes, "scene")
    }

    /// Time of a look beside that of a frame at 60 a second: here, and on the slowest device in its hottest state.
    private var budget: String {
        func slowest(_ bound: Bound) -> (milliseconds: Double, device: String) {
            let all = input.profiles.map { profile in
                let values = profile.values(at: bound)
                return (1_000 * gate.at(bound).seconds / values[.cpuSpeed] / values[.criticalSpeed], profile.name)
            }
            return all.max { $0.0 < $1.0 } ?? (.nan, "")
        }
        let (nominal, adverse, time) = (slowest(.nominal), slowest(.adverse), trial.measurement.time)
        let limit = NumberText.short(Self.frameMilliseconds)
        let isKept = max(time.p95, adverse.milliseconds) <= Self.frameMilliseconds
        return "A look takes \(NumberText.milliseconds(time.p50)) of a processor here (P95 "
            + "\(NumberText.milliseconds(time.p95)), measured) and \(NumberText.milliseconds(nominal.milliseconds)) on the "
            + "\(nominal.device) in its hottest state, at worst \(NumberText.milliseconds(adverse.milliseconds)) (modelled): "
            + (isKept ? "within \(limit) ms" : "\(limit) ms are not kept everywhere")
    }

    private func savings(_ rows: [Row]) -> Table {
        let kinds = GateMeasurement.Kind("here", trial.clips)
        return Table(
            "What the presence gate saves",
            note:
                "Of frames, and missed: measured, by the gate's answers to \(kinds.withSpine.passed.trials) frames with a spine and "
                + "\(kinds.without.passed.trials) without, of \(NumberText.count(trial.clips.count, "panning sequence")) "
                + "at 30 frames a second, put together to each share; \(kinds.parts) frames with a part of a spine are neither. "
                + "By rates: 1 − (p·TPR + (1 − p)·FPR), the rates those of the measurement, at the ends of their intervals in "
                + "brackets. Of readings and of energy: modelled, \(subject.name) on \(profile.name), beside no gate, where a reader "
                + "that is busy drops frames too; energy in ten simulated minutes.",
            columns: [
                "Frames with a spine", "Of frames", "By rates", "Of readings", "Of all energy", "Frames missed",
                "Spines missed", "Spines unread, with gate and without",
            ],
            rows: rows.map { row in
                let sequence = row.sequence
                return [
                    "\(row.percent) %", NumberText.percent(sequence.saved),
                    "\(NumberText.percent(row.byRates)) [\(NumberText.percent(row.bounds.lowerBound)), \(NumberText.percent(row.bounds.upperBound))]",
                    NumberText.percent(sequence.readingsSaved), NumberText.percent(row.energy),
                    NumberText.percent(sequence.missedShare), "\(sequence.missedSpines) of \(sequence.spines)",
                    "\(sequence.unreadSpines), \(sequence.ungatedUnreadSpines)",
                ]
            },
            numbersFrom: 0
        )
    }

    private var rates: Table {
        let measurement = trial.measurement
        let here = Dictionary(grouping: trial.clips, by: \.kind).sorted { $0.key < $1.key }
        let kinds =
            here.map { GateMeasurement.Kind("this run, \($0.key)", $0.value) } + measurement.kinds + [measurement.all]
        func text(_ rate: GateMeasurement.Rate) -> String { rate.passed.trials > 0 ? self.text(rate) : "–" }
        return Table(
            "What the presence gate lets pass",
            note:
                "Measured. Intervals at 95 % take the frames of a photograph or drawn scene for one cluster. The committed measurement is of \(measurement.date), "
                + "on \(measurement.time.host); the gate was fitted on \(measurement.fittedOn).",
            columns: ["Frames", "With a spine", "Without", "A part of one", "Not labelled"],
            rows: kinds.map { [$0.name, text($0.withSpine), text($0.without), "\($0.parts)", "\($0.unknown)"] }
        )
    }

    private func plot(_ rows: [Row]) -> Plot {
        let x = rows.map { Double($0.percent) }
        return Plot(
            "Saved by the presence gate",
            xLabel: "frames with a spine (%)",
            yLabel: "saved (%)",
            series: [
                .init("frames (measured)", x: x, y: rows.map { 100 * $0.sequence.saved }),
                .init("readings (modelled)", x: x, y: rows.map { 100 * $0.sequence.readingsSaved }),
                .init("all energy (modelled)", x: x, y: rows.map { 100 * $0.energy }),
            ],
            levels: [.init("claimed, least", y: 60), .init("claimed, most", y: 80)]
        )
    }
}
