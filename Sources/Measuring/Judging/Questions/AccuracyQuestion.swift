import DeviceSimulation
import Documents
import Evaluation
import Harness
import Statistics

/// E-04: titles by category against the 85 % below which the contingency is needed (S0-A02).
struct AccuracyQuestion {
    private let measurements: [MeasurementResult]

    /// - Parameter measurements: of a run; those of variants that gate are judged, or all when none does.
    init(_ measurements: [MeasurementResult]) {
        let gating = measurements.filter(\.variant.gates)
        self.measurements = gating.isEmpty ? measurements : gating
    }

    /// The share of titles in a category, by what is asked of it.
    private struct Row {
        var measurement: MeasurementResult
        var target: Target
        var rate: RateEstimate
        var judgement: Judgement
        var decision: Finding.Decision { .init(judgement.verdict) }
    }

    private static let targets = Target.standard.filter { $0.source == "S0-A02" && $0.category != nil }

    var finding: Finding {
        let rows = measurements.flatMap { measurement in
            Self.targets.compactMap { target -> Row? in
                guard let found = measurement.categories.first(where: { $0.category == target.category }),
                    found.accuracy.titleRead.trials > 0
                else { return nil }
                let rate = found.accuracy.titleRead
                let judgement = Judgement.of(rate, against: target, rule: .interval)
                return Row(measurement: measurement, target: target, rate: rate, judgement: judgement)
            }
        }
        guard !rows.isEmpty else {
            return .unanswered(
                .accuracy,
                "the run has no legible vertical, inverted or stylized spine",
                evidence: .measured
            )
        }
        let decisions = measurements.compactMap { measurement -> Finding.Decision? in
            let own = rows.filter { $0.measurement.id == measurement.id }
            guard !own.isEmpty else { return nil }
            // A category that nobody looked at is open.
            return .overall(own.map(\.decision) + (own.count < Self.targets.count ? [.undecided] : []))
        }
        return Finding(
            .accuracy,
            .overall(decisions),
            zip(measurements.filter { one in rows.contains { $0.measurement.id == one.id } }, decisions)
                .map { measurement, decision in
                    sentence(measurement, rows.filter { $0.measurement.id == measurement.id }, decision)
                }.joined(separator: "; ") + ".",
            evidence: .weakest(rows.map(\.measurement.evidence)),
            tables: [
                Table(
                    "Titles read by category",
                    note: "Decided by the interval: with 85 % inside it, nothing is.",
                    columns: ["Measurement", "Category", "Titles read", "95 % interval", "Target", "Verdict"],
                    rows: rows.map { row in
                        [
                            row.measurement.id, row.target.category ?? "all",
                            NumberText.proportion(row.rate.proportion),
                            NumberText.interval(row.rate),
                            "\(row.target.comparator.rawValue) \(NumberText.percent(row.target.limit))",
                            [row.decision.text, row.judgement.note].filter { !$0.isEmpty }.joined(separator: ": "),
                        ]
                    },
                    numbersFrom: 2
                )
            ]
        )
    }

    private func sentence(_ measurement: MeasurementResult, _ rows: [Row], _ decision: Finding.Decision) -> String {
        let shares = rows.map { "\($0.target.category ?? "all") \(NumberText.proportion($0.rate.proportion))" }
        let contingency =
            switch decision {
            case .holds: "the contingency is not needed"
            case .doesNotHold: "the contingency is needed"
            case .undecided: "whether the contingency is needed is open"
            }
        return "\(measurement.id): \(contingency) (\(shares.joined(separator: ", ")))"
    }
}
