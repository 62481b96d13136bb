/// The books of a scan, each once, though every one is sent twice: in an event of its own and with the end.
struct RemoteBooks {
    /// Books in the order of their first appearance, each with its latest data.
    private(set) var books: [BookMetadata] = []
    private var seenAt: [Duration] = []
    private let window: Duration

    init(window: Duration) { self.window = window }

    /// Adds a book, or completes the one that it is.
    ///
    /// - Returns: Whether the book is new, or has not come within the window.
    mutating func add(_ book: BookMetadata, at now: Duration) -> Bool {
        guard let index = books.firstIndex(where: { Self.isSame($0, book) }) else {
            books.append(book)
            seenAt.append(now)
            return true
        }
        books[index] = Self.merged(books[index], book)
        guard now - seenAt[index] >= window else { return false }
        seenAt[index] = now
        return true
    }

    /// Returns whether two records are of one book: the same place on a photo of shelves, else the same number, else
    /// the same title and authors without regard to case.
    private static func isSame(_ a: BookMetadata, _ b: BookMetadata) -> Bool {
        if let a = a.place, let b = b.place { return a.isSame(as: b) }
        if let a = a.isbn, let b = b.isbn { return a == b }
        let keys = [a, b].map { "\($0.title)|\($0.authors.joined(separator: ","))".lowercased() }
        return keys[0] == keys[1]
    }

    /// Returns the newer data, completed by that of the older one.
    private static func merged(_ old: BookMetadata, _ new: BookMetadata) -> BookMetadata {
        var book = new
        if book.authors.isEmpty { book.authors = old.authors }
        if book.relatedTitles.isEmpty { book.relatedTitles = old.relatedTitles }
        book.isbn = new.isbn ?? old.isbn
        book.coverURL = new.coverURL ?? old.coverURL
        book.publisher = new.publisher ?? old.publisher
        book.publishedDate = new.publishedDate ?? old.publishedDate
        book.pageCount = new.pageCount ?? old.pageCount
        book.format = new.format ?? old.format
        book.confidence = new.confidence ?? old.confidence
        book.boundingBox = new.boundingBox ?? old.boundingBox
        book.lines = new.lines ?? old.lines
        book.place = new.place?.outline == nil ? old.place ?? new.place : new.place
        if new.enrichmentStatus == .pending { book.enrichmentStatus = old.enrichmentStatus }
        return book
    }
}

package struct ScanOutcome: Sendable, Equatable {
    package var jobID: String
    /// The job's token; nil from servers without tokens.
    package var token: String?
    /// Books, each once, with the latest data.
    package var books: [BookMetadata] = []
    package var summary: ScanSummary?
    /// Number of times that the stream was reopened.
    package var reconnects: Int = 0
    /// Events that could not be read, and were passed over (S2-39).
    package var malformedEvents: Int = 0
    /// Whether the books were fetched from the results, as the stream did not bring them.
    package var fetchedResults: Bool = false
    /// Whether the server has deleted its data; nil if that was not requested.
    package var cleanedUp: Bool?
}
