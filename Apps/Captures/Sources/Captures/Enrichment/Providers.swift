import Basics
package import BookCatalogue
import CaptureReading
import Foundation
import Talaria

/// Provider of a page's own metadata: OpenGraph, structured data and readable text.
///
/// The page's server learns that it was asked.
package struct LinkProvider: EnrichmentProvider {
    package let id = "link"
    package var limit = Duration.seconds(30)
    private let fetch: SafeFetch
    var pictures: PagePictures { PagePictures(fetch: fetch) }

    package init(fetch: SafeFetch) { self.fetch = fetch }

    package func applies(to query: EnrichmentQuery) -> Bool { query.url != nil }

    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let url = query.url else { return nil }
        let answer = try await fetch.get(url, endpoint: .link, contentClass: .text) { answer in
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
            return EnrichmentData(documentContext: DocumentContext(fileType: answer.mediaType))
        }
        let host = answer.url.host() ?? ""
        if let problem = WebPage.problem(of: answer.body, contentType: answer.contentType, coding: answer.coding) {
            throw EnrichmentError.refused("\(host): \(problem)")
        }
        return EnrichmentData(WebPage(html: answer.body, contentType: answer.contentType, url: answer.url))
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

extension EnrichmentData {
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
package struct BookProvider: EnrichmentProvider {
    package let id = "book"
    package var limit = Duration.seconds(10)
    private let catalogue: BookCatalogue

    package init(catalogue: BookCatalogue) { self.catalogue = catalogue }

    package func applies(to query: EnrichmentQuery) -> Bool { query.namesBook }

    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
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
        guard let record else { return nil }
        var book = BookContext(title: record.title, authors: record.authors, isbn: record.isbn?.digits)
        (book.publisher, book.year) = (record.publisher, record.year)
        return EnrichmentData(book)
    }
}

extension EnrichmentQuery {
    /// Whether there is a book's number or title.
    var namesBook: Bool { isbn != nil || kind == .book && title?.known != nil }
}

extension EnrichmentData {
    init(_ book: BookContext) { self.init(title: book.title, categories: ["Books"], bookContext: book) }
}

/// Weather at a place and time, of a server that speaks Open-Meteo's protocol (open-meteo.com/en/docs).
///
/// The place leaves the device, unless it is the user's home.
package struct WeatherProvider: EnrichmentProvider {
    package let id = "weather"
    package var limit = Duration.seconds(10)
    private let service: JSONService
    private let home: Coordinate?

    package init(service: JSONService, home: Coordinate? = nil) { (self.service, self.home) = (service, home) }

    package func applies(to query: EnrichmentQuery) -> Bool {
        query.freshCoordinate.map { here in home.map { !here.isAt($0) } ?? true } ?? false
    }

    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let place = query.freshCoordinate else { return nil }
        let answer = try await service.get(
            "v1/forecast",
            [
                ("latitude", service.rounded(place.latitude)), ("longitude", service.rounded(place.longitude)),
                ("current", "temperature_2m,weather_code"),
            ],
            endpoint: .weather,
            contentClass: .location
        )
        let current = answer["current"]
        guard let temperature = current?["temperature_2m"]?.number, let code = current?["weather_code"]?.number else {
            throw EnrichmentError.refused("\(service.host): the answer has no current temperature_2m and weather_code")
        }
        let (condition, symbol) = Self.words(Int(exactly: code) ?? -1)
        return EnrichmentData(
            weatherContext: WeatherContext(condition: condition, temperatureCelsius: temperature, symbolName: symbol)
        )
    }

    /// Returns the condition and symbol of a code of WMO's table 4677, as Open-Meteo uses it.
    static func words(_ code: Int) -> (condition: String, symbol: String) {
        switch code {
        case 0: ("Sunny", "sun.max")
        case 1, 2: ("Partly Cloudy", "cloud.sun")
        case 3: ("Cloudy", "cloud")
        case 45, 48: ("Foggy", "cloud.fog")
        case 51...57: ("Drizzle", "cloud.drizzle")
        case 61...67, 80...82: ("Rainy", "cloud.rain")
        case 71...77, 85, 86: ("Snowy", "cloud.snow")
        case 95...99: ("Thunderstorm", "cloud.bolt.rain")
        default: ("Unknown", "questionmark")
        }
    }
}

/// Provider of candidates for facts about a name, from a server with the protocol of DuckDuckGo's Instant Answers.
///
/// The name leaves the device.
package struct WebSearchProvider: EnrichmentProvider {
    package let id = "web-search"
    package var limit = Duration.seconds(10)
    private let service: JSONService

    package init(service: JSONService) { self.service = service }

    package func applies(to query: EnrichmentQuery) -> Bool { Self.name(in: query) != nil }

    /// Returns the name to search for: of a product, which may be its number, of a place, or of a picture's location.
    static func name(in query: EnrichmentQuery) -> String? {
        switch query.kind {
        case .product: query.titleWithoutAddress
        case .place: query.placeName?.known ?? query.title?.known
        case .image: query.placeName?.known
        default: nil
        }
    }

    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let name = Self.name(in: query) else { return nil }
        let answer = try await service.get(
            "",
            [("q", name.bounded(to: 200)), ("format", "json"), ("no_html", "1"), ("skip_disambig", "1")],
            endpoint: .webSearch,
            contentClass: .text
        )
        guard answer.isObject else { throw EnrichmentError.refused("\(service.host): the answer is not an object") }
        guard let text = answer.text("AbstractText", most: 5_000) else { return nil }
        let fields = [
            ("title", answer.text("Heading")), ("description", text), ("site", answer.text("AbstractSource")),
            ("address", answer.address("AbstractURL")),
        ]
        var data = EnrichmentData()
        data.candidates = fields.compactMap { field, value in
            value.map { FieldCandidate(field: field, value: $0, source: id) }
        }
        return data
    }
}

