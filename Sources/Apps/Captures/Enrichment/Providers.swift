import Basics
public import BookCatalogue
import CaptureReading
import Foundation
import Talaria

/// Provider of a page's own metadata: OpenGraph, structured data and readable text.
///
/// The page's server learns that it was asked.
public struct LinkProvider: EnrichmentProvider {
    /// "link".
    public let id = "link"
    /// Thirty seconds, as the original.
    public var limit = Duration.seconds(30)
    private let fetch: SafeFetch

    /// Creates a provider that fetches so.
    public init(fetch: SafeFetch) { self.fetch = fetch }

    /// Returns whether there is an address.
    public func applies(to query: EnrichmentQuery) -> Bool { query.url != nil }

    /// Fetches and reads the page.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let url = query.url else { return nil }
        let answer = try await fetch.get(url, endpoint: .link, contentClass: .text)
        try answer.check()
        let type = answer.contentType?.lowercased() ?? "text/html"
        guard type.contains("html") else {
            var data = EnrichmentData()
            var document = DocumentContext()
            document.fileType = String(type.prefix { $0 != ";" })
            data.documentContext = document
            return data
        }
        return EnrichmentData(WebPage(html: answer.body, contentType: answer.contentType, url: answer.url))
    }
}

extension EnrichmentData {
    /// Creates the facts from a page's own metadata.
    init(_ page: WebPage) {
        self.init()
        title = page.title?.bounded(to: 500)
        descriptionText = page.description?.bounded(to: 500)
        image = page.image
        categories.unite(((page.kind.map { [$0] } ?? []) + page.keywords.prefix(8)).map { $0.bounded(to: 100) })
        price = page.price
        rating = page.rating
        var web = WebContext()
        web.siteName = (page.siteName ?? page.url.host())?.bounded(to: 200)
        web.faviconURL = page.favicon
        web.textContent = page.text?.bounded(to: WebPage.mostText)
        web.structuredData = page.structuredData
        web.url = page.url.absoluteString
        webContext = web
        if let isbn = page.isbn {
            var book = BookContext()
            book.isbn = isbn.digits
            book.title = title
            book.authors = page.author.map { [$0.bounded(to: 200)] } ?? []
            bookContext = book
        }
    }
}

/// Provider of this device's catalogue data for a book, by its number, else by title and author.
///
/// Nothing leaves the device.
public struct BookProvider: EnrichmentProvider {
    /// "book".
    public let id = "book"
    /// Ten seconds.
    public var limit = Duration.seconds(10)
    private let catalogue: BookCatalogue

    /// Creates a provider over a catalogue.
    public init(catalogue: BookCatalogue) { self.catalogue = catalogue }

    /// Returns whether there is a number, or a book's title.
    public func applies(to query: EnrichmentQuery) -> Bool {
        query.isbn != nil || query.kind == .book && query.title?.known != nil
    }

    /// Looks the book up.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
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
        var book = BookContext()
        book.title = record.title
        book.authors = record.authors
        book.isbn = record.isbn?.digits
        book.publisher = record.publisher
        book.year = record.year
        var data = EnrichmentData()
        data.title = record.title
        data.categories = ["Books"]
        data.bookContext = book
        return data
    }
}

/// Weather at a place and time, of a server that speaks Open-Meteo's protocol (open-meteo.com/en/docs).
///
/// The place leaves the device.
public struct WeatherProvider: EnrichmentProvider {
    /// "weather".
    public let id = "weather"
    /// Ten seconds, as the original.
    public var limit = Duration.seconds(10)
    private let service: JSONService

    /// Creates a provider over a service.
    public init(service: JSONService) { self.service = service }

    /// Returns whether there is a place that was measured lately.
    public func applies(to query: EnrichmentQuery) -> Bool { query.freshCoordinate != nil }

