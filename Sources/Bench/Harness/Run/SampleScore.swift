package import Basics
package import Evaluation
package import SpineDatasets

/// The score of one text against the label of its sample.
package struct SampleScore: Sendable, Equatable, Codable {
    /// Without a result when nobody labelled the title.
    package var title: FieldRead
    /// Nil when the spine names no author.
    package var author: FieldRead?
    /// Nil when no line is labelled as the publisher's.
    package var publisher: FieldRead?
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
        let publisher = (sample.lines ?? []).filter { $0.role == .publisher }.map(\.text)
        self.publisher = publisher.isEmpty ? nil : FieldRead(field: publisher.joined(separator: " "), in: text)
        characters = EditCounts.ofCharacters(reference: sample.transcription, hypothesis: text)
        words = EditCounts.ofWords(reference: sample.transcription, hypothesis: text)
        similarity = TextSimilarity.normalized(sample.transcription, text)
        overlap = WordOverlap(reference: sample.transcription, hypothesis: text)
    }
}

extension SampleRecord {
    /// Returns the score that the record contains, or scores its text where the record is of an older run.
    ///
    /// - Returns: nil where the text is unknown.
    package func score(against sample: Sample) -> SampleScore? {
        score ?? text.map { SampleScore($0, against: sample) }
    }
}
