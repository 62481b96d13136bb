import Foundation
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import Captures

/// Needs of providers for one another's answers, and the effect of an empty answer.
@Suite(.inTurns, .endsWhatHangs) struct RoundTests {
    /// Asks the providers that `make` creates for a server of recorded answers.
    private func ask(
        _ answers: [String: RecordedServer.Answer],
        _ query: EnrichmentQuery,
        _ make: @escaping @Sendable (URL, SafeFetch) -> [any EnrichmentProvider]
    ) async throws -> (said: [SourceAnswer], known: Facts, server: RecordedServer) {
        let server = RecordedServer(answers)
        let said = Mutex<[SourceAnswer]>([])
        try await server.run { base in
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = true
            let fetch = SafeFetch(limits: limits) { server.note($0) }
            let answers = try await Enricher(make(base, fetch), clock: ManualClock()).enrich(query)
            said.withLock { $0 = answers.map(\.said) }
        }
        let all = said.withLock { $0 }
        return (all, Facts(folding: all), server)
    }

    private func picture() -> EnrichmentQuery {
        var query = EnrichmentQuery(kind: .image, time: Date(timeIntervalSince1970: 1_790_000_000))
        query.coordinate = Coordinate(latitude: 48.21, longitude: 16.365)
        return query
    }

    private static let cafe: [String: RecordedServer.Answer] = [
        "/places/search": .init(body: #"{"results":[{"name":"Café Central"}]}"#),
        "/": .init(body: #"{"Heading":"Cafe Central","AbstractText":"A coffee house in Vienna."}"#),
    ]

    @Test func thePlaceOfAPictureIsSearchedForWhenItIsKnown() async throws {
        let (said, known, server) = try await ask(Self.cafe, picture()) { base, fetch in
            [SourceID.search, .place].compactMap { JSONSource($0, base: base, fetch: fetch) }
        }
        #expect(said[.search] == Facts(title: "Cafe Central", descriptionText: "A coffee house in Vienna."))
        #expect(known.placeContext?.name == "Café Central")
        #expect(known.title == nil && known.descriptionText == nil)
        #expect(server.requests.map(\.path) == ["/places/search", "/"])
    }

    @Test func theHomeIsNotSearchedFor() async throws {
        let home = try #require(Coordinate(latitude: 48.21, longitude: 16.365))
        let (_, known, server) = try await ask(Self.cafe, picture()) { base, fetch in
            [SourceID.search, .place].compactMap { JSONSource($0, base: base, home: home, fetch: fetch) }
                + [HomeProvider(home: home)]
        }
        #expect(known.location == "Home")
        #expect(server.requests.isEmpty)
    }

    @Test func theWeatherServiceDoesNotHearOfTheHome() async throws {
        let home = try #require(Coordinate(latitude: 48.21, longitude: 16.365))
        let (_, known, server) = try await ask([:], picture()) { base, fetch in
            [JSONSource(.weather, base: base, home: home, fetch: fetch)].compactMap(\.self) + [HomeProvider(home: home)]
        }
        #expect(known.location == "Home" && known.weatherContext == nil)
        #expect(server.requests.isEmpty)
    }

    @Test func theHomeIsKnownWheneverAPictureWasTakenThere() async throws {
        let home = try #require(Coordinate(latitude: 48.21, longitude: 16.365))
        var query = picture()
        query.coordinate?.measuredAt = Date(timeIntervalSince1970: 0)
        let (_, known, server) = try await ask([:], query) { base, fetch in
            [JSONSource(.weather, base: base, fetch: fetch)].compactMap(\.self) + [HomeProvider(home: home)]
        }
        #expect(known.location == "Home")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["{}", #"{"name":"","artists":[],"album":{}}"#, #"{"images":[{"url":"https://a.example/i"}]}"#])
    func musicOfWhichNothingIsSaidIsNone(body: String) async throws {
        var query = EnrichmentQuery(kind: .media, time: Date())
        query.url = URL(string: "https://open.spotify.com/track/4DiyQ")
        let (_, known, server) = try await ask(
            [
                "/api/token": .init(body: #"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#),
                "/v1/tracks/4DiyQ": .init(body: body),
            ],
            query
        ) { base, fetch in
            let tokens = ClientTokens(url: base.appending(path: "api/token"), key: "id:secret", fetch: fetch)
            return [JSONSource(.music, base: base, tokens: tokens, fetch: fetch)].compactMap(\.self)
        }
        #expect(known == Facts())
        #expect(server.requests.count == 2)
    }
}
