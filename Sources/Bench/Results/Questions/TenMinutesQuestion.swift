import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-02: what reading adds to ten minutes of scanning, by every thermal policy, variant and device (S0-B01, S0-B03).
///
/// The documents' 5 % a minute is more than any profile can draw, so that it decides nothing; energy for each book does.
struct TenMinutesQuestion: Question {
    static let experiment = Experiment.tenMinutes
    let input: ExperimentInput
    /// Of a session; its use of the battery is told for one of them.
    var minutes = 10.0
    private static let limit = DeviceRequirement.mostJoulesPerBook

    private struct Row {
        var subject: String
        var device: String
        var policy: ThermalPolicy
        var nominal: SessionOutcome
        /// J that reading adds for each book, from the least to the most over the plausible figures; infinite where no book
        /// was identified.
        var joules: ClosedRange<Double>
        /// The most of the battery that the device can draw, in percent a minute, at nominal figures.
        var maximum: Double

        var decision: Finding.Decision { .init(joules, below: limit) }
    }

    func answer() throws(Unanswered) -> Finding {
        let rows = input.subjects.flatMap { subject in
            input.profiles.flatMap { profile in ThermalPolicy.allCases.compactMap { row(subject, profile, $0) } }
        }
        guard let most = rows.max(by: { $0.joules.upperBound < $1.joules.upperBound }) else {
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
                joules: outcomes.map { $0.joulesPerBook ?? .infinity }.range,
                maximum: EnergyUse.mostOfMinute(on: profile.values()).percent(of: profile.values())
            )
        }
    }

    private func text(_ rows: [Row], _ most: Row) -> String {
        let missed = rows.count { $0.decision == .doesNotHold }
        let open = rows.count { $0.decision == .undecided }
        let limit = "\(NumberText.short(Self.limit)) J a book"
        let worst =
            "\(Self.joules(most.joules.upperBound)), \(most.subject) on \(most.device) by \(most.policy.rawValue)"
        let answer =
            missed + open == 0
            ? "Reading adds less than \(limit) in all \(rows.count) sessions (most: \(worst))"
            : "Reading adds \(limit) or more in \(missed) of \(rows.count) sessions whatever the figures are, and in "
                + "\(open) it depends on them (most: \(worst))"
        let skipping =
            skippingSaves(rows).map {
                "; skipping frames as seed-code does saves at most \(NumberText.battery($0)) of the battery a minute"
            } ?? ""
        let maxima = ClosedRange(of: rows.map(\.maximum)).map { $0.text { NumberText.fixed($0, 1) } } ?? "–"
        return
            "\(answer)\(skipping); 5 % of the battery a minute is no test: with all on at once the devices draw \(maxima) % (K-4)."
    }

    private static func joules(_ value: Double) -> String {
        value.isFinite ? "\(NumberText.fixed(value, 2)) J" : "no book at all"
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
                "Modelled, by simulated sessions at 25 °C. Reading is what compute units and radio add to the same session without "
                + "reading; in brackets over the plausible figures. Seed is the document's formula, which never gates.",
            columns: [
                "Variant", "Device", "Policy", "Reading, J a book", "%/min, whole phone", "%/min, seed",
                "Frames skipped as it was warm", "Read",
                "Books", "Worst state", "Skin at the end",
            ],
            rows: rows.map { row in
                [
                    row.subject, row.device, row.policy.rawValue,
                    "\(Self.joules(row.nominal.joulesPerBook ?? .infinity)) "
                        + "[\(Self.joules(row.joules.lowerBound)) – \(Self.joules(row.joules.upperBound))]",
                    NumberText.battery(row.nominal.percentPerMinute),
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
