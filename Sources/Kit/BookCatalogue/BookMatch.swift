public import Basics

/// A candidate book of a text, with its probability.
public struct BookMatch: Sendable, Equatable, Codable {
    /// Matched record of the catalogue.
    public var book: BookRecord
    /// The probability that this is the book, 0…1, calibrated on labelled spines.
    public var confidence: Double

    /// Creates a candidate.
    public init(book: BookRecord, confidence: Double) {
        self.book = book
        self.confidence = confidence
    }
}

/// Result of matching a text with a catalogue.
public struct MatchResult: Sendable, Equatable, Codable {
    /// Best first; empty when nothing is like the text.
    public var candidates: [BookMatch]
    /// The first candidate when ``NamingPolicy`` names it on a spine; nil for "not in this catalogue".
    public var answer: BookMatch?

    /// Creates the result of a search.
    public init(candidates: [BookMatch], answer: BookMatch?) {
        self.candidates = candidates
        self.answer = answer
    }
}

/// A book as a catalogue lists it.
public struct BookRecord: Sendable, Equatable, Codable {
    /// Row of the book in the catalogue.
    public var id: Int64
    /// Cleaned of the series that some lists put behind it; with its subtitle where the list has one.
    public var title: String
    /// Authors as listed, most important first; empty if the list names none.
    public var authors: [String]
    /// ISBN of the list; nil if it is missing or invalid.
    public var isbn: ISBN?
    /// Series of the book, if listed.
    public var series: String?
    /// Number of the book in the series, if listed.
    public var seriesNumber: Int?
    /// Name of the publisher, as listed.
    public var publisher: String?
    /// Year of publication.
    public var year: Int?
    /// Language as listed: ISO 639 codes, mostly.
    public var language: String?
    /// Address of a picture of the cover.
    public var coverURL: String?
    /// Popularity: number of owners, ratings or loans, in the list's own unit; more is more popular.
    public var popularity: Double?

    /// Creates a book from its known data.
    public init(
        id: Int64 = 0,
        title: String,
        authors: [String] = [],
        isbn: ISBN? = nil,
        series: String? = nil,
        seriesNumber: Int? = nil,
        publisher: String? = nil,
        year: Int? = nil,
        language: String? = nil,
        coverURL: String? = nil,
        popularity: Double? = nil
    ) {
        self.id = id
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.series = series
        self.seriesNumber = seriesNumber
        self.publisher = publisher
        self.year = year
        self.language = language
        self.coverURL = coverURL
        self.popularity = popularity
    }
}
