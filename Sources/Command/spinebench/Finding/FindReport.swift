import Basics
import Imaging
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

        struct Spine: Encodable {
            var row, index: Int
            var outline: Quad?
            var orientation: TextOrientation?
            var text: [String]
            /// Identifier of its book; nil when it was not identified.
            var book: String?
        }

        var kind: SeenReading.Kind
        var lines: [Line] = []
        var spines: [Spine]
        /// Time of decoding by the search's own clock; nil while the rest is read.
        var decodingMilliseconds: Double?
        var readingMilliseconds: Double?
        var matchingMilliseconds: Double?
    }

    /// Path of the picture, as requested; nil for labels alone.
    var path: String?
    var labels: [String]
    var results: [Item] = []
    /// Place of the first result in the ranking, from 0; nil while the rest is read, as its results have no place yet.
    var offset: Int?
    /// Results in all; nil while the rest is read.
    var total: Int?
    /// Offset of the next page; nil on the last, and while the rest is read.
    var next: Int?
    var isComplete = true
    var reading: Reading?
    /// Time from the question to the page.
    var milliseconds: Double?
    /// Reason for missing results; nil with an answer.
    var error: String?

    /// `earlier`: a page of the same answer, the results and spines of which are omitted; nil for none.
    init(_ page: ResultPage, after earlier: ResultPage? = nil, path: String?, labels: [String], language: String) {
        self.path = path
        self.labels = labels
        let known = Set(earlier?.results.map(\.id) ?? [])
        results = page.results.filter { !known.contains($0.id) }.map { Item($0, language: language) }
        isComplete = page.isComplete
        milliseconds = page.time / .milliseconds(1)
        reading = page.reading.map { Reading($0, after: earlier?.reading) }
        guard isComplete else { return }
        (offset, total, next) = (page.offset, page.total, page.next)
        guard let times = page.reading else { return }
        reading?.lines = times.lines.map { .init(text: $0.text, confidence: $0.confidence) }
        reading?.decodingMilliseconds = times.decoding / .milliseconds(1)
        reading?.readingMilliseconds = times.reading.total / .milliseconds(1)
        reading?.matchingMilliseconds = times.matching / .milliseconds(1)
    }

    init(path: String?, labels: [String], error: String) {
        self.path = path
        self.labels = labels
        self.error = error
        (offset, total, isComplete) = (0, 0, false)
    }
}

extension FindReport.Reading {
    fileprivate init(_ reading: SeenReading, after earlier: SeenReading?) {
        let spines = reading.spines.filter { earlier?.spines.contains($0) != true }
        self.init(
            kind: reading.kind,
            spines: spines.map { spine in
                let place = spine.place
                return Spine(
                    row: place.row,
                    index: place.index,
                    outline: place.outline,
                    orientation: place.orientation,
                    text: spine.text,
                    book: spine.book?.id.description
                )
            }
        )
    }
}

extension FindReport.Item {
    init(_ result: VisualSearchResult, language: String) {
        self.init(result: result, card: DisplayCard(result, language: language))
    }

    /// Returns a probability as text: below 1, 99.9 % at most.
    static func percent(_ probability: Double) -> String {
        NumberText.percent(probability < 1 ? min(probability, 0.999) : 1)
    }

    /// Returns lines for a terminal: the card, and the URL that opens it; `place`: its number, or "·" while it has none.
    func text(place: String?) -> String {
        var head = place.map { "\($0.leftPadded(3))  " } ?? ""
        head += card.title
        if !card.subtitle.isEmpty { head += " · \(card.subtitle)" }
        if case .book(let book) = result, let confidence = book.confidence {
            head += "  (\(Self.percent(confidence)) sure)"
        }
        let indent = place == nil ? "" : "     "
        return head + "\n" + indent + result.id.description
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
