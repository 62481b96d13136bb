import Basics
package import Foundation

/// A book as Talaria names it.
public struct BookMetadata: Sendable, Equatable {
    /// Title; empty only if `enrichmentStatus` reports that no book was found.
    public var title: String
    /// The authors in order; empty where they are not known.
    public var authors: [String]
    /// Ten or thirteen digits (the tenth may be X) without hyphens; nil without a number.
    ///
    /// The check digit is not verified.
    public var isbn: String?
    /// Address of the picture of the cover.
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
    /// Position of the spine on the photo.
    public var boundingBox: NormalizedBox?
    /// Place on a photo of shelves; nil on a photo of one spine, and if the server does not report it.
    public var place: SpinePlace?
    /// Lines that the server read off the spine, in reading order; nil if it does not report them.
    public var lines: [ReadLine]?
    /// Titles of books that go with this one, or that it may be taken for.
    public var relatedTitles: [String]
    /// Whether title and author are put together from the text alone: no record of a catalogue is behind them.
    public var isDraft: Bool

    /// Creates a book from its known data.
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
        place: SpinePlace? = nil,
        lines: [ReadLine]? = nil,
        relatedTitles: [String] = [],
        isDraft: Bool = false
    ) {
        (self.title, self.authors) = (title, authors)
        self.isbn = isbn.flatMap(Self.normalizedISBN)
        (self.coverURL, self.publisher, self.publishedDate) = (coverURL, publisher, publishedDate)
        (self.pageCount, self.format, self.confidence) = (pageCount, format, confidence)
        (self.enrichmentStatus, self.boundingBox, self.place) = (enrichmentStatus, boundingBox, place)
        (self.lines, self.relatedTitles, self.isDraft) = (lines, relatedTitles, isDraft)
    }

    /// The year of `publishedDate`.
    public var publicationYear: Int? { publishedDate.flatMap { Int($0.prefix(4)) } }

    /// Returns `text` without hyphens and spaces; nil unless it is an ISBN, as "unknown" is none (K-8).
    static func normalizedISBN(_ text: String) -> String? { ISBN(text) == nil ? nil : ISBN.compact(text) }
}

extension BookMetadata: Codable {
    /// Reads a book in any generation's names: flat, or under `book`, `enrichment` or `data`.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder).unwrapped
        let fields = outer.inner("book", "enrichment") ?? outer
        let status = fields.value(EnrichmentStatus.self, "enrichmentStatus", "enrichment_status") ?? .pending
        let title = fields.text("title", "verifiedTitle")
        guard title != nil || status == .notFound else { throw fields.missing("title", in: "a book") }
        let authors =
            fields.list(String.self, "authors", "author")
            ?? fields.text("author", "authors", "verifiedAuthor").map { [$0] } ?? []
        let year = fields.integer("publicationYear", "publication_year", "year")
        self.init(
            title: title ?? "",
            authors: authors.filter { !$0.allSatisfy(\.isWhitespace) },
            isbn: fields.text("isbn", "isbn13", "isbn10"),
            coverURL: fields.text("coverUrl", "cover_url", "coverURL"),
            publisher: fields.text("publisher"),
            publishedDate: fields.text("publishedDate", "published_date") ?? year.flatMap(Self.firstDay),
            pageCount: fields.integer("pageCount", "page_count"),
            format: fields.text("format"),
            confidence: fields.share("confidence") ?? outer.share("confidence"),
            enrichmentStatus: status,
            boundingBox: fields.value(NormalizedBox.self, "boundingBox", "bounding_box"),
            place: fields.value(SpinePlace.self, "place"),
            lines: fields.list(ReadLine.self, "lines"),
            relatedTitles: fields.list(String.self, "relatedTitles", "related_titles") ?? [],
            isDraft: fields.flag("isDraft", "is_draft") ?? false
        )
    }

    /// Writes the names of the scan routes, as in events and results.
    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, as: .scan) }

    /// The names that a route uses (K-8).
    package enum Form: Sendable {
        /// The seed's `snake_case`, on the enrichment route.
        case enrich
        /// The later generations' `camelCase`, on the scan routes.
        case scan
    }

    /// Returns the book as JSON, in the names of a route.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package func encoded(as form: Form) throws -> Data {
        switch form {
        case .enrich: try WireJSON.encode(Enriched(book: self))
        case .scan: try WireJSON.encode(self)
        }
    }

    private struct Enriched: Encodable {
        let book: BookMetadata

        func encode(to encoder: any Encoder) throws { try book.encode(to: encoder, as: .enrich) }
    }

    private func encode(to encoder: any Encoder, as form: Form) throws {
        let isSeed = form == .enrich
        func key(_ camel: String, _ snake: String) -> String { isSeed ? snake : camel }
        try encoder.write([
            ("title", title.isEmpty ? nil : title), ("authors", authors),
            ("author", isSeed || authors.isEmpty ? nil : authors.joined(separator: ", ")),
            (key("coverUrl", "cover_url"), coverURL), ("publisher", publisher),
            (key("publishedDate", "published_date"), publishedDate),
            (key("publicationYear", "publication_year"), publicationYear), (key("pageCount", "page_count"), pageCount),
            ("format", format), ("confidence", confidence),
            (key("enrichmentStatus", "enrichment_status"), enrichmentStatus),
            (key("boundingBox", "bounding_box"), boundingBox),
            // A client that sends text knows the text and its position.
            ("place", isSeed ? nil : place), ("lines", isSeed ? nil : lines),
            (key("relatedTitles", "related_titles"), relatedTitles.isEmpty ? nil : relatedTitles),
            (key("isDraft", "is_draft"), isDraft ? true : nil),
        ])
        // Written as null where there is none, as the scan routes do.
        var container = encoder.container(keyedBy: WireKey.self)
        if isbn != nil || !isSeed { try container.encode(isbn, forKey: WireKey("isbn")) }
    }

    /// Returns the first of January of a year of four digits.
    private static func firstDay(of year: Int) -> String? { (1000...9999).contains(year) ? "\(year)-01-01" : nil }
}

/// Status of the enrichment of a book's metadata.
public enum EnrichmentStatus: String, Sendable, Hashable, CaseIterable {
    case pending
    case success
    case notFound = "not_found"
    case error
    case circuitOpen = "circuit_open"
    case reviewNeeded = "review_needed"
}

extension EnrichmentStatus: Codable {
    /// Reads a status; one that is not known is pending.
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .pending
    }
}
