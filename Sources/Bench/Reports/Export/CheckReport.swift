import Basics
import Evaluation
package import Harness

/// Results of a gate for CI services: checks that passed or failed, and figures to be charted.
package struct CheckReport: Sendable, Equatable {
    package struct Check: Sendable, Equatable, Encodable {
        package enum Outcome: String, Sendable, Encodable {
            case passed
            case failed
            case accepted
            /// Undecided, or not gating although it should.
            case open

            init(_ verdict: Verdict) { self = verdict == .pass ? .passed : verdict == .fail ? .failed : .open }
        }

        /// Checks of one suite belong together: a measurement, a comparison.
        package var suite: String
        package var name: String
        package var outcome: Outcome
        package var message: String
    }

    /// "PASS", "REGRESSION" and the like.
    package var word: String
    package var sentence: String
    /// Report for people, headed by the verdict; empty of a run, which has its own.
    package var markdown: String
    package var checks: [Check]
    package var figures: [ChartedFigure]
}

extension CheckReport {
    /// Creates the report of a comparison: one check per row that should gate, and the figures of B.
    package init(_ report: ComparisonReport) {
        self.init(
            word: report.word,
            sentence: report.sentence,
            markdown: report.short,
            checks: report.comparisons.flatMap { Self.checks($0, isPartial: report.isPartial) },
            figures: report.comparisons.flatMap { comparison in
                comparison.rows.compactMap { ChartedFigure($0, bench: "\(comparison.label): \(comparison.nameB)") }
            }
        )
    }

    /// Of a run: one check for each target and each case of an assertion that gates, and the figures of every
    /// measurement.
    package init(_ result: RunResult) {
        let verdict = VerdictText(result)
        func gating(_ answers: [Answer]?) -> [Answer] { (answers ?? []).filter(\.gates) }
        var checks = gating(result.compliance).map { Check($0) }
        checks += gating(result.assertions).map(Check.init(assertion:))
        checks += result.measurements.filter(\.isPartial).map(Check.init(stopped:))
        checks += (result.configuration.skipped ?? [:]).sorted { $0.key < $1.key }.map {
            Check(suite: $0, name: "read", outcome: .open, message: "skipped: \($1)")
        }
        // Of phones, what decides a target is that target's check.
        if result.configuration.devices?.gates == .all {
            checks += gating(result.devices?.rows.flatMap(\.requirements)).map { Check($0, isOfPhone: true) }
        }
        self.init(
            word: verdict.word,
            sentence: verdict.sentence,
            markdown: "",
            checks: checks,
            figures: result.measurements.flatMap(ChartedFigure.of)
        )
    }

    private static func checks(_ comparison: Comparison, isPartial: Bool) -> [Check] {
        comparison.rows.filter { $0.tolerance != nil }.map { row in
            let outcome: Check.Outcome =
                switch row.status {
                case .worse: row.accepted != nil ? .accepted : row.gates ? .failed : .open
                case .undecided: .open
                case .better, .noDifference: isPartial ? .open : .passed
                }
            return Check(
                suite: "\(comparison.label): \(comparison.nameB) against \(comparison.nameA)",
                name: row.name,
                outcome: outcome,
                message: row.message
            )
        }
    }
}

extension CheckReport.Check {
    fileprivate init(stopped result: MeasurementResult) {
        self.init(
            suite: result.id,
            name: "complete",
            outcome: .open,
            message: result.hasBegun
                ? "stopped after \(result.done) of \(result.planned) readings" : MeasurementResult.notBegun
        )
    }

    fileprivate init(_ answer: Answer, isOfPhone: Bool = false) {
        let text = AnswerText(answer, isOfPhone: isOfPhone)
        self.init(
            suite: isOfPhone ? Self.suite(answer) : answer.measurement,
            name: "\(text.name) \(text.target)",
            outcome: answer.accepted == nil ? Outcome(answer.judgement.verdict) : .accepted,
            message: "\(text.value), target \(text.limit): \(isOfPhone ? text.outcome : text.status)"
        )
    }

    fileprivate init(assertion answer: Answer) {
        let (text, note) = (AnswerText(answer), answer.judgement.note)
        self.init(
            suite: Self.suite(answer),
            name: answer.claim.text,
            outcome: Outcome(answer.judgement.verdict),
            message: "\(text.shortValue), \(text.limit)" + (note.isEmpty ? "" : ": \(note)")
        )
    }

    /// A measurement on a device is a suite of its own.
    private static func suite(_ answer: Answer) -> String {
        answer.measurement + (answer.device.map { " on \($0) (\(answer.evidence.rawValue))" } ?? "")
    }
}