    /// Asks for the weather.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let place = query.freshCoordinate else { return nil }
        let value = try await service.get(
            "v1/forecast",
            [
                ("latitude", service.rounded(place.latitude)), ("longitude", service.rounded(place.longitude)),
                ("current", "temperature_2m,weather_code"),
            ],
            endpoint: .weather,
            contentClass: .location
        )
        guard case .object(let object) = value, case .object(let current)? = object["current"],
            case .number(let temperature)? = current["temperature_2m"],
            case .number(let code)? = current["weather_code"]
        else {
            throw EnrichmentError.refused("\(service.host): the answer has no current temperature_2m and weather_code")
        }
        let (condition, symbol) = Self.words(Int(exactly: code) ?? -1)
        var data = EnrichmentData()
        data.weatherContext = WeatherContext(condition: condition, temperatureCelsius: temperature, symbolName: symbol)
        return data
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

/// Provider of facts about a name, from a server with the protocol of DuckDuckGo's Instant Answers.
///
/// The name leaves the device.
public struct WebSearchProvider: EnrichmentProvider {
    /// "web-search".
    public let id = "web-search"
    /// Ten seconds, as the original.
    public var limit = Duration.seconds(10)
    private let service: JSONService

    /// Creates a provider over a service.
    public init(service: JSONService) { self.service = service }

    /// Returns whether a place or product has a name.
    public func applies(to query: EnrichmentQuery) -> Bool { Self.name(in: query) != nil }

    /// Returns the name to search for: of a product, which may be its number, of a place, or of a picture's location.
    static func name(in query: EnrichmentQuery) -> String? {
        switch query.kind {
        case .product:
            query.title?.known.flatMap { title in
                // An address does not identify a name, and must not be sent to this service.
                title.contains("/") && EnrichmentData.isWeak(title: title) ? nil : title
            }
        case .place: query.placeName?.known ?? query.title?.known
        case .image: query.placeName?.known
        default: nil
        }
    }

    /// Asks for the name.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let name = Self.name(in: query) else { return nil }
        let value = try await service.get(
            "",
            [("q", name.bounded(to: 200)), ("format", "json"), ("no_html", "1"), ("skip_disambig", "1")],
            endpoint: .webSearch,
            contentClass: .text
        )
        guard case .object(let object) = value else {
            throw EnrichmentError.refused("\(service.host): the answer is not an object")
        }
        var data = EnrichmentData()
        data.descriptionText = object.text("AbstractText", most: 5_000)
        guard data.descriptionText != nil else { return nil }
        // Its heading never takes the place of a name, as the original's did; but a product's number is none.
        if query.kind == .product, EnrichmentData.isWeak(title: name) { data.title = object.text("Heading") }
        if let url = object.address("AbstractURL") {
            var web = WebContext()
            (web.url, web.siteName) = (url, object.text("AbstractSource"))
            data.webContext = web
        }
        return data
    }
}

/// The venue at a place, of a server that speaks the protocol of Foursquare's Places API.
///
/// The place leaves the device.
public struct PlaceProvider: EnrichmentProvider {
    /// "place".
    public let id = "place"
    /// Fifteen seconds, as the original.
    public var limit = Duration.seconds(15)
    private let service: JSONService
    private let home: Coordinate?

    /// Creates a provider over a service.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - home: the user's home: within 100 m of it, the place is "Home", and no service is asked.
    public init(service: JSONService, home: Coordinate?) { (self.service, self.home) = (service, home) }

    /// Returns whether there is a place that was measured lately.
    public func applies(to query: EnrichmentQuery) -> Bool { query.freshCoordinate != nil }

