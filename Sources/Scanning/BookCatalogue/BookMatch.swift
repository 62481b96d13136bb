/// A book that a text may name, with how likely it is the one.
public struct BookMatch: Sendable, Equatable, Codable {
    /// Of the catalogue.
    public var book: BookRecord
    /// The probability that this is the book, 0…1, calibrated on labelled spines.
    public var confidence: Double

    /// - Parameters:
    ///   - book: of the catalogue.
    ///   - confidence: 0…1.
    public init(book: BookRecord, confidence: Double) {
        self.book = book
        self.confidence = confidence
    }
}

/// Result of matching a text with a catalogue.
public struct MatchResult: Sendable, Equatable, Codable {
    /// Best first; empty when nothing is like the text.
    public var candidates: [BookMatch]
    /// The first candidate when it is likely enough to be named; nil for "not in this catalogue".
    public var answer: BookMatch?

    /// - Parameters:
    ///   - candidates: best first.
    ///   - answer: the first one, when it is likely enough.
    public init(candidates: [BookMatch], answer: BookMatch?) {
        self.candidates = candidates
        self.answer = answer
    }
}
