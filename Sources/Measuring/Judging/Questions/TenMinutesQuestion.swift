import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// E-02: ten minutes of scanning, by every thermal policy, variant and device (S0-B01, S0-B03).
struct TenMinutesQuestion: Question {
    static let experiment = Experiment.tenMinutes
    let input: ExperimentInput
    /// Of a session; its use of the battery is told for one of them.
    var minutes = 10.0
    /// Percent of the battery a minute (S0-B01).
    private static let target = 5.0

    private struct Row {
        var subject: String
        var device: String
        var policy: ThermalPolicy
        var nominal: SessionOutcome
        /// Percent of the battery a minute, from the least to the most over the plausible figures.
        var percent: ClosedRange<Double>

        var decision: Finding.Decision { .init(percent, below: target) }
    }

    func answer() throws(Unanswered) -> Finding {
        let rows = input.subjects.flatMap { subject in
            input.profiles.flatMap { profile in ThermalPolicy.allCases.compactMap { row(subject, profile, $0) } }
        }
        guard let most = rows.max(by: { $0.percent.upperBound < $1.percent.upperBound }) else {
            throw Unanswered("there are no devices, or no readings to draw from")
        }
        return Self.finding(
            .overall(rows.map(\.decision)),
            text(rows, most),
            tables: [table(rows)],
            plots: plots(rows)
        )
    }

    private func row(_ subject: AssessmentSubject, _ profile: DeviceProfile, _ policy: ThermalPolicy) -> Row? {
        let plan = input.plan(subject, minutes: minutes) { $0.thermalPolicy = policy }
        return Plausible(at: { input.outcome(plan, subject, on: profile, at: $0) }).map { outcomes in
            Row(
                subject: subject.name,
                device: profile.name,
                policy: policy,
                nominal: outcomes.nominal,
                // A device that gets hot on its worse side reads less, so that either end may take the most.
                percent: outcomes.map(\.percentPerMinute).range
            )
        }
    }

    private func text(_ rows: [Row], _ most: Row) -> String {
        let missed = rows.filter { $0.decision == .doesNotHold }
        let open = rows.filter { $0.decision == .undecided }
        let seed = rows.filter { $0.nominal.seedPercentPerMinute >= Self.target }
        let worst =
            "\(NumberText.battery(most.percent.upperBound)) a minute at the worst plausible figures, "
            + "\(most.subject) on \(most.device) by \(most.policy.rawValue)"
        let energy =
            missed.isEmpty && open.isEmpty
            ? "Yes by the energy model, in all \(rows.count) sessions: at most \(worst)"
            : "\(missed.isEmpty ? "Not for all plausible figures" : "No") by the energy model: \(missed.count) of \(rows.count) sessions take 5 % a "
                + "minute or more whatever the figures are, and in \(open.count) it depends on them (most: \(worst))"
        let skipping =
            skippingSaves(rows).map {
                ", and skipping frames as seed-code does saves at most \(NumberText.battery($0)) a minute"
            } ?? ""
        let formula =
            seed.isEmpty
            ? "the seed's formula agrees"
            : "the seed's formula says no in \(seed.count) of \(rows.count), but it means 46 W for the Neural Engine and contradicts itself (K-4)"
        return "\(energy)\(skipping); \(formula)."
    }

    /// The most that `seed-code` saves beside `none`, in percent a minute.
    private func skippingSaves(_ rows: [Row]) -> Double? {
        rows.filter { $0.policy == .seedCode }.compactMap { row in
            rows.first { $0.policy == .none && $0.subject == row.subject && $0.device == row.device }
                .map { $0.nominal.percentPerMinute - row.nominal.percentPerMinute }
        }.max().map { max($0, 0) }
    }

    private func table(_ rows: [Row]) -> Table {
        Table(
            "Ten minutes of scanning",
            note:
                "Modelled, by simulated sessions at 25 °C. Energy is the sum of each component's power and time; in brackets "
                + "over the plausible figures. Seed is the document's formula, which never gates.",
            columns: [
                "Variant", "Device", "Policy", "%/min, energy", "%/min, seed", "Frames skipped as it was warm", "Read",
                "Books", "Worst state", "Skin at the end",
            ],
            rows: rows.map { row in
                [
                    row.subject, row.device, row.policy.rawValue,
                    NumberText.battery(row.nominal.percentPerMinute, in: row.percent),
                    NumberText.battery(row.nominal.seedPercentPerMinute), "\(row.nominal.counts.thermal)",
                    "\(row.nominal.counts.read)", "\(row.nominal.books)", row.nominal.worstState.rawValue,
                    "\(NumberText.fixed(row.nominal.skin, 1)) °C",
                ]
            },
            numbersFrom: 3
        )
    }

    private func plots(_ rows: [Row]) -> [Plot] {
        guard let first = input.subjects.first else { return [] }
        let own = rows.filter { $0.subject == first.name && $0.policy == .seedCode }
        return [
            Plot(
                "Battery used, \(first.name), seed-code (modelled)",
                xLabel: "time (min)",
                yLabel: "battery used (%)",
                series: own.map { $0.nominal.series($0.device, \.percent) }
            )
        ]
    }
}
