package import Evaluation
package import SpineDatasets

/// One prediction against the truth.
package struct SampleScore: Sendable, Equatable, Codable {
    /// Without a result when nobody labelled the title.
    package var title: FieldRead
    /// Nil when the spine names no author.
    package var author: FieldRead?
    /// Against the transcription, in the NFC view.
    package var characters: EditCounts
    /// Against the transcription, in the NFC view.
    package var words: EditCounts
    /// 1-NED against the transcription, in the folded view.
    package var similarity: Double
    /// Against the transcription, folded words in any order.
    package var overlap: WordOverlap

    /// Scores `text`, which is empty for a reading that failed: that is then scored as nothing read.
    package init(_ text: String, against sample: Sample) {
        title = FieldRead(field: sample.title ?? "", in: text)
        author = sample.author.map { FieldRead(field: $0, in: text) }
        characters = EditCounts.ofCharacters(reference: sample.transcription, hypothesis: text)
        words = EditCounts.ofWords(reference: sample.transcription, hypothesis: text)
        similarity = TextSimilarity.normalized(sample.transcription, text)
        overlap = WordOverlap(reference: sample.transcription, hypothesis: text)
    }
}

/// Scores of several samples together.
package struct AccuracySummary: Sendable, Equatable, Codable {
    /// Legible samples.
    package var scored: Int
    /// Of the samples whose title has words.
    package var titleRead: Proportion
    /// Of the samples that name an author.
    package var authorRead: Proportion
    /// Title read, and the author too where there is one.
    package var titleAndAuthorRead: Proportion
    /// Pooled over the samples: their rate is the micro average.
    package var characters: EditCounts
    package var words: EditCounts
    /// Mean of the samples' character error rates: the macro average.
    package var meanCER: Figure
    /// Mean of the samples' 1-NED.
    package var similarity: Figure
    /// Pooled over the samples.
    package var overlap: WordOverlap

    package init(_ scores: [SampleScore]) {
        func share(_ results: [Bool]) -> Proportion {
            Proportion(successes: results.count { $0 }, trials: results.count)
        }
        func mean(_ values: [Double]) -> Figure {
            values.isEmpty ? .absent("no samples") : .value(values.reduce(0, +) / Double(values.count))
        }
        scored = scores.count
        titleRead = share(scores.compactMap(\.title.isRead))
        authorRead = share(scores.compactMap { $0.author?.isRead })
        titleAndAuthorRead = share(
            scores.compactMap { score in score.title.isRead.map { $0 && score.author?.isRead != false } }
        )
        characters = scores.map(\.characters).reduce(EditCounts(), +)
        words = scores.map(\.words).reduce(EditCounts(), +)
        meanCER = mean(scores.compactMap(\.characters.rate.value))
        similarity = mean(scores.map(\.similarity))
        overlap = scores.map(\.overlap).reduce(WordOverlap(), +)
    }
}
