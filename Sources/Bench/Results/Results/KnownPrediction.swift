import Basics
import Evaluation
import SpineDatasets

/// A prediction made from labels, of which it is known how it has to be scored.
package enum KnownPrediction: String, Sendable, Codable, CaseIterable {
    /// The transcription.
    case perfect
    /// Empty prediction.
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

    /// Requirement of a dataset.
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
