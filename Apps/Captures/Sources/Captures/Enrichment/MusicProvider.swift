import Basics
import CaptureReading
import Foundation
import Synchronization
import Talaria

/// Provider of facts about a piece of music, from a server with the protocol of Spotify's Web API
/// (developer.spotify.com).
///
/// Asked for an address of a track or record there, and for the title of a possible piece of music. Address and title
/// leave the device.
struct MusicProvider: EnrichmentProvider {
    let id = "music"
    var limit = Duration.seconds(10)
    let service: JSONService
    let tokens: ClientTokens

    func applies(to query: EnrichmentQuery) -> Bool {
        if Self.path(of: query.url) != nil { return true }
        return query.kind == .media && query.isMusic != false && query.titleWithoutAddress != nil
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

    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        let headers = [(name: "Authorization", value: "Bearer \(try await tokens.token())")]
        func get(_ path: String, _ parameters: [(String, String)]) async throws -> JSONValue {
            let answer = try await service.get(
                path,
                parameters,
                endpoint: .music,
                contentClass: .text,
                headers: headers
            )
            guard answer.isObject else { throw EnrichmentError.refused("\(service.host): the answer is not an object") }
            return answer
        }
        if let path = Self.path(of: query.url) { return Self.data(try await get(path, [])) }
        guard let title = query.titleWithoutAddress else { return nil }
        let parameters = [("q", title.bounded(to: 200)), ("type", "track"), ("limit", "1")]
        guard let tracks = try await get("v1/search", parameters)["tracks"]?["items"]?.list else {
            throw EnrichmentError.refused("\(service.host): the answer has no tracks")
        }
        // The service answers any question: an answer without the title's name is ignored.
        guard let track = tracks.first, let data = Self.data(track), let piece = data.musicContext,
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
    private static func data(_ piece: JSONValue) -> EnrichmentData? {
        let album = piece["album"].flatMap { $0.isObject ? $0 : nil }
        let artists = (piece["artists"]?.list ?? []).prefix(20).compactMap { $0.text("name") }
        var music = MusicContext(title: piece.text("name"), artists: artists, album: album?.text("name"))
        guard music != MusicContext() else { return nil }
        music.url = piece["external_urls"]?.address("spotify")
        let image = (album ?? piece)["images"]?.list?.first?.address("url")
        return EnrichmentData(title: music.title, image: image, categories: ["Music"], musicContext: music)
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
            .form([("grant_type", "client_credentials")]),
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
