package import Basics
package import Evaluation
package import SpineDatasets

/// Scores of predictions of known quality over a dataset's own labels: a metric that scores a blank answer well shows
/// here.
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

    /// Samples that show a metric's fault: more of them take minutes and show no other.
    private static let most = 1_000

    package var isOK: Bool { rows.allSatisfy { $0.isOK != false } }

    /// Scores known predictions for the legible ones of `samples`; another `score` than the harness's own is for
    /// testing the test.
    package init(
        _ samples: [Sample],
        seed: UInt64 = 1,
        score: (_ text: String, _ sample: Sample) -> SampleScore = { SampleScore($0, against: $1) }
    ) {
        var legible = samples.filter(\.legible)
        if legible.count > Self.most {
            var random = SplitMix64(state: seed)
            legible = Array(random.shuffled(legible).prefix(Self.most))
        }
        rows = KnownPrediction.allCases.flatMap { prediction in
            let pairs = prediction.predictions(for: legible, seed: seed)
            let scores = pairs.map { score($0.text, $0.sample) }
            var fold = FigureFold()
            for (pair, score) in zip(pairs, scores) {
                var reading = Reading(pair.sample, nil)
                reading.score = score
                fold.add(reading)
            }
            let (figures, overlaps) = (fold.figures(), scores.map(\.overlap))
            return Self.expectations(of: prediction, for: pairs.map(\.sample)).map { score, expected, holds in
                let observed = pairs.isEmpty ? .absent(prediction.requirement) : score.observe(figures, overlaps)
                return Row(
                    prediction: prediction,
                    metric: score.rawValue,
                    expected: expected,
                    observed: observed,
                    isOK: observed.value.map(holds)
                )
            }
        }
    }

    private typealias Expectation = (score: Score, expected: String, holds: (Double) -> Bool)

    private enum Score: String {
        case titleRead = "title read"
        case cer = "CER"
        case f1 = "word F1"
        case precision = "word precision"

        func observe(_ figures: Figures, _ overlaps: [WordOverlap]) -> Figure {
            let metrics: [Score: Metric] = [.titleRead: .titleRead, .cer: .characterErrors, .f1: .wordF1]
            return metrics[self].map { figures.values[$0]?.value ?? .absent("no samples") }
                ?? overlaps.reduce(WordOverlap(), +).precision
        }
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

/// A prediction made from labels, of which it is known how it has to be scored.
package enum KnownPrediction: String, Sendable, Codable, CaseIterable {
    case perfect
    case blank
    /// The transcription's graphemes from the last to the first.
    case reversed
    /// The transcription twice.
    case duplicated
    /// The transcription of another sample with another title.
    case shuffled
    /// The transcription's words in random order.
    case wordOrder = "word order"
    /// All words of many transcriptions, for every sample the same.
    case vocabulary

    var requirement: String {
        switch self {
        case .shuffled: "needs legible samples with different titles"
        case .vocabulary: "needs legible samples with ten different transcriptions"
        case .wordOrder: "needs a legible sample with several words, those of its title among them"
        case .perfect, .blank, .reversed, .duplicated: "no legible samples"
        }
    }

    /// Predictions for samples, the same for a seed everywhere: those for which it is known how they have to be scored.
    func predictions(for samples: [Sample], seed: UInt64) -> [(text: String, sample: Sample)] {
        var random = SplitMix64(state: seed)
        switch self {
        case .perfect: return samples.map { ($0.transcription, $0) }
        case .blank: return samples.map { ("", $0) }
        case .reversed: return samples.map { (String($0.transcription.reversed()), $0) }
        case .duplicated: return samples.map { ($0.transcription + " " + $0.transcription, $0) }
        case .shuffled: return Self.shuffled(samples, &random)
        case .wordOrder: return Self.reordered(samples, &random)
        case .vocabulary: return Self.vocabulary(samples, &random)
        }
    }

    /// Returns each sample with the transcription of the next one in a random circle; those with an equal title are
    /// omitted.
    private static func shuffled(_ samples: [Sample], _ random: inout SplitMix64) -> [(text: String, sample: Sample)] {
        let circle = random.shuffled(samples)
        func title(_ sample: Sample) -> [String] { FoldedText.words(of: sample.title ?? "") }
        return zip(circle, circle.dropFirst() + circle.prefix(1)).compactMap { sample, next in
            title(sample) == title(next) ? nil : (next.transcription, sample)
        }
    }

    /// Returns samples with reordered words, without those whose title is divided on the spine ("EVERY- BODY"): its
    /// pieces have to stay together.
    private static func reordered(_ samples: [Sample], _ random: inout SplitMix64) -> [(text: String, sample: Sample)] {
        samples.compactMap { sample in
            let words = sample.transcription.split(whereSeparator: \.isWhitespace)
            let title = WordOverlap(reference: sample.title ?? "", hypothesis: sample.transcription)
            guard title.shared == title.referenceWords, Set(words).count > 1 else { return nil }
            var shuffled = random.shuffled(words)
            if shuffled == words { shuffled.reverse() }
            return (shuffled.joined(separator: " "), sample)
        }
    }

    /// Returns at most a hundred samples and their words: more would take long and add no information.
    private static func vocabulary(_ samples: [Sample], _ random: inout SplitMix64) -> [(text: String, sample: Sample)]
    {
        let some = random.shuffled(samples).prefix(100)
        guard Set(some.map(\.transcription)).count >= 10 else { return [] }
        let words = some.flatMap { $0.transcription.split(whereSeparator: \.isWhitespace) }
        let all = Set(words).sorted().joined(separator: " ")
        return some.map { (all, $0) }
    }
}
