import Basics
import CaptureReading
import Foundation
import Synchronization
import Talaria

/// A service that answers questions in JSON: whom it is asked by which addresses, and where facts stand in its answers.
///
/// To add one, add a row to ``services``.
struct JSONSource: EnrichmentProvider {
    let id: SourceID
    var limit: Duration
    private let service: Service
    private let base: URL
    private let key: String?
    private let fetch: SafeFetch
    /// The user's home, about which no service is asked.
    private let home: Coordinate?
    private let tokens: ClientTokens?

    /// Creates the source of a row; nil for a source that has none.
    init?(
        _ id: SourceID,
        base: URL,
        key: String? = nil,
        home: Coordinate? = nil,
        tokens: ClientTokens? = nil,
        fetch: SafeFetch
    ) {
        guard let service = Self.services[id] else { return nil }
        (self.id, self.service, limit) = (id, service, service.limit)
        (self.base, self.key, self.home, self.tokens, self.fetch) = (base, key, home, tokens, fetch)
    }

    struct Service: Sendable {
        var endpoint: Transfer.Endpoint
        var contentClass = Transfer.ContentClass.text
        var limit = Duration.seconds(10)
        var headers: [(name: String, value: String)] = []
        /// Questions, asked one after the other until one brings facts; one whose `{name}` has no value is omitted.
        var questions: [Question]
        var fields: [Field]
        /// What an answer must have; nil where it may have nothing.
        var need: String?
        /// Chooses one of the found facts; nil for none.
        var choose: @Sendable ([Facts], EnrichmentQuery) -> Facts? = { found, _ in found.first }
    }

    struct Question: Sendable {
        /// Path and query with `{name}` for values of the question: see ``EnrichmentQuery/value(_:)``.
        var template: String
        /// Path of the object, or list of objects, with facts; nil for the whole answer.
        var place: String?
    }

    func applies(to query: EnrichmentQuery) -> Bool { service.questions.contains { address($0, query) != nil } }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        let host = base.host() ?? base.absoluteString
        for question in service.questions {
            guard let url = address(question, query) else { continue }
            var headers = service.headers
            if let key = try await tokens?.token() ?? key { headers.append(("Authorization", "Bearer \(key)")) }
            let answer = try await fetch.get(
                url,
                endpoint: service.endpoint,
                contentClass: service.contentClass,
                headers: headers
            ).json()
            let place = question.place.map { answer.at($0) } ?? (answer.isObject ? answer : nil)
            guard let place else {
                let problem = question.place.map { "has no \($0)" } ?? "is not an object"
                throw EnrichmentError.refused("\(host): the answer \(problem)")
            }
            let found = (place.list ?? [place]).map { object in
                service.fields.reduce(into: Facts()) { facts, field in
                    if let value = field.path.isEmpty ? object : object.at(field.path) { field.set(&facts, value) }
                }
            }
            if let facts = service.choose(found.filter { $0 != Facts() }, query) { return facts }
            if let need = service.need { throw EnrichmentError.refused("\(host): the answer has no \(need)") }
        }
        return nil
    }

    /// Returns the address of a question; nil where a value is missing, and for a place at home.
    private func address(_ question: Question, _ query: EnrichmentQuery) -> URL? {
        if service.contentClass == .location, let home, query.coordinate?.isAt(home) == true { return nil }
        var isWhole = true
        func filled(_ text: some StringProtocol) -> String {
            String(text).replacing(/\{(\w+)\}/) { match in
                let value = query.value(String(match.1))
                if value == nil { isWhole = false }
                return value ?? ""
            }
        }
        let parts = question.template.split(separator: "?", omittingEmptySubsequences: false)
        var url = parts[0].isEmpty ? base : base.appending(path: filled(parts[0]))
        let items = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { item in
            let pair = item.split(separator: "=")
            return URLQueryItem(name: String(pair[0]), value: filled(pair[1]))
        }
        if !items.isEmpty { url.append(queryItems: items) }
        return isWhole ? url : nil
    }
}

extension EnrichmentQuery {
    /// Returns a value for a service's address; nil where it is not known, or must not be sent.
    fileprivate func value(_ name: String) -> String? {
        /// Degrees to three places, about 100 m: services receive no higher accuracy.
        func rounded(_ degrees: Double) -> String { "\((degrees * 1_000).rounded() / 1_000)" }
        return switch name {
        case "latitude": freshCoordinate.map { rounded($0.latitude) }
        case "longitude": freshCoordinate.map { rounded($0.longitude) }
        case "seen": seenText
        case "name": searchedName?.bounded(to: 200)
        case "piece": MusicAddress.piece(url)
        case "music":
            kind == .media && isMusic != false && url.flatMap(MusicAddress.piece) == nil
                ? titleWithoutAddress?.bounded(to: 200) : nil
        default: nil
        }
    }

