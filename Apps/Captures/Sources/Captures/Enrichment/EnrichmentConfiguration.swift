import Basics
package import BookCatalogue
import CaptureReading
import Foundation
package import Talaria

/// Configuration of the providers: a JSON file of the user's.
///
/// Without one, only the device itself is asked.
///
///     {
///       "home": {"latitude": 48.21, "longitude": 16.36, "address": "Herrengasse 14, 1010 Wien"},
///       "link": {},
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
/// fetching pages; the others are services. `key-variable` names the environment variable with the key. `"private": true`
/// is for a service on this machine or a private network.
package struct EnrichmentConfiguration: Sendable {
    fileprivate struct Service: Sendable {
        var url: URL?
        var tokenURL: URL?
        var model: String?
        var key: String?
        var allowsPrivate = false
    }

    private var place: ProvidersFile.HomeEntry?
    private var services: [String: Service] = [:]

    package init() {}

    /// Reads a providers' file; keys of services come from the environment.
    ///
    /// - Throws: `EnrichmentError.configuration` with all faults.
    package init(_ bytes: [UInt8], name: String, environment: [String: String]) throws(EnrichmentError) {
        let faults = FaultCollector(file: name)
        do throws(Faults) {
            let root = try JSONParser.node(bytes, faults)
            self = try LocatedDecoder.decode(ProvidersFile.self, from: root, faults) { file, at in
                var configuration = EnrichmentConfiguration()
                configuration.place = file.home
                for (name, entry) in [
                    ("link", file.link), ("weather", file.weather), ("web-search", file.search), ("place", file.place),
                    ("music", file.music), ("narrator", file.narrator),
                ] {
                    configuration.services[name] = entry?.service(name, environment, at[name])
                }
                return configuration
            }
        } catch {
            throw .configuration("\(error)")
        }
    }

    /// Where the person lives; nil where the file has no home.
    package var home: Coordinate? { place.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) } }

    /// Texts that a narrative must not contain: the home's address, and its first part where that has a number
    /// ("Herrengasse 14").
    package var secrets: [String] {
        guard let address = place?.address else { return [] }
        let street = String(address.prefix { $0 != "," && !$0.isNewline })
        let isStreet = street.contains(where: \.isNumber) && street.filter(\.isLetter).count > 3
        return isStreet && street != address ? [address, street] : [address]
    }

    /// Services that are asked about captures, by name; the host is nil where it is that of the captured address.
    package var sources: [(name: String, host: String?)] {
        services.keys.sorted().filter { $0 != "narrator" }.map { ($0, services[$0]?.url?.host()) }
    }

    /// Returns the language model that describes captures; nil where none is configured.
    package func narrator(onTransfer: @escaping @Sendable (Transfer) -> Void) -> (any NarrativeGenerator)? {
        guard let service = services["narrator"], let url = service.url, let model = service.model else { return nil }
        let fetch = SafeFetch(allowsPrivate: service.allowsPrivate, onTransfer: onTransfer)
        return ModelNarrator(base: url, model: model, key: service.key, fetch: fetch)
    }

    /// Returns the providers.
    package func providers(
        catalogue: (@Sendable () throws -> BookCatalogue)?,
        onTransfer: @escaping @Sendable (Transfer) -> Void
    ) -> [any EnrichmentProvider] {
        func fetch(_ service: Service) -> SafeFetch {
            SafeFetch(allowsPrivate: service.allowsPrivate, onTransfer: onTransfer)
        }
        func source(_ id: SourceID) -> JSONSource? {
            guard let service = services[id.rawValue], let url = service.url else { return nil }
            let tokens = service.tokenURL.map { ClientTokens(url: $0, key: service.key ?? "", fetch: fetch(service)) }
            return JSONSource(id, base: url, key: service.key, home: home, tokens: tokens, fetch: fetch(service))
        }
        var providers: [any EnrichmentProvider] = [.search, .music, .weather, .place].compactMap(source)
        if let home { providers.append(HomeProvider(home: home)) }
        if let link = services["link"] { providers.append(LinkProvider(fetch: fetch(link))) }
        if let catalogue { providers.append(BookProvider(catalogue: try catalogue())) }
        return providers
    }
}

/// The form of a providers' file.
private struct ProvidersFile: Decodable {
    var home: HomeEntry?
    var link, weather, search, place, music, narrator: ServiceEntry?

    private enum CodingKeys: String, CodingKey {
        case home, link, weather
        case search = "web-search"
        case place, music, narrator
    }

    struct HomeEntry: Decodable, Checked, Sendable {
        var latitude, longitude: Double
        var address: String?

        mutating func check(_ at: Checker) {
            at["latitude"].range(latitude, -90...90, "degrees")
            at["longitude"].range(longitude, -180...180, "degrees")
            // Texts that fold to three letters or fewer are in too many words to be redacted.
            if let address, at["address"].isSound, FoldedText.key(address).count <= 3 {
                at["address"].unexpected("a text of at least four letters or digits")
            }
        }
    }

    struct ServiceEntry: Decodable {
        var url, tokenURL, model, keyVariable: String?
        var isPrivate: Bool?

        private enum CodingKeys: String, CodingKey {
            case url
            case tokenURL = "token-url"
            case model
            case keyVariable = "key-variable"
            case isPrivate = "private"
        }

        /// Returns the service, and adds faults of keys that it lacks, or that others have.
        func service(_ name: String, _ environment: [String: String], _ at: Checker) -> EnrichmentConfiguration.Service
        {
            let needed = [("url", name != "link"), ("token-url", name == "music"), ("model", name == "narrator")]
            for (key, isNeeded) in needed where isNeeded != at[key].isGiven {
                at[key].fault(isNeeded ? "the key is missing" : "the provider \"\(name)\" has no such key")
            }
            at["model"].filled(model)
            var service = EnrichmentConfiguration.Service()
            (service.url, service.tokenURL) = (address(url, at["url"]), address(tokenURL, at["token-url"]))
            (service.model, service.allowsPrivate) = (model, isPrivate ?? false)
            service.key = keyVariable.flatMap { key($0, environment, at["key-variable"]) }
            if name == "narrator", let url = service.url, url.scheme != "https", !service.allowsPrivate {
                at["url"].unexpected("https, or a \"private\" network, as captures are sent there")
            }
            return service
        }

        private func address(_ text: String?, _ at: Checker) -> URL? {
            guard let text, at.isSound else { return nil }
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil else {
                at.unexpected("an http or https address")
                return nil
            }
            if url.user() != nil || url.password() != nil {
                at.fault("contains a user name or password; specify a key with \"key-variable\"")
            }
            return url
        }

        private func key(_ variable: String, _ environment: [String: String], _ at: Checker) -> String? {
            guard at.isSound else { return nil }
            guard let key = environment[variable]?.known else {
                at.fault("the environment variable \(variable) with its key is not set")
                return nil
            }
            if !key.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) {
                at.fault(
                    "the environment variable \(variable) contains spaces, line ends or non-ASCII characters; expected a key"
                )
            }
            return key
        }
    }
}
