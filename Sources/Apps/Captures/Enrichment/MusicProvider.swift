import Basics
public import Foundation
import Synchronization
import Talaria

/// Provider of facts about a piece of music, from a server with the protocol of Spotify's Web API
/// (developer.spotify.com).
///
/// Asked for an address of a track or record there, and for the title of a possible piece of music. Address and title
/// leave the device.
public struct MusicProvider: EnrichmentProvider {
    /// "music".
    public let id = "music"
    /// Ten seconds.
    public var limit = Duration.seconds(10)
    private let service: JSONService
    private let tokens: ClientTokens

    /// Creates a provider over a service that gives tokens for its key.
    public init(service: JSONService, tokens: ClientTokens) { (self.service, self.tokens) = (service, tokens) }

    /// Returns whether there is the address of a track or record, or the title of something that may be music.
    public func applies(to query: EnrichmentQuery) -> Bool {
        if Self.path(of: query.url) != nil { return true }
        return query.kind == .media && query.isMusic != false && Self.title(in: query) != nil
    }

    /// Returns the title to search for; nil for an address.
    private static func title(in query: EnrichmentQuery) -> String? {
        query.title.flatMap { $0.contains("/") && EnrichmentData.isWeak(title: $0) ? nil : $0.known }
    }

    /// Returns whether a piece that was found is the one of that title: it has its name and one of its artists.
    ///
    /// For certain music, the name alone is enough.
    static func isNamed(_ piece: MusicContext, by title: String, isMusic: Bool) -> Bool {
        let title = " \(FoldedText.key(title)) "
        func names(_ text: String) -> Bool {
            let key = FoldedText.key(text)
            return !key.isEmpty && title.contains(" \(key) ")
        }
        guard let name = piece.title, names(name) else { return false }
        return piece.artists.contains(where: names) || isMusic && title == " \(FoldedText.key(name)) "
    }

    /// Asks for the piece.
    public func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        let token = try await tokens.token()
        func get(_ path: String, _ parameters: [(String, String)]) async throws -> [String: JSONValue]? {
            let value = try await service.get(
                path,
                parameters,
                endpoint: .music,
                contentClass: .text,
                headers: [("Authorization", "Bearer \(token)")]
            )
            if case .object(let object) = value { return object }
            throw EnrichmentError.refused("\(service.host): the answer is not an object")
        }
        if let path = Self.path(of: query.url) { return try await get(path, []).flatMap(Self.data) }
        guard let title = Self.title(in: query) else { return nil }
        let found = try await get(
            "v1/search",
            [("q", title.bounded(to: 200)), ("type", "track"), ("limit", "1")]
        )
        guard case .object(let tracks)? = found?["tracks"], case .array(let items)? = tracks["items"] else {
            throw EnrichmentError.refused("\(service.host): the answer has no tracks")
        }
        // The service answers any question: an answer without the title's name is ignored.
        guard case .object(let track)? = items.first, let data = Self.data(track), let piece = data.musicContext,
            Self.isNamed(piece, by: title, isMusic: query.isMusic == true)
        else { return nil }
        return data
    }

    /// Returns the path of a piece in the service, of its address for people; nil for another address.
    static func path(of url: URL?) -> String? {
        guard let url, url.host()?.lowercased() == "open.spotify.com" else { return nil }
        // Some addresses name a language first: /intl-de/track/ID.
        let parts = url.pathComponents.filter { $0 != "/" && !$0.hasPrefix("intl-") }
        guard parts.count == 2, ["track", "album"].contains(parts[0]),
            parts[1].wholeMatch(of: /[0-9A-Za-z]{1,64}/) != nil
        else { return nil }
        return "v1/\(parts[0])s/\(parts[1])"
    }

    /// Returns the facts of a piece; nil for none.
    private static func data(_ piece: [String: JSONValue]) -> EnrichmentData? {
        func object(_ key: String) -> [String: JSONValue]? {
            if case .object(let object)? = piece[key] { object } else { nil }
        }
        var music = MusicContext()
        music.title = piece.text("name")
        if case .array(let artists)? = piece["artists"] {
            music.artists = artists.prefix(20).compactMap { artist in
                if case .object(let artist) = artist { artist.text("name") } else { nil }
            }
        }
        let album = object("album")
        music.album = album?.text("name")
        guard music != MusicContext() else { return nil }
        music.url = object("external_urls")?.address("spotify")
        var data = EnrichmentData()
        (data.title, data.musicContext, data.categories) = (music.title, music, ["Music"])
        if case .array(let images)? = (album ?? piece)["images"], case .object(let image)? = images.first {
            data.image = image.address("url")
        }
        return data
    }
}

/// Tokens for a key, by OAuth 2.0's client credentials (RFC 6749, 4.4); one serves until a minute before it ends.
public final class ClientTokens: Sendable {
    private let url: URL
    private let key: String
    private let fetch: SafeFetch
    private let known = Mutex<(token: String, until: ContinuousClock.Instant)?>(nil)

    /// Tokens of a server.
    ///
    /// - Parameters:
    ///   - url: of the server's tokens.
    ///   - key: identity and secret with a colon between them.
    ///   - fetch: asks.
    public init(url: URL, key: String, fetch: SafeFetch) { (self.url, self.key, self.fetch) = (url, key, fetch) }

    func token() async throws -> String {
        if let known = known.withLock({ $0 }), known.until > .now { return known.token }
        let basic = Data(key.utf8).base64EncodedString()
        let answer = try await fetch.post(
            url,
            .form([("grant_type", "client_credentials")]),
            endpoint: .music,
            contentClass: .control,
            headers: [("Authorization", "Basic \(basic)")]
        )
        guard case .object(let object) = try answer.json(), case .string(let token)? = object["access_token"],
            case .number(let seconds)? = object["expires_in"]
        else {
            throw EnrichmentError.refused("\(url.host() ?? ""): the answer has no access_token with expires_in")
        }
        known.withLock { $0 = (token, .now + .seconds(max(0, min(seconds, 86_400) - 60))) }
        return token
    }
}
