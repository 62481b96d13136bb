import Basics
import BookCatalogue
import Foundation
import Talaria

/// Provider of a Talaria back end's data for a book, by its number, else by title and author.
///
/// Number, title and authors leave the device, with an identity that lasts as long as this provider and does not
/// identify a device.
struct TalariaBookProvider: EnrichmentProvider {
    let id = SourceID.books
    var limit = Duration.seconds(10)
    private let client: TalariaClient

    init(
        url: URL,
        allowsPrivate: Bool,
        clock: any Clock<Duration> = ContinuousClock(),
        onTransfer: @escaping @Sendable (Transfer) -> Void
    ) {
        // The providers' caller retries itself.
        var configuration = ClientConfiguration(baseURL: url, deviceID: UUID(), retry: .never)
        configuration.requestTimeout = limit
        configuration.maximumResponseBytes = 1 << 20
        client = TalariaClient(
            configuration: configuration,
            transport: CheckedTransport(allowsPrivate: allowsPrivate),
            clock: clock,
            onTransfer: onTransfer
        )
    }

    func applies(to query: EnrichmentQuery) -> Bool { query.namesBook }

    /// Asks for the book.
    ///
    /// - Returns: the book; nil where the back end knows none of this number, title and author.
    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        do {
            var found = try await book(isbn: query.isbn)
            if found == nil, query.kind == .book, let title = query.title?.known {
                found = try await book(title: title, authors: query.authors)
            }
            return found.flatMap(Facts.init)
        } catch let error as TalariaError {
            var isPassing = error.isRetryable
            if case .unreachable = error { isPassing = true }
            throw isPassing ? EnrichmentError.busy("\(error)") : EnrichmentError.refused("\(error)")
        }
    }

    private func book(isbn text: String?) async throws -> BookMetadata? {
        guard let isbn = text.flatMap({ ISBN($0) }) else { return nil }
        return try await client.searchBooks(isbn.digits, limit: 5).first { $0.isbn.flatMap { ISBN($0) } == isbn }
    }

    /// Returns the book of just this title, and of one of the authors where any is known.
    ///
    /// The back end names a book for any text: a book other than the requested one is ignored.
    private func book(title: String, authors: [String]) async throws -> BookMetadata? {
        let authors = authors.prefix(5).map { $0.bounded(to: 200) }
        let lines = [title.bounded(to: 300)] + authors
        let text = lines.map { $0.replacing(/[\r\n]+/, with: " ") }.joined(separator: "\n")
        let request = EnrichRequest(rawText: text, deviceID: client.configuration.deviceID)
        let book: BookMetadata
        do { book = try await client.enrich(request) } catch TalariaError.refused(_, let problem)
            where problem.status == 422
        {
            // No letter and no digit in it.
            return nil
        }
        guard !book.isDraft, [.success, .reviewNeeded].contains(book.enrichmentStatus),
            FoldedText.key(book.title) == FoldedText.key(title)
        else { return nil }
        let wanted = Set(authors.map(FoldedText.key))
        if wanted.isEmpty { return book.enrichmentStatus == .success ? book : nil }
        return wanted.isDisjoint(with: book.authors.map(FoldedText.key)) ? nil : book
    }
}

extension Facts {
    /// Creates the facts of a book from a back end; nil when it names none.
    init?(_ metadata: BookMetadata) {
        guard let title = metadata.title.known else { return nil }
        let authors = metadata.authors.prefix(20).map { $0.bounded(to: 200) }
        var book = BookContext(title: title.bounded(to: 500), authors: authors)
        book.isbn = metadata.isbn.flatMap { ISBN($0) }?.digits
        book.publisher = metadata.publisher?.known?.bounded(to: 200)
        (book.year, book.confidence) = (metadata.publicationYear, metadata.confidence)
        self.init(book)
        image = metadata.coverURL.flatMap { $0.utf8.count <= 4_096 ? $0.known : nil }
    }
}

/// Transport of each request to the very address that its host's name was checked to resolve to, on a separate
/// connection.
struct CheckedTransport: HTTPTransport {
    /// Whether addresses of this machine and of private networks may be asked.
    var allowsPrivate: Bool

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        let rule = allowsPrivate ? NetworkAddress.Rule.mayBePrivate : .open
        return try await NetworkAddress.transport(to: request.url, by: rule).send(request, meter: meter)
    }
}
