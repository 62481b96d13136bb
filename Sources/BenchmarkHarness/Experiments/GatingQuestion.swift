import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-07: how many readings a presence gate saves, by the share of frames with a spine (S0-TS1, S0-TS2, S0-TS3).
struct GatingQuestion {
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

    /// A frame at 60 a second (S0-TS1).
    static let frameMilliseconds = 16.7

    var finding: Finding {
        guard let subject = input.subjects.first(where: { $0.strategy == .onDeviceOnly }),
            let profile = input.profiles.first
        else {
            return input.unanswered(.gating, "it needs a variant that reads on the device, and a device")
        }
        let gate = SessionPlan.GateRates()
        var rows: [[String]] = []
        var (x, formula, frames, energy) = ([Double](), [Double](), [Double](), [Double]())
        for percent in stride(from: 5, through: 95, by: 5) {
            let share = Double(percent) / 100
            func outcome(_ rates: SessionPlan.GateRates?) -> SessionOutcome? {
                let plan = input.plan(subject, minutes: 10) {
                    $0.user = UserScript(spineShare: share)
                    $0.gate = rates
                    $0.idleLimit = nil
                }
                return input.outcome(plan, subject, on: profile)
            }
            guard let with = outcome(gate), let without = outcome(nil), with.counts.examined > 0,
                without.counts.read > 0
            else {
                continue
            }
            let saved = 1 - Double(with.counts.examined - with.counts.noSpine) / Double(with.counts.examined)
            let invocations = 1 - Double(with.counts.read) / Double(without.counts.read)
            let joules = 1 - with.energy.total / without.energy.total
            (x, formula) = (x + [Double(percent)], formula + [100 * Self.saved(share: share, gate: gate)])
            (frames, energy) = (frames + [100 * invocations], energy + [100 * joules])
            rows.append([
                "\(percent) %", NumberText.percent(Self.saved(share: share, gate: gate)), NumberText.percent(saved),
                NumberText.percent(invocations), NumberText.percent(joules), "\(with.books) of \(without.books)",
            ])
        }
        guard let range = Self.shares(saving: 0.6...0.8, gate: gate), !rows.isEmpty else {
            return input.unanswered(.gating, "the variant \(subject.name) has no readings")
        }
        let cost = slowestGate(gate)
        return Finding(
            id: Experiment.gating.rawValue,
            question: Experiment.gating.question,
            answer:
                "Only when \(NumberText.fixed(100 * range.lowerBound, 0)) to \(NumberText.fixed(100 * range.upperBound, 0)) % of "
                + "the frames have a spine, for a gate that passes \(NumberText.percent(gate.truePositive)) of those and "
                + "\(NumberText.percent(gate.falsePositive)) of the others: with fewer spines it saves more, with more less"
                + (cost.map {
                    "; a look, taken for 2 ms on an A15, takes at most \(NumberText.milliseconds($0.milliseconds)) (\($0.device), critical state), budget \(NumberText.short(Self.frameMilliseconds)) ms"
                } ?? "")
                + ".",
            evidence: .modelled,
            tables: [
                FindingTable(
                    "What the presence gate saves",
                    note:
                        "Modelled: ten minutes of \(subject.name) on \(profile.name), 30 frames a second. By formula: "
                        + "1 − (p·TPR + (1 − p)·FPR). Of frames: those kept from the reader among those looked at. Of readings: beside a session "
                        + "without a gate, in which a reader that is busy drops frames too.",
                    columns: [
                        "Frames with a spine", "By formula", "Of frames", "Of readings", "Of all energy",
                        "Books, with gate of without",
                    ],
                    rows: rows,
                    numbersFrom: 0
                )
            ],
            plots: [
                FindingPlot(
                    "Saved by the presence gate (modelled)",
                    xLabel: "frames with a spine (%)",
                    yLabel: "saved (%)",
                    series: [
                        .init("frames, by formula", x: x, y: formula), .init("readings", x: x, y: frames),
                        .init("all energy", x: x, y: energy),
                    ],
                    levels: [.init("claimed, least", y: 60), .init("claimed, most", y: 80)]
                )
            ]
        )
    }

    /// A look on the slowest device in its hottest state.
    private func slowestGate(_ gate: SessionPlan.GateRates) -> (milliseconds: Double, device: String)? {
        input.profiles.map { profile in
            let values = profile.values()
            return (1_000 * gate.seconds / values[.cpuSpeed] / values[.criticalSpeed], profile.name)
        }.max { $0.0 < $1.0 }
    }
}
