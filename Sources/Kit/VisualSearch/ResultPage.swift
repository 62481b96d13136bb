package import Basics
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

// MARK: - JSON

extension ResultPage: Encodable {
    /// Encodes the page with a card of each result, and without places in a ranking that is not complete.
    public func encode(to encoder: any Encoder) throws {
        try Members(fields: [
            "results": results.map { $0.json(language: language) }, "isComplete": isComplete,
            "milliseconds": time / .milliseconds(1), "reading": reading, "offset": isComplete ? offset : nil,
            "total": isComplete ? total : nil, "next": isComplete ? next : nil,
        ]).encode(to: encoder)
    }
}

extension VisualSearchResult {
    /// Returns the result with its card.
    package func json(language: String) -> Members {
        Members(content: self, fields: ["card": DisplayCard(self, language: language)])
    }
}

extension SeenReading: Encodable {
    private struct Line: Encodable { var text: String, confidence: Double }

    /// Encodes the reading; only a complete one has times.
    public func encode(to encoder: any Encoder) throws {
        try Members(fields: [
            "kind": kind, "lines": lines.map { Line(text: $0.text, confidence: $0.confidence) }, "spines": spines,
            "decodingMilliseconds": times.map { $0.decoding / .milliseconds(1) },
            "readingMilliseconds": times.map { $0.reading.total / .milliseconds(1) },
            "matchingMilliseconds": times.map { $0.matching / .milliseconds(1) },
        ]).encode(to: encoder)
    }
}

extension SeenSpine: Encodable {
    /// Encodes the spine's place, its text and the URL of its book.
    public func encode(to encoder: any Encoder) throws {
        try Members(content: place, fields: ["text": text, "book": book?.id]).encode(to: encoder)
    }
}
