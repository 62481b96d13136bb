import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-09: scans that come to their end, wait or are lost when the network is out or slow, and how soon there is a text.
struct OutagesQuestion: Question {
    static let experiment = Experiment.outages
    let input: ExperimentInput

    private struct Row {
        var measurement: MeasurementResult
        var milestones: MilestoneSummary?
        var outages: Double
        /// Scans that were begun.
        var scans: Int
        var completed: Int
        var queued: Int
        /// Begun, and neither at their end nor in the queue.
        var dropped: Int
        /// In the queue once, and neither answered later nor in it at the end.
        var vanished: Int

        var lost: Int { dropped + vanished }
        /// True when the device reads before it asks for anything.
        var readsFirst: Bool { measurement.variant.strategy == .hybrid }
        /// The P95 of the time to text against 500 ms; nil for what does not read first.
        var text: Judgement? {
            guard readsFirst else { return nil }
            return milestones?.text?.judgement(against: textTarget, rule: .interval)
                ?? Judgement(.fail, note: "no scan came to a text")
        }

        init?(_ measurement: MeasurementResult) {
            guard measurement.variant.strategy?.needsBackEnd == true, let outages = measurement.variant.outages
            else { return nil }
            self.measurement = measurement
            self.outages = outages
            milestones = measurement.all.milestones
            let notAttempted = measurement.outcomes[SampleRecord.Outcome.notAttempted.rawValue] ?? 0
            scans = measurement.outcomes.values.reduce(0, +) - notAttempted
            completed = milestones?.completed.successes ?? 0
            queued = milestones?.queued ?? 0
            dropped = max(0, scans - completed - queued)
            vanished = max(0, queued - (milestones?.drained ?? 0) - (milestones?.waiting ?? 0))
        }
    }

    private static let textTarget = Target(source: "S0-M08", metric: .timeToTextP95, comparator: .below, limit: 500)

    func answer() throws(Unanswered) -> Finding {
        let rows = input.measurements.compactMap(Row.init).filter { $0.scans > 0 }
        let judged = rows.filter { $0.outages > 0 }
        guard !judged.isEmpty else {
            throw Unanswered("no variant was run while its network was out", evidence: .measured)
        }
        func sum(_ part: (Row) -> Int) -> Int { rows.reduce(0) { $0 + part($1) } }
        let lost = sum(\.lost)
        let texts = judged.compactMap(\.text).map { Finding.Decision($0.verdict) }
        return Self.finding(
            .overall([lost == 0 ? .holds : .doesNotHold] + (texts.isEmpty ? [.undecided] : texts)),
            "\(lost == 0 ? "None" : "\(lost)") of \(NumberText.count(sum(\.scans), "scan")) "
                + "\(lost == 1 ? "is" : "are") lost: \(sum(\.completed)) came to their end, "
                + "\(sum { $0.milestones?.drained ?? 0 }) of the \(sum(\.queued)) that were kept for "
                + "later were answered later, and \(sum { $0.milestones?.waiting ?? 0 }) wait at the end; \(text(judged))\(fallback(rows)).",
            evidence: .weakest(rows.map(\.measurement.evidence)),
            tables: [table(rows)]
        )
    }

    private func text(_ rows: [Row]) -> String {
        let reading = rows.filter(\.readsFirst)
        guard !reading.isEmpty else { return "no variant that reads first was run" }
        let parts = reading.map { row in
            let p95 = row.milestones?.text.map { NumberText.figure($0.p95.value, NumberText.milliseconds) } ?? "none"
            return "\(p95) at \(NumberText.percent(row.outages)) outage"
        }
        let within = reading.count { $0.text?.verdict == .pass }
        return "what reads first has its text within 500 ms in \(within) of "
            + "\(NumberText.count(reading.count, "measurement")) with outages (P95 \(parts.joined(separator: ", ")))"
    }

    /// Option C waits for the back end before it reads.
    private func fallback(_ rows: [Row]) -> String {
        let own = rows.filter { $0.measurement.variant.strategy == .visionFallback }
            .compactMap(\.milestones?.text?.p50.value.value)
        guard let least = own.min(), let most = own.max() else { return "" }
        return
            "; vision-fallback, which waits for the back end first, has its text after \(NumberText.milliseconds(least)) to "
            + "\(NumberText.milliseconds(most)) (P50)"
    }

    private func table(_ rows: [Row]) -> Table {
        Table(
            "Scans with the network out or slow",
            note:
                "Completed: enriched, or known not to be in the catalogue. Lost: begun, and neither completed nor in the queue; or once in "
                + "the queue, and neither answered later nor in it at the end. A scan without a text is later than all others.",
            columns: [
                "Measurement", "Outages", "Slow after", "Scans", "Completed", "Queued", "Answered later", "Waiting",
                "Lost", "Text P50", "Text P95", "Text < 500 ms", "Evidence",
            ],
            rows: rows.map { row in
                let text = row.milestones?.text
                return [
                    row.measurement.id, NumberText.percent(row.outages),
                    row.measurement.variant.slowThreshold.map { $0 + " s" } ?? "–", "\(row.scans)",
                    NumberText.proportion(Proportion(successes: min(row.completed, row.scans), trials: row.scans)),
                    "\(row.queued)", "\(row.milestones?.drained ?? 0)", "\(row.milestones?.waiting ?? 0)",
                    "\(row.lost)", text.map { NumberText.bounded($0.p50) } ?? "–",
                    text.map { NumberText.bounded($0.p95) } ?? "–",
                    row.text.map(Finding.Decision.text) ?? "–", row.measurement.evidence.rawValue,
                ]
            },
            numbersFrom: 1
        )
    }
}
