import Basics
package import BookCatalogue
import CaptureReading
package import Foundation
package import Talaria

package struct JSONService: Sendable {
    package var base: URL
    /// Headers with its key; empty for none.
    package var headers: [(name: String, value: String)] = []
    private let fetch: SafeFetch

    package init(base: URL, headers: [(name: String, value: String)] = [], fetch: SafeFetch) {
        (self.base, self.headers, self.fetch) = (base, headers, fetch)
    }

    var host: String { base.host() ?? base.absoluteString }

    /// Degrees to three places, about 100 m: services receive no higher accuracy.
    func rounded(_ degrees: Double) -> String { "\((degrees * 1_000).rounded() / 1_000)" }

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

/// Configuration of the providers: a JSON file of the user's.
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
/// The home's `address`, which is optional, never appears in a narrative or a language model's input. `narrator` is a
/// language model that describes captures; one outside a private network requires an https address. `link` enables
/// fetching pages; the others are services, `books` a Talaria back end, which needs no key. `key-variable` names the
/// environment variable with the key. `"private": true` is for a service on this machine or a private network.
package struct EnrichmentConfiguration: Sendable {
    struct Service: Sendable {
        var url: URL?
        var tokenURL: URL?
        var model: String?
        var key: String?
        var allowsPrivate = false
    }

    package private(set) var home: Coordinate?
    /// The home's address; nil where the file has none.
    private var address: String?
    private var services: [String: Service] = [:]

    private static let known = ["link", "books", "weather", "web-search", "place", "music", "narrator"]

    package init() {}

    package init(_ bytes: [UInt8], name: String, environment: [String: String]) throws(EnrichmentError) {
        func fault(_ problem: String) -> EnrichmentError { .configuration("\(name): \(problem)") }
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch { throw fault("invalid JSON: \(error)") }
        guard case .object(let object) = value else { throw fault("is \(value.kind); expected an object") }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            guard case .object(let fields) = value else {
                throw fault("\"\(key)\" is \(value.kind); expected an object")
            }
            if key == "home" {
                (home, address) = try Self.home(fields, fault)
            } else if Self.known.contains(key) {
                services[key] = try Self.service(key, fields, environment) { fault("\"\(key)\": \($0)") }
            } else {
                let all = (["home"] + Self.known).joined(separator: ", ")
                throw fault("unknown provider \"\(key)\"; expected one of \(all)")
            }
        }
    }

    private typealias Fault = (_ problem: String) -> EnrichmentError

    private static func home(
        _ fields: [String: JSONValue],
        _ fault: Fault
    ) throws(EnrichmentError) -> (home: Coordinate, address: String?) {
        guard let latitude = fields["latitude"]?.number, let longitude = fields["longitude"]?.number,
            let home = Coordinate(latitude: latitude, longitude: longitude),
            fields.count == (fields["address"] == nil ? 2 : 3)
        else {
            throw fault(
                "invalid \"home\": expected a latitude from -90 to 90, a longitude from -180 to 180, an optional address and no other keys"
            )
        }
        guard let value = fields["address"] else { return (home, nil) }
        // Texts that fold to three letters or fewer are in too many words to be redacted.
        guard let address = value.text, FoldedText.key(address).count > 3 else {
            throw fault("\"home\": address is \(value.kind); expected a text of at least four letters or digits")
        }
        return (home, address)
    }

    private static func service(
        _ name: String,
        _ fields: [String: JSONValue],
        _ environment: [String: String],
        _ fault: Fault
    ) throws(EnrichmentError) -> Service {
        let needsURL = name != "link"
        var service = Service()
        for (field, value) in fields {
            switch (field, value) {
            case ("url", .string(let text)) where needsURL: service.url = try address(text, field, fault)
            case ("token-url", .string(let text)) where needsURL: service.tokenURL = try address(text, field, fault)
            case ("key-variable", .string(let variable)): service.key = try key(variable, environment, fault)
            case ("model", .string(let model)) where needsURL && !model.isEmpty: service.model = model
            case ("private", .bool(let isPrivate)): service.allowsPrivate = isPrivate
            default: throw fault("\"\(field)\" is not expected, or is \(value.kind)")
            }
        }
        if needsURL && service.url == nil { throw fault("url is missing") }
        let owned = [("token-url", "music", service.tokenURL != nil), ("model", "narrator", service.model != nil)]
        for (field, owner, isGiven) in owned where (name == owner) != isGiven {
            throw fault("\"\(field)\" is required for \"\(owner)\" and not allowed elsewhere")
        }
        guard name != "books" || service.key == nil else {
            throw fault("unexpected \"key-variable\": a back end uses no key")
        }
        if name == "narrator", let url = service.url, url.scheme != "https", !service.allowsPrivate {
            throw fault("invalid url '\(url)': expected https, or a \"private\" network, as captures are sent there")
        }
        return service
    }

    private static func address(_ text: String, _ field: String, _ fault: Fault) throws(EnrichmentError) -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil else {
            throw fault("invalid \(field) '\(text)': expected an http or https address")
        }
        guard url.user() == nil, url.password() == nil else {
            throw fault("\(field) contains a user name or password; specify a key with \"key-variable\"")
        }
        return url
    }

    private static func key(
        _ variable: String,
        _ environment: [String: String],
        _ fault: Fault
    ) throws(EnrichmentError) -> String {
        guard let key = environment[variable]?.known else {
            throw fault("the environment variable \(variable) with its key is not set")
        }
        guard key.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            throw fault(
                "the environment variable \(variable) contains spaces, line ends or non-ASCII characters; expected a key"
            )
        }
        return key
    }

    /// Texts that a narrative must not contain: the home's address, and its street.
    package var secrets: [String] { address.map { Home.secrets(of: $0) } ?? [] }

    /// Takes the home that the person has set, unless the file has one.
    package mutating func adopt(_ home: Home) {
        guard self.home == nil else { return }
        (self.home, address) = (Coordinate(latitude: home.latitude, longitude: home.longitude), home.address?.known)
    }

    /// Services that are asked about captures, by name; the host is nil where it is that of the captured address.
    package var sources: [(name: String, host: String?)] {
        services.keys.sorted().filter { $0 != "narrator" }.map { ($0, services[$0]?.url?.host()) }
    }

    /// Returns the language model that describes captures; nil where none is configured.
    package func narrator(onTransfer: @escaping @Sendable (Transfer) -> Void) -> (any NarrativeGenerator)? {
        guard let service = services["narrator"], let url = service.url, let model = service.model else { return nil }
        var limits = SafeFetch.Limits()
        (limits.allowsPrivate, limits.bytes) = (service.allowsPrivate, PrivateCloudNarrator.mostBytes)
        let fetch = SafeFetch(limits: limits, onTransfer: onTransfer)
        return PrivateCloudNarrator(base: url, model: model, key: service.key, fetch: fetch)
    }

    /// Returns providers, in order of trust, the least first.
    package func providers(
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
        if let service = json("weather", "Authorization") {
            providers.append(WeatherProvider(service: service, home: home))
        }
        if var service = json("place", "Authorization", "Bearer ") {
            service.headers.append(("X-Places-Api-Version", "2025-06-17"))
            providers.append(PlaceProvider(service: service, home: home))
        }
        if let home { providers.append(HomeProvider(home: home)) }
        if let books = services["books"], let url = books.url {
            let isPrivate = books.allowsPrivate
            providers.append(TalariaBookProvider(url: url, allowsPrivate: isPrivate, onTransfer: onTransfer))
        }
        if let link = services["link"] { providers.append(LinkProvider(fetch: fetch(link))) }
        if let catalogue { providers.append(BookProvider(catalogue: catalogue)) }
        return providers
    }
}