extension EnrichmentQuery {
    /// The title to ask a service for; nil for an address, which identifies no name and must not be sent.
    var titleWithoutAddress: String? {
        title?.known.flatMap { $0.contains("/") && EnrichmentData.isWeak(title: $0) ? nil : $0 }
    }
}

/// The venue at a place, of a server that speaks the protocol of Foursquare's Places API.
///
/// The place leaves the device, unless it is the user's home.
package struct PlaceProvider: EnrichmentProvider {
    package let id = "place"
    package var limit = Duration.seconds(15)
    private let service: JSONService
    private let home: Coordinate?

    package init(service: JSONService, home: Coordinate?) { (self.service, self.home) = (service, home) }

    package func applies(to query: EnrichmentQuery) -> Bool { query.freshCoordinate != nil }

    /// Asks for the venues within 100 m that fit the text that was seen, and then for any; none at home.
    ///
    /// - Returns: the nearest venue whose name was seen, else the nearest.
    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let here = query.freshCoordinate else { return nil }
        if let home, here.isAt(home) { return .home }
        var venues: [JSONValue] = []
        let questions = query.seenText.map { [$0, nil] } ?? [nil]
        for text in questions where venues.isEmpty {
            let answer = try await service.get(
                "places/search",
                [
                    ("ll", "\(service.rounded(here.latitude)),\(service.rounded(here.longitude))"),
                    ("radius", "100"), ("limit", text == nil ? "1" : "10"), ("sort", "DISTANCE"),
                ] + (text.map { [("query", $0)] } ?? []),
                endpoint: .place,
                contentClass: .location
            )
            guard let results = answer["results"]?.list else {
                throw EnrichmentError.refused("\(service.host): the answer has no results")
            }
            venues = results
        }
        let seen = " \(FoldedText.key(query.seenText ?? "")) "
        let named = venues.first { seen.contains(" \(FoldedText.key($0.text("name") ?? "?")) ") }
        guard let venue = named ?? venues.first else { return nil }
        var place = PlaceContext(name: venue.text("name"), address: venue["location"]?.text("formatted_address"))
        // A venue without any data is ignored.
        guard place.name != nil || place.address != nil else { return nil }
        place.placeID = venue.text("fsq_place_id") ?? venue.text("fsq_id")
        (place.phoneNumber, place.website) = (venue.text("tel"), venue.address("website"))
        if let rating = venue["rating"]?.number, (0...10).contains(rating) { place.rating = rating / 2 }
        place.categories = (venue["categories"]?.list ?? []).prefix(20).compactMap { $0.text("name") }
        place.photos = (venue["photos"]?.list ?? []).prefix(5).compactMap { photo in
            guard let start = photo.address("prefix"), let end = photo.text("suffix") else { return nil }
            return "\(start)original\(end)"
        }
        place.tips = (venue["tips"]?.list ?? []).prefix(5).compactMap { $0.text("text") }
        if case .bool(let isOpen)? = venue["hours"]?["open_now"] { place.isOpen = isOpen }
        place.priceLevel = venue["price"]?.number.flatMap { Int(exactly: $0) }.flatMap {
            (1...4).contains($0) ? $0 : nil
        }
        (place.latitude, place.longitude) = (here.latitude, here.longitude)
        let location = place.name ?? place.address
        return EnrichmentData(categories: place.categories, location: location, placeContext: place)
    }
}

/// Provider of the user's home, computed on this device: no service is asked.
struct HomeProvider: EnrichmentProvider {
    let id = "home"
    var limit = Duration.seconds(1)
    let home: Coordinate

    /// Returns whether there is a location of any age: the home does not change with the hour.
    func applies(to query: EnrichmentQuery) -> Bool { query.coordinate != nil }

    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        query.coordinate?.isAt(home) == true ? .home : nil
    }
}

extension EnrichmentData {
    fileprivate static var home: EnrichmentData {
        EnrichmentData(location: PlaceContext.homeName, placeContext: PlaceContext(name: PlaceContext.homeName))
    }
}

extension Coordinate {
    /// Returns whether a point is within 100 m of the user's home.
    fileprivate func isAt(_ home: Coordinate) -> Bool { metres(to: home) < 100 }

    /// Metres to another point, on a sphere of 6,371 km (haversine).
    func metres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let (a, b) = (latitude * radians, other.latitude * radians)
        let x = pow(sin((b - a) / 2), 2)
        let y = cos(a) * cos(b) * pow(sin((other.longitude - longitude) * radians / 2), 2)
        return 2 * 6_371_000 * asin(min(1, (x + y).squareRoot()))
    }
}

extension JSONValue {
    /// Returns the text of that name, limited to a number of characters; nil where there is none.
    func text(_ name: String, most: Int = 500) -> String? { self[name]?.text?.known?.bounded(to: most) }

    /// Returns the address of that name, whole; nil where there is none, and for one of more than 4,096 bytes.
    func address(_ name: String) -> String? {
        self[name]?.text.flatMap { $0.utf8.count <= 4_096 ? $0.known : nil }
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