    /// Asks for the nearest venue.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let here = query.freshCoordinate else { return nil }
        if let home, here.metres(to: home) < 100 { return .home }
        let value = try await service.get(
            "places/search",
            [
                ("ll", "\(service.rounded(here.latitude)),\(service.rounded(here.longitude))"), ("radius", "100"),
                ("limit", "1"), ("sort", "DISTANCE"),
            ],
            endpoint: .place,
            contentClass: .location
        )
        guard case .object(let object) = value, case .array(let results)? = object["results"] else {
            throw EnrichmentError.refused("\(service.host): the answer has no results")
        }
        guard case .object(let venue)? = results.first else { return nil }
        var place = PlaceContext()
        place.name = venue.text("name")
        place.placeID = venue.text("fsq_place_id") ?? venue.text("fsq_id")
        place.phoneNumber = venue.text("tel")
        place.website = venue.address("website")
        if case .object(let location)? = venue["location"] { place.address = location.text("formatted_address") }
        // A venue without any data is ignored.
        guard place.name != nil || place.address != nil else { return nil }
        if case .number(let rating)? = venue["rating"], (0...10).contains(rating) { place.rating = rating / 2 }
        if case .array(let classes)? = venue["categories"] {
            place.categories = classes.prefix(20).compactMap { one in
                if case .object(let one) = one { one.text("name") } else { nil }
            }
        }
        (place.latitude, place.longitude) = (here.latitude, here.longitude)
        var data = EnrichmentData()
        data.placeContext = place
        data.location = place.name ?? place.address
        data.categories = place.categories
        return data
    }
}

/// Provider of the user's home, computed on this device: no service is asked.
public struct HomeProvider: EnrichmentProvider {
    /// "home".
    public let id = "home"
    /// A second; it takes none.
    public var limit = Duration.seconds(1)
    private let home: Coordinate

    /// Creates a provider for a home.
    public init(home: Coordinate) { self.home = home }

    /// Returns whether there is a location of any age: the home does not change with the hour.
    public func applies(to query: EnrichmentQuery) -> Bool { query.coordinate != nil }

    /// Returns "Home" within 100 m.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let here = query.coordinate, here.metres(to: home) < 100 else { return nil }
        return .home
    }
}

extension EnrichmentData {
    fileprivate static var home: EnrichmentData {
        var place = PlaceContext()
        place.name = PlaceContext.homeName
        var data = EnrichmentData()
        (data.placeContext, data.location) = (place, PlaceContext.homeName)
        return data
    }
}

extension Coordinate {
    /// Metres to another point, on a sphere of 6,371 km (haversine).
    func metres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let (a, b) = (latitude * radians, other.latitude * radians)
        let x = pow(sin((b - a) / 2), 2)
        let y = cos(a) * cos(b) * pow(sin((other.longitude - longitude) * radians / 2), 2)
        return 2 * 6_371_000 * asin(min(1, (x + y).squareRoot()))
    }
}

extension [String: JSONValue] {
    /// Returns the text of that name, limited to a number of characters; nil where there is none.
    func text(_ key: String, most: Int = 500) -> String? {
        if case .string(let text)? = self[key] { text.known?.bounded(to: most) } else { nil }
    }

    /// Returns the address of that name, whole; nil where there is none, and for one of more than 4,096 bytes.
    func address(_ key: String) -> String? {
        if case .string(let text)? = self[key], text.utf8.count <= 4_096 { text.known } else { nil }
    }
}

extension SafeFetch.Answer {
    /// - Throws: ``EnrichmentError`` for an answer that is none.
    func check() throws {
        switch status {
        case 200..<300: return
        case 408, 425, 429, 500..<600: throw EnrichmentError.transient("\(url.host() ?? "") answered \(status)")
        case 401, 403: throw EnrichmentError.refused("\(url.host() ?? "") refused with \(status); check its key")
        default: throw EnrichmentError.refused("\(url.host() ?? "") answered \(status)")
        }
    }

    /// Returns the answer's JSON.
    ///
    /// - Throws: ``EnrichmentError`` for an answer that is none.
    func json() throws -> JSONValue {
        try check()
        let host = url.host() ?? ""
        guard !isCut else { throw EnrichmentError.refused("\(host): the answer is too long") }
        do {
            return try body.withUnsafeBufferPointer { try JSONParser.parse($0, mode: .strict) }
        } catch {
            throw EnrichmentError.refused("\(host): the answer is not JSON: \(error)")
        }
    }
}
