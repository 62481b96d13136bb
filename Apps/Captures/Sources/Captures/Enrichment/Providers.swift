import Basics
import BookCatalogue
import CaptureReading
import Foundation
import Synchronization
import Talaria

/// Provider of a page's own metadata: OpenGraph, structured data and readable text.
///
/// The page's server learns that it was asked.
struct LinkProvider: EnrichmentProvider {
    let id = SourceID.link
    var limit = Duration.seconds(30)
    private let fetch: SafeFetch
    var pictures: PagePictures { PagePictures(fetch: fetch) }

    init(fetch: SafeFetch) { self.fetch = fetch }

    func applies(to query: EnrichmentQuery) -> Bool { query.url != nil }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        guard let url = query.url else { return nil }
        let answer = try await fetch.get(url) { answer in
            answer.isPage
                ? WebPage.forward(
                    html: answer.body,
                    contentType: answer.contentType,
                    refresh: answer.refresh,
                    url: answer.url
                ) : nil
        }
        try answer.check()
        guard answer.isPage else {
            return Facts(documentContext: DocumentContext(fileType: answer.mediaType))
        }
        let host = answer.url.host() ?? ""
        if let problem = WebPage.problem(of: answer.body, contentType: answer.contentType, coding: answer.coding) {
            throw EnrichmentError.refused("\(host): \(problem)")
        }
        return Facts(WebPage(html: answer.body, contentType: answer.contentType, url: answer.url))
    }
}

extension SafeFetch.Answer {
    /// Type of its content without parameters, in lower case.
    fileprivate var mediaType: String {
        (contentType?.lowercased() ?? "text/html").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }

    /// Whether it is said to be a page, a feed or a plain text.
    fileprivate var isPage: Bool {
        let type = mediaType
        return type.contains("html") || type == "text/plain" || type.hasSuffix("/xml")
            || type.hasSuffix("+xml") && !type.hasPrefix("image/")
    }
}

extension Facts {
    init(_ page: WebPage) {
        self.init(title: page.title?.bounded(to: 500), descriptionText: page.description?.bounded(to: 500))
        (image, price, currency, rating) = (page.image, page.price, page.currency, page.rating)
        categories.unite(((page.kind.map { [$0] } ?? []) + page.keywords.prefix(8)).map { $0.bounded(to: 100) })
        webContext = WebContext(
            siteName: (page.siteName ?? page.url.host())?.bounded(to: 200),
            faviconURL: page.favicon,
            textContent: page.text?.bounded(to: WebPage.mostText),
            structuredData: page.structuredData,
            url: page.url.absoluteString
        )
        bookContext = page.isbn.map { isbn in
            let authors = page.author.map { [$0.bounded(to: 200)] } ?? []
            return BookContext(title: title, authors: authors, isbn: isbn.digits)
        }
    }
}

/// Provider of this device's catalogue data for a book, by its number, else by title and author.
///
/// Nothing leaves the device.
final class BookProvider: EnrichmentProvider {
    let id = SourceID.catalogue
    /// The catalogue is opened for the first book; the one inside the program is then made, once on each machine.
    let limit = Duration.seconds(60)
    private let open: @Sendable () throws -> BookCatalogue
    private let opened = Mutex<BookCatalogue?>(nil)

    init(catalogue: @escaping @autoclosure @Sendable () throws -> BookCatalogue) { open = catalogue }

    func applies(to query: EnrichmentQuery) -> Bool {
        query.isbn != nil || query.kind == .book && query.title?.known != nil
    }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        let catalogue = try opened.withLock { opened in
            let catalogue = try opened ?? open()
            opened = catalogue
            return catalogue
        }
        let record: BookRecord?
        if let isbn = query.isbn.flatMap({ ISBN($0) }), let found = try catalogue.books(isbn: isbn).first {
            record = found
        } else if let title = query.title?.known {
            // A title alone identifies a book only if one author wrote a book of just this title.
            let key = FoldedText.key(title)
            let same = try catalogue.search(title, limit: 5).filter { FoldedText.key($0.title) == key }
            let wanted = query.authors.map(FoldedText.key)
            let fitting = same.filter { book in
                wanted.isEmpty || book.authors.map(FoldedText.key).contains { wanted.contains($0) }
            }
            record = wanted.isEmpty && Set(fitting.compactMap { $0.authors.first }).count > 1 ? nil : fitting.first
        } else {
            record = nil
        }
        return record.map { Facts(BookContext($0)) }
    }
}

extension BookContext {
    init(_ record: BookRecord) {
        self.init(title: record.title, authors: record.authors, isbn: record.isbn?.digits)
        (publisher, year) = (record.publisher, record.year)
    }
}

extension Facts {
    init(_ book: BookContext) { self.init(title: book.title, categories: ["Books"], bookContext: book) }
}

/// Provider of the user's home, computed on this device: no service is asked.
struct HomeProvider: EnrichmentProvider {
    let id = SourceID.home
    var limit = Duration.seconds(1)
    let home: Coordinate

    /// Returns whether there is a location of any age: the home does not change with the hour.
    func applies(to query: EnrichmentQuery) -> Bool { query.coordinate != nil }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        guard query.coordinate?.isAt(home) == true else { return nil }
        return Facts(location: PlaceContext.homeName, placeContext: PlaceContext(name: PlaceContext.homeName))
    }
}

extension Coordinate {
    /// Returns whether a point is within 100 m of the user's home.
    func isAt(_ home: Coordinate) -> Bool { metres(to: home) < 100 }

    /// Metres to another point, on a sphere of 6,371 km (haversine).
    func metres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let (a, b) = (latitude * radians, other.latitude * radians)
        let x = pow(sin((b - a) / 2), 2)
        let y = cos(a) * cos(b) * pow(sin((other.longitude - longitude) * radians / 2), 2)
        return 2 * 6_371_000 * asin(min(1, (x + y).squareRoot()))
    }
}

extension SafeFetch.Answer {
    func check() throws {
        let host = url.host() ?? ""
        switch status {
        case 200..<300: return
        case 408, 425, 429, 500..<600: throw EnrichmentError.busy("\(host) answered \(status)", wait: wait)
        case 401, 403: throw EnrichmentError.refused("\(host) refused with \(status); check its key")
        default: throw EnrichmentError.refused("\(host) answered \(status)")
        }
    }

    func json() throws -> JSONValue {
        try check()
        let host = url.host() ?? ""
        guard !isCut else { throw EnrichmentError.refused("\(host): the answer is too long") }
        do { return try JSONParser.parse(body) } catch {
            throw EnrichmentError.refused("\(host): the answer is not JSON: \(error)")
        }
    }
}
