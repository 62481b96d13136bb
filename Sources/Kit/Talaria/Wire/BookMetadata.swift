import Basics

/// A book as Talaria names it.
public struct BookMetadata: Sendable, Equatable, Codable {
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
    public var lines: [RemoteLine]?
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
        lines: [RemoteLine]? = nil,
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

extension BookMetadata {
    /// Gives the fields of a book the form of its properties, whichever server wrote them.
    static func repair(_ fields: inout [String: JSONValue]) {
        if case .string? = fields["authors"] { fields["authors"] = fields["authors"].map { .array([$0]) } }
        if let isbn = fields["isbn"]?.word { fields["isbn"] = normalizedISBN(isbn).map { .string($0) } }
        if fields["publishedDate"] == nil, let year = fields["publicationYear"]?.word.flatMap({ Int($0) }) {
            fields["publishedDate"] = (1000...9999).contains(year) ? .string("\(year)-01-01") : nil
        }
        if fields["enrichmentStatus"] == .string("not_found"), fields["title"] == nil { fields["title"] = .string("") }
        if fields["row"] != nil, fields["photo"] == nil { fields["photo"] = .number(1) }
        if case .array(let list)? = fields["boundingBox"], let box = NormalizedBox(edges: list.map(\.share)) {
            fields["boundingBox"] = .object([
                "x": .number(box.x), "y": .number(box.y), "width": .number(box.width), "height": .number(box.height),
            ])
        }
    }

    /// Writes the names of the scan routes, as in events and results.
    public func encode(to encoder: any Encoder) throws {
        // A number that is not known is null, as in the answers of the first servers.
        try common { camel, _ in camel }.encode(to: encoder)
        try Members(fields: [
            "author": authors.isEmpty ? nil : authors.joined(separator: ", "), "isbn": isbn as any Encodable,
            "place": place, "lines": lines,
        ]).encode(to: encoder)
    }

    /// The answer to a text, in the seed's `snake_case` (K-8): a client that sends text knows the lines and the place.
    package var enriched: some Encodable { Members(content: common { $1 }, fields: ["isbn": isbn]) }

    private func common(_ name: (_ camel: String, _ snake: String) -> String) -> Members {
        Members(fields: [
            "title": title.isEmpty ? nil : title, "authors": authors, name("coverUrl", "cover_url"): coverURL,
            "publisher": publisher, name("publishedDate", "published_date"): publishedDate,
            name("publicationYear", "publication_year"): publicationYear, name("pageCount", "page_count"): pageCount,
            "format": format, "confidence": confidence,
            name("enrichmentStatus", "enrichment_status"): enrichmentStatus,
            name("boundingBox", "bounding_box"): boundingBox,
            name("relatedTitles", "related_titles"): relatedTitles.isEmpty ? nil : relatedTitles,
            name("isDraft", "is_draft"): isDraft ? true : nil,
        ])
    }
}

/// Status of the enrichment of a book's metadata.
public enum EnrichmentStatus: String, Sendable, Hashable, Codable {
    case pending
    case success
    case notFound = "not_found"
    case error
    case circuitOpen = "circuit_open"
    case reviewNeeded = "review_needed"
}
