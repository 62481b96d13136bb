package import Basics
import Evaluation
package import Harness
package import SpineDatasets

/// Scores of predictions of which it is known how good they are, over a dataset's own labels.
///
/// A metric that scores a blank answer well, or a right one badly, shows it here.
package struct MetricSelfTest: Sendable, Equatable, Codable {
    package struct Row: Sendable, Equatable, Codable {
        package var prediction: KnownPrediction
        /// Name of the score: "CER", "title read".
        package var metric: String
        package var expected: String
        package var observed: Figure
        /// Whether the observed figure matches; nil when it is absent.
        package var isOK: Bool?
    }

    package var rows: [Row]

    /// Whether all expectations are met.
    package var isOK: Bool { rows.allSatisfy { $0.isOK != false } }

    /// Scores known predictions for the legible ones of `samples`; another `score` than the harness's own is for
    /// testing the test.
    package init(
        _ samples: [Sample],
        seed: UInt64 = 1,
        score: (_ text: String, _ sample: Sample) -> SampleScore = { SampleScore($0, against: $1) }
    ) {
        let legible = samples.filter(\.legible)
        rows = KnownPrediction.allCases.flatMap { prediction in
            let pairs = prediction.predictions(for: legible, seed: seed)
            let summary = AccuracySummary(pairs.map { AccuracySummary.Entry(score($0.text, $0.sample)) })
            return Self.expectations(of: prediction, for: pairs.map(\.sample)).map { expectation in
                let observed = pairs.isEmpty ? .absent(prediction.requirement) : expectation.score.observe(summary)
                return Row(
                    prediction: prediction,
                    metric: expectation.score.name,
                    expected: expectation.expected,
                    observed: observed,
                    isOK: observed.value.map(expectation.holds)
                )
            }
        }
    }

    private typealias Expectation = (score: Score, expected: String, holds: (Double) -> Bool)

    private struct Score {
        var name: String
        var observe: (AccuracySummary) -> Figure

        static var titleRead: Score { Score(name: "title read") { $0.titleRead.rate } }
        static var cer: Score { Score(name: "CER") { $0.characters.rate } }
        static var precision: Score { Score(name: "word precision") { $0.overlap.precision } }
        static var f1: Score { Score(name: "word F1") { $0.overlap.f1 } }
    }

    /// Returns the expected figures; shares are not rounded, so that "100 %" is all of them.
    private static func expectations(of prediction: KnownPrediction, for samples: [Sample]) -> [Expectation] {
        // Titles that read the same backwards, and short ones that are part of other words, are few.
        let fewPercent = 0.05
        switch prediction {
        case .perfect:
            return [(.cer, "0", isNear(0)), (.titleRead, "100 %", isNear(1)), (.f1, "100 %", isNear(1))]
        case .blank:
            return [(.cer, "100 %", isNear(1)), (.titleRead, "0 %", isNear(0)), (.f1, "0 %", isNear(0))]
        case .reversed, .shuffled:
            return [(.titleRead, "5 % or less", { $0 <= fewPercent }), (.cer, "above 25 %", { $0 > 0.25 })]
        case .duplicated:
            // Each repetition comes with a gap before it.
            let lengths = samples.map { TextView.nfc.apply(to: $0.transcription).count }.filter { $0 > 0 }
            let total = lengths.reduce(0, +)
            let cer = total == 0 ? 0 : Double(total + lengths.count) / Double(total)
            return [
                (.cer, "100 % and a gap for each", isNear(cer)), (.titleRead, "100 %", isNear(1)),
                (.precision, "50 %", isNear(0.5)),
            ]
        case .wordOrder:
            return [(.titleRead, "100 %", isNear(1)), (.f1, "100 %", isNear(1)), (.cer, "above 0", { $0 > 0 })]
        case .vocabulary:
            // The title is in it: that metric ignores other read text. These two must reveal it.
            return [(.precision, "50 % or less", { $0 <= 0.5 }), (.cer, "above 100 %", { $0 > 1 })]
        }
    }

    private static func isNear(_ expected: Double) -> (Double) -> Bool {
        { abs($0 - expected) < 1e-9 }
    }
}
