import Basics
import TextRecognition
import VisualSearch

/// Results of a search, as `find --json` prints them and the page receives them.
struct FindReport: Encodable {
    struct Item: Encodable {
        var result: VisualSearchResult
        var card: DisplayCard

        private enum Key: CodingKey { case card }

        func encode(to encoder: any Encoder) throws {
            try result.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(card, forKey: .card)
        }
    }

    struct Reading: Encodable {
        struct Line: Encodable {
            var text: String
            var confidence: Double
        }

        var kind: SeenReading.Kind
        var lines: [Line]
        /// Time of decoding by the search's own clock.
        var decodingMilliseconds: Double
        var readingMilliseconds: Double
        var matchingMilliseconds: Double
    }

    /// Path of the picture, as requested; nil for labels alone.
    var path: String?
    var labels: [String]
    var results: [Item] = []
    /// Place of the first result in the ranking, from 0.
    var offset = 0
    /// Results in all.
    var total = 0
    /// Offset of the next page; nil on the last.
    var next: Int?
    var isComplete = true
    var reading: Reading?
    /// Time from the question to the page.
    var milliseconds: Double?
    /// Reason for missing results; nil with an answer.
    var error: String?

    init(_ page: ResultPage, path: String?, labels: [String], language: String) {
        self.path = path
        self.labels = labels
        results = page.results.map { Item(result: $0, card: DisplayCard($0, language: language)) }
        (offset, total, next, isComplete) = (page.offset, page.total, page.next, page.isComplete)
        milliseconds = page.time / .milliseconds(1)
        reading = page.reading.map { reading in
            Reading(
                kind: reading.kind,
                lines: reading.lines.map { .init(text: $0.text, confidence: $0.confidence) },
                decodingMilliseconds: reading.decoding / .milliseconds(1),
                readingMilliseconds: reading.reading.total / .milliseconds(1),
                matchingMilliseconds: reading.matching / .milliseconds(1)
            )
        }
    }

    init(path: String?, labels: [String], error: String) {
        self.path = path
        self.labels = labels
        self.error = error
        isComplete = false
    }
}

extension FindReport.Item {
    init(_ result: VisualSearchResult, language: String) {
        self.init(result: result, card: DisplayCard(result, language: language))
    }

    /// Returns lines for a terminal: the card, and the URL that opens it.
    func text(number: Int?) -> String {
        var head = number.map { "\(String($0).leftPadded(3))  " } ?? ""
        head += card.title
        if !card.subtitle.isEmpty { head += " · \(card.subtitle)" }
        if case .book(let book) = result, let confidence = book.confidence {
            head += "  (\(NumberText.percent(confidence)) sure)"
        }
        let indent = number == nil ? "" : "     "
        return head + "\n" + indent + result.id.description
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