    /// Name to search for: of a product, which may be its number, of a place, or of a picture's location.
    private var searchedName: String? {
        switch kind {
        case .product: titleWithoutAddress
        case .place: placeName?.known ?? title?.known
        case .image: placeName?.known
        default: nil
        }
    }

    /// The title to ask a service for; nil for an address, which identifies no name and must not be sent.
    private var titleWithoutAddress: String? {
        title?.known.flatMap { $0.contains("/") && Facts.isWeak(title: $0) ? nil : $0 }
    }
}

// MARK: - Fields

extension JSONSource {
    /// Field of an answer, and what it says; "" for the whole object.
    struct Field: Sendable {
        var path: String
        var set: @Sendable (inout Facts, JSONValue) -> Void

        typealias TextPath = WritableKeyPath<Facts, String?> & Sendable
        typealias ListPath = WritableKeyPath<Facts, [String]> & Sendable

        /// A text, of the first path that has one.
        static func text(_ path: String, _ field: any TextPath, most: Int = 500) -> Field {
            Field(path: path) { facts, value in
                facts[keyPath: field] = facts[keyPath: field] ?? value.texts.first?.known?.bounded(to: most)
            }
        }

        /// An address, whole; none of more than 4,096 bytes.
        static func address(_ path: String, _ field: any TextPath) -> Field {
            Field(path: path) { facts, value in
                if value.texts.first?.utf8.count ?? 0 <= 4_096 { text(path, field, most: 4_096).set(&facts, value) }
            }
        }

        static func texts(_ path: String, _ field: any ListPath, most: Int) -> Field {
            Field(path: path) { facts, value in
                facts[keyPath: field] = value.texts.prefix(most).compactMap { $0.known?.bounded(to: 500) }
            }
        }

        static func number(
            _ path: String,
            in range: ClosedRange<Double>,
            _ set: @escaping @Sendable (inout Facts, Double) -> Void
        ) -> Field {
            Field(path: path) { facts, value in
                if let number = value.number, range.contains(number) { set(&facts, number) }
            }
        }
    }
}

extension Facts {
    fileprivate var web: WebContext {
        get { webContext ?? WebContext() }
        set { webContext = newValue }
    }
    fileprivate var place: PlaceContext {
        get { placeContext ?? PlaceContext() }
        set { placeContext = newValue == PlaceContext() ? nil : newValue }
    }
    fileprivate var music: MusicContext {
        get { musicContext ?? MusicContext() }
        set { musicContext = newValue == MusicContext() ? nil : newValue }
    }
}

extension JSONValue {
    /// Returns the value at a path of members, "a.b"; of a list, the values of its elements.
    fileprivate func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, name in
            if let list = value?.list { return .array(list.compactMap { $0[String(name)] }) }
            return value?[String(name)]
        }
    }
}

// MARK: - Services

