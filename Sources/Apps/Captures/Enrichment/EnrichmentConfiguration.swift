import Basics
public import BookCatalogue
public import Foundation
public import Talaria

/// A service that answers with JSON.
public struct JSONService: Sendable {
    /// Its address.
    public var base: URL
    /// Headers with its key; empty for none.
    public var headers: [(name: String, value: String)] = []
    private let fetch: SafeFetch

    /// A service at an address.
    public init(base: URL, headers: [(name: String, value: String)] = [], fetch: SafeFetch) {
        (self.base, self.headers, self.fetch) = (base, headers, fetch)
    }

    /// Its host, for messages.
    var host: String { base.host() ?? base.absoluteString }

    /// A degree to three places, about 100 m: nobody is told more.
    func rounded(_ degrees: Double) -> String { "\((degrees * 1_000).rounded() / 1_000)" }

    /// Asks.
    ///
    /// - Throws: ``EnrichmentError``.
    func get(
        _ path: String,
        _ query: [(String, String)],
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers more: [(name: String, value: String)] = []
    ) async throws -> JSONValue {
        var url = path.isEmpty ? base : base.appending(path: path)
        if !query.isEmpty { url.append(queryItems: query.map { URLQueryItem(name: $0.0, value: $0.1) }) }
        return try await fetch.get(url, endpoint: endpoint, contentClass: contentClass, headers: headers + more).json()
    }
}

/// Which providers are asked, and how: a JSON file of the user's.
///
/// Without one, only the device itself is asked.
///
///     {
///       "home": {"latitude": 48.21, "longitude": 16.36, "address": "Herrengasse 14, 1010 Wien"},
///       "link": {},
///       "books": {"url": "https://talaria.example"},
///       "weather": {"url": "https://api.open-meteo.com"},
///       "web-search": {"url": "https://api.duckduckgo.com"},
///       "place": {"url": "https://places-api.foursquare.com", "key-variable": "FOURSQUARE_KEY"},
///       "music": {"url": "https://api.spotify.com", "key-variable": "SPOTIFY_KEY",
///                 "token-url": "https://accounts.spotify.com/api/token"},
///       "narrator": {"url": "https://api.openai.com", "model": "gpt-4.1-mini", "key-variable": "MODEL_KEY"}
///     }
///
/// The home's `address`, which may be left out, is what no narrative says and no language model is told. `narrator` is a language
/// model that tells what was captured; one that is not on a private network is to have an https address.
/// `link` lets pages be fetched; the others are services, `books` a Talaria back end, which wants no key. `key-variable` names the
/// environment variable with the key.
/// `"private": true` is for a service on this machine or a private network.
public struct EnrichmentConfiguration: Sendable {
    /// A service as configured.
    struct Service: Sendable {
        var url: URL?
        var tokenURL: URL?
        var model: String?
        var key: String?
        var allowsPrivate = false
    }

    /// Where the user lives.
    public private(set) var home: Coordinate?
    /// The home's address; nil where the file has none.
    private var address: String?
    private var services: [String: Service] = [:]

    private static let known = ["link", "books", "weather", "web-search", "place", "music", "narrator"]

    /// Nothing is asked but the device itself.
    public init() {}

