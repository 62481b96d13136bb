import Basics
import DeviceSimulation
import Evaluation
import Harness

/// E-04: titles by category against the 85 % below which the contingency is needed (S0-A02).
struct AccuracyQuestion: Question {
    static let experiment = Experiment.accuracy
    let input: ExperimentInput

    private static let targets = Target.standard.filter { $0.source == "S0-A02" && $0.category != nil }

    /// The variants that gate are judged, or all when none does.
    func answer() throws(Unanswered) -> Finding {
        let gating = input.measurements.filter(\.variant.gates)
        let cases = (gating.isEmpty ? input.measurements : gating)
            .map { ($0, Requirement.rows(of: $0, against: Self.targets)) }
            .filter { !$1.isEmpty }
        let rows = cases.flatMap(\.1)
        guard !rows.isEmpty else {
            throw Unanswered("the run has no legible vertical, inverted or stylized spine", evidence: .measured)
        }
        let decided = cases.map { measurement, rows in
            // A category that nobody looked at is open.
            let open: [Finding.Decision] = rows.count < Self.targets.count ? [.undecided] : []
            let decision = Finding.Decision.overall(rows.map { .init($0.judgement.verdict) } + open)
            return (decision: decision, text: sentence(measurement.id, rows, decision))
        }
        return Self.finding(
            .overall(decided.map(\.decision)),
            decided.map(\.text).joined(separator: "; ") + ".",
            evidence: .weakest(rows.map(\.evidence)),
            tables: [
                Table(
                    "Titles read by category",
                    note: "Decided by the interval: with 85 % inside it, nothing is.",
                    columns: ["Measurement", "Category", "Titles read", "95 % interval", "Target", "Verdict"],
                    rows: rows.map { row in
                        [
                            row.measurement, row.target.category ?? "all", share(row),
                            row.rate.map { NumberText.interval($0) } ?? "–",
                            "\(row.target.comparator.rawValue) \(NumberText.percent(row.target.limit))",
                            Finding.Decision.text(row.judgement),
                        ]
                    },
                    numbersFrom: 2
                )
            ]
        )
    }

    private func share(_ row: Requirement) -> String {
        row.rate.map { NumberText.proportion($0.proportion) } ?? "–"
    }

    private func sentence(_ measurement: String, _ rows: [Requirement], _ decision: Finding.Decision) -> String {
        let shares = rows.map { "\($0.target.category ?? "all") \(share($0))" }
        let contingency =
            switch decision {
            case .holds: "the contingency is not needed"
            case .doesNotHold: "the contingency is needed"
            case .undecided: "whether the contingency is needed is open"
            }
        return "\(measurement): \(contingency) (\(shares.joined(separator: ", ")))"
    }
}

extension Requirement {
    /// Titles of a measurement by category, as they were read whatever the scenario; without categories of which none was.
    fileprivate static func rows(of measurement: MeasurementResult, against targets: [Target]) -> [Requirement] {
        targets.compactMap { target in
            guard let rate = measurement.value(of: target.metric, in: target.category ?? "all")?.rate, rate.trials > 0
            else { return nil }
            return Requirement(
                measurement: measurement.id,
                target: target,
                value: rate.rate,
                rate: rate,
                judgement: .of(rate, against: target, rule: .interval),
                evidence: measurement.evidence,
                gates: false
            )
        }
    }
}
