/// Books that answer a search: `GET /v3/books/search`.
public struct BookSearchResults: Sendable, Equatable {
    /// The books, the best first.
    public var books: [BookMetadata]
    /// Number of all; nil where the server does not say.
    public var total: Int?

    /// Books that answer a search.
    public init(books: [BookMetadata], total: Int? = nil) {
        self.books = books
        self.total = total
    }
}

extension BookSearchResults: Codable {
    /// Reads the books under `books`, `results` or `items`, in an envelope or not.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        guard
            let books = fields.list(BookMetadata.self, "books", "results", "items")
                ?? outer.list(BookMetadata.self, "data")
        else { throw outer.missing("books", in: "the answer to a search") }
        self.init(books: books, total: fields.integer("total", "totalResults", "totalCount"))
    }

    /// Writes `{"success", "data": {"books", "total"}}`.
    public func encode(to encoder: any Encoder) throws {
        try Envelope(data: Content(books: books, total: total)).encode(to: encoder)
    }

    private struct Content: Encodable {
        let books: [BookMetadata]
        let total: Int?
    }
}