    /// The configuration of a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: what it is called in messages.
    ///   - environment: where keys are.
    /// - Throws: ``EnrichmentError/configuration(_:)`` with what is wrong where.
    public init(_ bytes: [UInt8], name: String, environment: [String: String]) throws(EnrichmentError) {
        let value: JSONValue
        do { value = try bytes.withUnsafeBufferPointer { try JSONParser.parse($0) } } catch {
            throw .configuration("\(name): invalid JSON: \(error)")
        }
        guard case .object(let object) = value else {
            throw .configuration("\(name): is \(value.kind); expected an object")
        }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            guard case .object(let fields) = value else {
                throw .configuration("\(name): \"\(key)\" is \(value.kind); expected an object")
            }
            if key == "home" {
                guard case .number(let latitude)? = fields["latitude"],
                    case .number(let longitude)? = fields["longitude"],
                    let home = Coordinate(latitude: latitude, longitude: longitude),
                    fields.count == (fields["address"] == nil ? 2 : 3)
                else {
                    throw .configuration(
                        "\(name): invalid \"home\": expected a latitude from -90 to 90, a longitude from -180 to 180, an optional address and no other keys"
                    )
                }
                if let value = fields["address"] {
                    // What folds to three letters or fewer is in too many words to be kept back.
                    guard case .string(let text) = value, FoldedText.key(text).count > 3 else {
                        throw .configuration(
                            "\(name): \"home\": address is \(value.kind); expected a text of at least four letters or digits"
                        )
                    }
                    address = text
                }
                self.home = home
                continue
            }
            guard Self.known.contains(key) else {
                let all = (["home"] + Self.known).joined(separator: ", ")
                throw .configuration("\(name): unknown provider \"\(key)\"; expected one of \(all)")
            }
            let service = try Self.service(fields, "\(name): \"\(key)\"", environment, needsURL: key != "link")
            guard (key == "music") == (service.tokenURL != nil) else {
                throw .configuration(
                    "\(name): \"\(key)\": \"token-url\" is required for \"music\" and not allowed elsewhere"
                )
            }
            guard key != "books" || service.key == nil else {
                throw .configuration("\(name): \"books\": unexpected \"key-variable\": a back end uses no key")
            }
            guard (key == "narrator") == (service.model != nil) else {
                throw .configuration(
                    "\(name): \"\(key)\": \"model\" is required for \"narrator\" and not allowed elsewhere"
                )
            }
            if key == "narrator", let url = service.url, url.scheme != "https", !service.allowsPrivate {
                throw .configuration(
                    "\(name): \"narrator\": invalid url '\(url)': expected https, or a \"private\" network, as captures are sent there"
                )
            }
            services[key] = service
        }
    }

    private static func service(
        _ fields: [String: JSONValue],
        _ place: String,
        _ environment: [String: String],
        needsURL: Bool
    ) throws(EnrichmentError) -> Service {
        var service = Service()
        for (field, value) in fields {
            switch (field, value) {
            case ("url", .string(let text)) where needsURL, ("token-url", .string(let text)) where needsURL:
                guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil
                else {
                    throw .configuration("\(place): invalid \(field) '\(text)': expected an http or https address")
                }
                guard url.user() == nil, url.password() == nil else {
                    throw .configuration(
                        "\(place): \(field) contains a user name or password; specify a key with \"key-variable\""
                    )
                }
                if field == "url" { service.url = url } else { service.tokenURL = url }
            case ("key-variable", .string(let variable)):
                guard let key = environment[variable]?.known else {
                    throw .configuration("\(place): the environment variable \(variable) with its key is not set")
                }
                guard key.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
                    throw .configuration(
                        "\(place): the environment variable \(variable) contains spaces, line ends or non-ASCII characters; expected a key"
                    )
                }
                service.key = key
            case ("model", .string(let model)) where needsURL && !model.isEmpty: service.model = model
            case ("private", .bool(let isPrivate)): service.allowsPrivate = isPrivate
            default:
                throw .configuration("\(place): \"\(field)\" is not expected, or is \(value.kind)")
            }
        }
        if needsURL && service.url == nil { throw .configuration("\(place): url is missing") }
        return service
    }

    /// Texts that no narrative may say: the home's address, and its first part where that has a number ("Herrengasse 14").
    public var secrets: [String] {
        guard let address else { return [] }
        let street = String(address.prefix { $0 != "," && !$0.isNewline })
        let isStreet = street.contains(where: \.isNumber) && street.filter(\.isLetter).count > 3
        return isStreet && street != address ? [address, street] : [address]
    }

    /// The language model that tells what was captured.
    ///
    /// - Parameter onTransfer: told of every request.
    /// - Returns: nil where none is configured.
    public func narrator(onTransfer: @escaping @Sendable (Transfer) -> Void) -> (any NarrativeGenerator)? {
        guard let service = services["narrator"], let url = service.url, let model = service.model else { return nil }
        var limits = SafeFetch.Limits()
        (limits.allowsPrivate, limits.bytes) = (service.allowsPrivate, PrivateCloudNarrator.mostBytes)
        let fetch = SafeFetch(limits: limits, onTransfer: onTransfer)
        return PrivateCloudNarrator(base: url, model: model, key: service.key, fetch: fetch)
    }

    /// Providers, in order of trust, the least first.
    ///
    /// - Parameters:
    ///   - catalogue: for books; nil for none.
    ///   - onTransfer: told of every request.
    /// - Returns: those of the device, and those that are configured.
    public func providers(
        catalogue: BookCatalogue?,
        onTransfer: @escaping @Sendable (Transfer) -> Void
    ) -> [any EnrichmentProvider] {
        func fetch(_ service: Service) -> SafeFetch {
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = service.allowsPrivate
            return SafeFetch(limits: limits, onTransfer: onTransfer)
        }
        func json(_ name: String, _ header: String, _ prefix: String = "") -> JSONService? {
            guard let service = services[name], let url = service.url else { return nil }
            let headers = service.key.map { [(name: header, value: prefix + $0)] } ?? []
            return JSONService(base: url, headers: headers, fetch: fetch(service))
        }
        var providers: [any EnrichmentProvider] = []
        if let service = json("web-search", "Authorization") { providers.append(WebSearchProvider(service: service)) }
        if let music = services["music"], let url = music.url, let tokenURL = music.tokenURL {
            let tokens = ClientTokens(url: tokenURL, key: music.key ?? "", fetch: fetch(music))
            providers.append(MusicProvider(service: JSONService(base: url, fetch: fetch(music)), tokens: tokens))
        }
        if let service = json("weather", "Authorization") { providers.append(WeatherProvider(service: service)) }
        if var service = json("place", "Authorization", "Bearer ") {
            service.headers.append(("X-Places-Api-Version", "2025-06-17"))
            providers.append(PlaceProvider(service: service, home: home))
        }
        if let home { providers.append(HomeProvider(home: home)) }
        if let books = services["books"], let url = books.url {
            let allows = books.allowsPrivate
            providers.append(TalariaBookProvider(url: url, allowsPrivate: allows, onTransfer: onTransfer))
        }
        if let link = services["link"] { providers.append(LinkProvider(fetch: fetch(link))) }
        if let catalogue { providers.append(BookProvider(catalogue: catalogue)) }
        providers.append(ActivityProvider())
        return providers
    }
}
