internal import TextRecognition

/// A page of results.
public struct ResultPage: Sendable {
    /// The best first.
    public var results: [VisualSearchResult] = []
    /// Place of the first of them in the ranking, from 0.
    public var offset = 0
    /// Results in all, at most 100.
    public var total = 0
    /// Whether it is the whole answer, and not what was read until a deadline.
    public var isComplete = false
    /// Whether an earlier question's answer was shared.
    public var isRepeat = false
    /// Reading of the picture; nil without one.
    public var reading: SeenReading?
    /// Time from the question to the page.
    public var time = Duration.zero
    /// Language of the cards.
    var language = "en"

    /// Offset of the next page; nil when this is the last.
    public var next: Int? { offset + results.count < total ? offset + results.count : nil }

    /// Returns what is new since an earlier page of the same answer: all of a complete one.
    package func news(since earlier: ResultPage?) -> ResultPage {
        guard let earlier, !isComplete else { return self }
        var page = self
        page.results.removeAll { result in earlier.results.contains { $0.id == result.id } }
        page.reading?.spines.removeAll { earlier.reading?.spines.contains($0) == true }
        return page
    }
}

extension ResultPage: Encodable {
    private enum Key: CodingKey { case results, offset, total, next, isComplete, reading, milliseconds }

    /// Encodes the page with a card of each result, and without places in a ranking that is not complete.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(results.map { CardedResult($0, language: language) }, forKey: .results)
        try container.encode(isComplete, forKey: .isComplete)
        try container.encode(time / .milliseconds(1), forKey: .milliseconds)
        try container.encodeIfPresent(reading, forKey: .reading)
        guard isComplete else { return }
        try container.encode(offset, forKey: .offset)
        try container.encode(total, forKey: .total)
        try container.encodeIfPresent(next, forKey: .next)
    }
}

/// A result with its card, as JSON has it.
package struct CardedResult: Encodable {
    package var result: VisualSearchResult
    package var card: DisplayCard

    package init(_ result: VisualSearchResult, language: String) {
        (self.result, card) = (result, DisplayCard(result, language: language))
    }

    private enum Key: CodingKey { case card }

    package func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(card, forKey: .card)
    }
}

extension SeenReading: Encodable {
    private enum Key: CodingKey {
        case kind, lines, spines, decodingMilliseconds, readingMilliseconds, matchingMilliseconds
    }
    private struct Line: Encodable { var text: String, confidence: Double }

    /// Encodes the reading; times are those of a complete one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(lines.map { Line(text: $0.text, confidence: $0.confidence) }, forKey: .lines)
        try container.encode(spines, forKey: .spines)
        guard let times else { return }
        try container.encode(times.decoding / .milliseconds(1), forKey: .decodingMilliseconds)
        try container.encode(times.reading.total / .milliseconds(1), forKey: .readingMilliseconds)
        try container.encode(times.matching / .milliseconds(1), forKey: .matchingMilliseconds)
    }
}

extension SeenSpine: Encodable {
    private enum Key: CodingKey { case text, book }

    /// Encodes the spine's place, its text and the URL of its book.
    public func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(book?.id, forKey: .book)
    }
}