extension JSONSource {
    static let services: [SourceID: Service] = [
        // Open-Meteo's protocol (open-meteo.com/en/docs).
        .weather: Service(
            endpoint: .weather,
            contentClass: .location,
            questions: [
                Question(
                    template:
                        "v1/forecast?latitude={latitude}&longitude={longitude}&current=temperature_2m,weather_code",
                    place: "current"
                )
            ],
            fields: [
                Field(path: "") { facts, current in
                    guard let code = current["weather_code"]?.number, let warmth = current["temperature_2m"]?.number
                    else { return }
                    let (condition, symbol) = weather(Int(exactly: code) ?? -1)
                    facts.weatherContext = WeatherContext(
                        condition: condition,
                        temperatureCelsius: warmth,
                        symbolName: symbol
                    )
                }
            ],
            need: "current temperature_2m and weather_code"
        ),
        // Foursquare's Places API: venues within 100 m that fit the text that was seen, and then any.
        .place: Service(
            endpoint: .place,
            contentClass: .location,
            limit: .seconds(15),
            headers: [("X-Places-Api-Version", "2025-06-17")],
            questions: [
                Question(
                    template:
                        "places/search?ll={latitude},{longitude}&radius=100&limit=10&sort=DISTANCE&query={seen}",
                    place: "results"
                ),
                Question(
                    template: "places/search?ll={latitude},{longitude}&radius=100&limit=1&sort=DISTANCE",
                    place: "results"
                ),
            ],
            fields: [
                .text("name", \.place.name), .text("name", \.location),
                .text("location.formatted_address", \.place.address),
                .text("location.formatted_address", \.location), .text("fsq_place_id", \.place.placeID),
                .text("fsq_id", \.place.placeID), .text("tel", \.place.phoneNumber),
                .address("website", \.place.website), .texts("categories.name", \.place.categories, most: 20),
                .texts("categories.name", \.categories, most: 20), .texts("tips.text", \.place.tips, most: 5),
                .number("rating", in: 0...10) { $0.place.rating = $1 / 2 },
                .number("price", in: 1...4) { $0.place.priceLevel = Int(exactly: $1) },
                Field(path: "hours.open_now") { if case .bool(let isOpen) = $1 { $0.place.isOpen = isOpen } },
                Field(path: "photos") { facts, photos in
                    facts.place.photos = (photos.list ?? []).prefix(5).compactMap { photo in
                        guard let start = photo["prefix"]?.text, let end = photo["suffix"]?.text else { return nil }
                        return "\(start)original\(end)".bounded(to: 4_096)
                    }
                },
            ],
            // The nearest venue whose name was seen, else the nearest; one without any data is ignored.
            choose: { found, query in
                let seen = " \(FoldedText.key(query.seenText ?? "")) "
                let named = found.first { seen.contains(" \(FoldedText.key($0.placeContext?.name ?? "?")) ") }
                return (named ?? found.first).flatMap { $0.location == nil ? nil : $0 }
            }
        ),
        // DuckDuckGo's Instant Answers.
        .search: Service(
            endpoint: .webSearch,
            questions: [Question(template: "?q={name}&format=json&no_html=1&skip_disambig=1")],
            fields: [
                .text("Heading", \.title), .text("AbstractText", \.descriptionText, most: 5_000),
                .text("AbstractSource", \.web.siteName), .address("AbstractURL", \.web.url),
            ],
            choose: { found, _ in found.first { $0.descriptionText != nil } }
        ),
        // Spotify's Web API (developer.spotify.com): a track or record by its address, or a track by its title.
        .music: Service(
            endpoint: .music,
            questions: [
                Question(template: "v1/{piece}"),
                Question(template: "v1/search?q={music}&type=track&limit=1", place: "tracks.items"),
            ],
            fields: [
                .text("name", \.music.title), .text("name", \.title), .texts("artists.name", \.music.artists, most: 20),
                .text("album.name", \.music.album), .address("external_urls.spotify", \.music.url),
                .address("album.images.url", \.image), .address("images.url", \.image),
                Field(path: "name") { facts, _ in facts.categories = ["Music"] },
            ],
            // The service answers any question: a piece whose name is not in the title is ignored.
            choose: { found, query in
                guard let piece = found.first, let music = piece.musicContext, music.title != nil else { return nil }
                guard MusicAddress.piece(query.url) == nil, let title = query.title else { return piece }
                return music.isNamed(by: title, isMusic: query.isMusic == true) ? piece : nil
            }
        ),
    ]

    /// Returns the condition and symbol of a code of WMO's table 4677, as Open-Meteo uses it.
    private static func weather(_ code: Int) -> (condition: String, symbol: String) {
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

// MARK: - Music

enum MusicAddress {
    /// Returns the path of a piece in the service, of its address for people; nil for another address.
    static func piece(_ url: URL?) -> String? {
        guard let url, url.host()?.lowercased() == "open.spotify.com" else { return nil }
        // Some addresses name a language first: /intl-de/track/ID.
        let parts = url.pathComponents.filter { $0 != "/" && !$0.hasPrefix("intl-") }
        guard parts.count == 2, ["track", "album"].contains(parts[0]),
            parts[1].wholeMatch(of: /[0-9A-Za-z]{1,64}/) != nil
        else { return nil }
        return "\(parts[0])s/\(parts[1])"
    }
}

extension MusicContext {
    /// Returns whether the piece is the one of that title: it has its name and one of its artists.
    ///
    /// For certain music, the name alone is enough.
    fileprivate func isNamed(by title: String, isMusic: Bool) -> Bool {
        let whole = " \(FoldedText.key(title)) "
        func names(_ text: String) -> Bool {
            let key = FoldedText.key(text)
            return !key.isEmpty && whole.contains(" \(key) ")
        }
        guard let name = self.title, names(name) else { return false }
        return artists.contains(where: names) || isMusic && whole == " \(FoldedText.key(name)) "
    }
}

/// Tokens for a key, by OAuth 2.0's client credentials (RFC 6749, 4.4); one serves until a minute before it ends.
final class ClientTokens: Sendable {
    private let url: URL
    private let key: String
    private let fetch: SafeFetch
    private let known = Mutex<(token: String, until: ContinuousClock.Instant)?>(nil)

    init(url: URL, key: String, fetch: SafeFetch) { (self.url, self.key, self.fetch) = (url, key, fetch) }

    func token() async throws -> String {
        if let known = known.withLock({ $0 }), known.until > .now { return known.token }
        let basic = Data(key.utf8).base64EncodedString()
        let answer = try await fetch.post(
            url,
            Array("grant_type=client_credentials".utf8),
            type: "application/x-www-form-urlencoded",
            endpoint: .music,
            contentClass: .control,
            headers: [("Authorization", "Basic \(basic)")]
        )
        let object = try answer.json()
        guard let token = object["access_token"]?.text, let seconds = object["expires_in"]?.number else {
            throw EnrichmentError.refused("\(url.host() ?? ""): the answer has no access_token with expires_in")
        }
        known.withLock { $0 = (token, .now + .seconds(max(0, min(seconds, 86_400) - 60))) }
        return token
    }
}
