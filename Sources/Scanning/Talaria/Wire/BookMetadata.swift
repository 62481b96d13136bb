import Basics

/// A book as Talaria names it.
public struct BookMetadata: Sendable, Equatable {
    /// The title; empty only where `enrichmentStatus` says that no book was found.
    public var title: String
    /// The authors in order; empty where they are not known.
    public var authors: [String]
    /// Ten or thirteen digits (the tenth may be X) without hyphens; nil where there is no number.
    ///
    /// The check digit is the reader's to check.
    public var isbn: String?
    /// Where the picture of the cover is.
    public var coverURL: String?
    /// The publisher.
    public var publisher: String?
    /// An ISO 8601 date; the first of January where only the year is known.
    public var publishedDate: String?
    /// Pages.
    public var pageCount: Int?
    /// The binding, in the server's words.
    public var format: String?
    /// Confidence of the server, 0 to 1.
    public var confidence: Double?
    /// Status of the enrichment of these data.
    public var enrichmentStatus: EnrichmentStatus
    /// Where on the photo the spine is.
    public var boundingBox: NormalizedBox?
    /// Lines that the server read off the spine, in reading order; nil where it does not say.
    public var lines: [ReadLine]?
    /// Titles of books that go with this one, or that it may be taken for.
    public var relatedTitles: [String]
    /// Whether title and author are put together from the text alone: no record of a catalogue is behind them.
    public var isDraft: Bool

    /// A book with what is known of it.
    public init(
        title: String,
        authors: [String] = [],
        isbn: String? = nil,
        coverURL: String? = nil,
        publisher: String? = nil,
        publishedDate: String? = nil,
        pageCount: Int? = nil,
        format: String? = nil,
        confidence: Double? = nil,
        enrichmentStatus: EnrichmentStatus = .pending,
        boundingBox: NormalizedBox? = nil,
        lines: [ReadLine]? = nil,
        relatedTitles: [String] = [],
        isDraft: Bool = false
    ) {
        self.title = title
        self.authors = authors
        self.isbn = isbn.flatMap(Self.normalizedISBN)
        self.coverURL = coverURL
        self.publisher = publisher
        self.publishedDate = publishedDate
        self.pageCount = pageCount
        self.format = format
        self.confidence = confidence
        self.enrichmentStatus = enrichmentStatus
        self.boundingBox = boundingBox
        self.lines = lines
        self.relatedTitles = relatedTitles
        self.isDraft = isDraft
    }

    /// The year of `publishedDate`.
    public var publicationYear: Int? { publishedDate.flatMap { Int($0.prefix(4)) } }

    /// `text` without hyphens and spaces; nil unless it is an ISBN, as "unknown" is none (K-8).
    static func normalizedISBN(_ text: String) -> String? { ISBN(text) == nil ? nil : ISBN.compact(text) }
}
