import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-02: ten minutes of scanning, by every thermal policy, variant and device (S0-B01, S0-B03).
struct TenMinutesQuestion {
    let input: ExperimentInput
    /// Percent of the battery a minute (S0-B01).
    static let target = 5.0

    private struct Row {
        var subject: ExperimentInput.Subject
        var profile: DeviceProfile
        var policy: ThermalPolicy
        var nominal: SessionOutcome
        var adverse: SessionOutcome
    }

    var finding: Finding {
        var rows: [Row] = []
        for subject in input.subjects {
            for profile in input.profiles {
                for policy in ThermalPolicy.allCases {
                    let plan = input.plan(subject) { $0.thermalPolicy = policy }
                    guard let nominal = input.outcome(plan, subject, on: profile),
                        let adverse = input.outcome(plan, subject, on: profile, .adverse)
                    else { continue }
                    rows.append(
                        Row(subject: subject, profile: profile, policy: policy, nominal: nominal, adverse: adverse)
                    )
                }
            }
        }
        guard let most = rows.max(by: { $0.adverse.percentPerMinute < $1.adverse.percentPerMinute }) else {
            return input.unanswered(.tenMinutes, "there are no devices, or no readings to draw from")
        }
        return Finding(
            id: Experiment.tenMinutes.rawValue,
            question: Experiment.tenMinutes.question,
            answer: answer(rows, most),
            evidence: .modelled,
            tables: [table(rows)],
            plots: plots(rows)
        )
    }

    private func answer(_ rows: [Row], _ most: Row) -> String {
        let missed = rows.filter { $0.adverse.percentPerMinute >= Self.target }
        let seed = rows.filter { $0.nominal.seedPercentPerMinute >= Self.target }
        let worst =
            "\(Self.percent(most.adverse.percentPerMinute)) a minute at the worst plausible figures, "
            + "\(most.subject.name) on \(most.profile.name) by \(most.policy.rawValue)"
        let energy =
            missed.isEmpty
            ? "Yes by the energy model, in all \(rows.count) sessions: at most \(worst)"
            : "Not always by the energy model: \(missed.count) of \(rows.count) sessions take 5 % a minute or more (most: \(worst))"
        let skipping =
            skippingSaves(rows).map {
                ", and skipping frames as seed-code does saves at most \(Self.percent($0)) a minute"
            } ?? ""
        let formula =
            seed.isEmpty
            ? "the seed's formula agrees"
            : "the seed's formula says no in \(seed.count) of \(rows.count), but it means 46 W for the Neural Engine and contradicts itself (K-4)"
        return "\(energy)\(skipping); \(formula)."
    }

    /// The most that `seed-code` saves beside `none`, in percent a minute.
    private func skippingSaves(_ rows: [Row]) -> Double? {
        rows.compactMap { row -> Double? in
            guard row.policy == .seedCode,
                let without = rows.first(where: {
                    $0.policy == .none && $0.subject.name == row.subject.name && $0.profile.name == row.profile.name
                })
            else { return nil }
            return without.nominal.percentPerMinute - row.nominal.percentPerMinute
        }.max().map { max($0, 0) }
    }

    private func table(_ rows: [Row]) -> FindingTable {
        FindingTable(
            "Ten minutes of scanning",
            note:
                "Modelled, by simulated sessions at 25 °C. Energy is the sum of each component's power and time; in brackets at "
                + "the worst plausible figures. Seed is the document's formula, which never gates.",
            columns: [
                "Variant", "Device", "Policy", "%/min, energy", "%/min, seed", "Frames skipped as it was warm", "Read",
                "Books",
                "Worst state", "Skin at the end",
            ],
            rows: rows.map { row in
                [
                    row.subject.name, row.profile.name, row.policy.rawValue,
                    "\(Self.percent(row.nominal.percentPerMinute)) [\(Self.percent(row.adverse.percentPerMinute))]",
                    Self.percent(row.nominal.seedPercentPerMinute), "\(row.nominal.counts.thermal)",
                    "\(row.nominal.counts.read)", "\(row.nominal.books)", row.nominal.worstState.rawValue,
                    "\(NumberText.fixed(row.nominal.skin, 1)) °C",
                ]
            },
            numbersFrom: 3
        )
    }

    private func plots(_ rows: [Row]) -> [FindingPlot] {
        guard let first = input.subjects.first else { return [] }
        let own = rows.filter { $0.subject.name == first.name && $0.policy == .seedCode }
        return [
            FindingPlot(
                "Battery used, \(first.name), seed-code (modelled)",
                xLabel: "time (min)",
                yLabel: "battery used (%)",
                series: own.map { row in
                    .init(
                        row.profile.name,
                        x: row.nominal.timeline.map { $0.second / 60 },
                        y: row.nominal.timeline.map(\.percent)
                    )
                }
            )
        ]
    }

    static func percent(_ value: Double) -> String { NumberText.fixed(value, 2) + " %" }
}
