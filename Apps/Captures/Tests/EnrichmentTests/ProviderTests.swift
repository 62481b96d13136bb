import Basics
import BookCatalogue
import Foundation
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import Captures

/// Providers, each with a server that gives the examples of the service's own documentation.
@Suite(.inTurns) struct ProviderTests {
    static let here = Coordinate(latitude: 48.210_345, longitude: 16.365_499)

    private func query(_ kind: ItemKind = .place) -> EnrichmentQuery {
        var query = EnrichmentQuery(kind: kind, time: Date(timeIntervalSince1970: 1_790_000_000))
        query.coordinate = Self.here
        query.title = "Café Central"
        return query
    }

    /// Asks a provider whose service gives recorded answers.
    private func ask(
        _ answers: [String: RecordedServer.Answer],
        _ query: EnrichmentQuery,
        of id: SourceID,
        key: String? = nil,
        home: Coordinate? = nil
    ) async throws -> (outcome: ProviderAnswer.Outcome, server: RecordedServer) {
        let server = RecordedServer(answers)
        let outcome = Mutex<ProviderAnswer.Outcome?>(nil)
        try await server.run { base in
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = true
            let fetch = SafeFetch(limits: limits) { server.note($0) }
            let source = JSONSource(id, base: base, key: key, home: home, fetch: fetch)
            let answers = try await Enricher([try #require(source)], clock: ManualClock()).enrich(query)
            outcome.withLock { $0 = answers.first?.outcome }
        }
        return (try #require(outcome.withLock { $0 }), server)
    }

    private func data(_ outcome: ProviderAnswer.Outcome) throws -> Facts {
        guard case .answered(let data) = outcome else {
            Issue.record("\(outcome)")
            throw CancellationError()
        }
        return data
    }

    /// Source of the protocol: open-meteo.com/en/docs.
    @Test func weather() async throws {
        let body = """
            {"latitude":48.21,"longitude":16.37,"current_units":{"temperature_2m":"°C"},
             "current":{"time":"2026-11-24T12:00","interval":900,"temperature_2m":-3.4,"weather_code":73}}
            """
        let (outcome, server) = try await ask(["/v1/forecast": .init(body: body)], query(), of: .weather)
        let weather = try #require(try data(outcome).weatherContext)
        #expect(weather.condition == "Snowy")
        #expect(weather.temperatureCelsius == -3.4)
        #expect(weather.symbolName == "cloud.snow")
        // A place to 100 m, and nothing else, leaves the device.
        #expect(
            server.requests.map(\.query) == [
                "latitude=48.21&longitude=16.365&current=temperature_2m,weather_code"
            ]
        )
        #expect(server.transfers.map(\.contentClass) == [.location])
        // A code that no table has.
        let odd = body.replacing(":73}", with: ":1e300}")
        let (other, _) = try await ask(["/v1/forecast": .init(body: odd)], query(), of: .weather)
        #expect(try data(other).weatherContext?.condition == "Unknown")
    }

    /// Source of the protocol: the reference of Foursquare's Places API, version 2025-06-17.
    @Test func place() async throws {
        let body = """
            {"results":[{"fsq_place_id":"4b0588","name":"Café Central","distance":12,"rating":9.2,
             "tel":"+43 1 5333763","website":"https://cafecentral.wien",
             "location":{"formatted_address":"Herrengasse 14, 1010 Wien","country":"AT"},
             "categories":[{"fsq_category_id":"1","name":"Café"},{"name":"Bakery"}]}],"context":{}}
            """
        let (outcome, server) = try await ask(
            ["/places/search": .init(body: body)],
            query(),
            of: .place,
            key: "k"
        )
        let found = try data(outcome)
        let place = try #require(found.placeContext)
        #expect(place.name == "Café Central")
        #expect(place.address == "Herrengasse 14, 1010 Wien")
        #expect(place.placeID == "4b0588")
        #expect(place.rating == 4.6)
        #expect(place.phoneNumber == "+43 1 5333763")
        #expect(place.website == "https://cafecentral.wien")
        #expect(place.categories == ["Café", "Bakery"])
        #expect(found.location == "Café Central")
        #expect(server.requests.map(\.authorization) == ["Bearer k"])
        #expect(server.requests.map(\.query) == ["ll=48.21,16.365&radius=100&limit=1&sort=DISTANCE"])
    }

    /// The text that was seen goes with the question; the venue that it names is the place, not the nearest one.
    @Test func theNameOnTheSignChoosesThePlace() async throws {
        let body = """
            {"results":[{"name":"Bar"},{"name":"Café Central","photos":[{"prefix":"https://p.example/","suffix":"/1.jpg"}],
             "tips":[{"text":"Try the cake"}],"hours":{"open_now":true},"price":2}]}
            """
        var query = query()
        query.seenText = "CAFE CENTRAL since 1876"
        let (outcome, server) = try await ask(["/places/search": .init(body: body)], query, of: .place)
        let place = try #require(try data(outcome).placeContext)
        #expect(place.name == "Café Central")
        #expect(place.photos == ["https://p.example/original/1.jpg"] && place.tips == ["Try the cake"])
        #expect(place.isOpen == true && place.priceLevel == 2)
        let sent = "ll=48.21,16.365&radius=100&limit=10&sort=DISTANCE&query=CAFE%20CENTRAL%20since%201876"
        #expect(server.requests.map(\.query) == [sent])
    }

    /// A hundred metres around the home: no service is asked.
    @Test func homeIsToldToNobody() async throws {
        let home = Coordinate(latitude: 48.210_5, longitude: 16.365_499)
        let source = JSONSource(.place, base: URL(filePath: "/"), home: home, fetch: SafeFetch { _ in })
        #expect(source?.applies(to: query()) == false)
        let onDevice = try await HomeProvider(home: try #require(home)).enrich(query())
        #expect(onDevice?.placeContext?.name == "Home" && onDevice?.location == "Home")
    }

    /// Source of the protocol: DuckDuckGo's Instant Answer API.
    @Test func webSearch() async throws {
        let body = """
            {"Heading":"Cafe Central (Vienna)","Abstract":"A","AbstractText":"A coffee house in Vienna.",
             "AbstractSource":"Wikipedia","AbstractURL":"https://en.wikipedia.org/wiki/Cafe_Central","Type":"A"}
            """
        let (outcome, server) = try await ask(["/": .init(body: body)], query(), of: .search)
        let found = try data(outcome)
        #expect(found.title == "Cafe Central (Vienna)" && found.descriptionText == "A coffee house in Vienna.")
        let address = "https://en.wikipedia.org/wiki/Cafe_Central"
        #expect(found.webContext == WebContext(siteName: "Wikipedia", url: address))
        #expect(server.requests.first?.query.hasPrefix("q=Caf%C3%A9%20Central&format=json") == true)
        #expect(server.transfers.map(\.contentClass) == [.text])
    }

    /// Source of the protocol: the reference of Spotify's Web API; one token serves for two questions.
    @Test func music() async throws {
        let track = """
            {"name":"A Case of You","artists":[{"name":"Joni Mitchell"}],"external_urls":{"spotify":"https://s.example/t"},
             "album":{"name":"Blue","images":[{"url":"https://i.example/a.jpg","height":640}]}}
            """
        let server = RecordedServer([
            "/api/token": .init(body: #"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#),
            "/v1/tracks/4DiyQ": .init(body: track), "/v1/search": .init(body: "{\"tracks\":{\"items\":[\(track)]}}"),
        ])
        try await server.run { base in
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = true
            let fetch = SafeFetch(limits: limits) { server.note($0) }
            let tokens = ClientTokens(url: base.appending(path: "api/token"), key: "id:secret", fetch: fetch)
            let provider = try #require(JSONSource(.music, base: base, tokens: tokens, fetch: fetch))
            var query = EnrichmentQuery(kind: .web, time: Date())
            #expect(!provider.applies(to: query))
            query.url = URL(string: "https://open.spotify.com/intl-de/track/4DiyQ?si=1")
            let found = try await provider.enrich(query)
            #expect(found?.musicContext?.title == "A Case of You")
            #expect(found?.musicContext?.artists == ["Joni Mitchell"])
            #expect(found?.musicContext?.album == "Blue")
            #expect(found?.musicContext?.url == "https://s.example/t")
            #expect(found?.image == "https://i.example/a.jpg")
            query = EnrichmentQuery(kind: .media, time: Date())
            query.title = "a case of you"
            query.isMusic = true
            #expect(try await provider.enrich(query)?.musicContext?.title == "A Case of You")
            // The name alone is not enough for a possible film; with its artist it is.
            query.isMusic = nil
            #expect(try await provider.enrich(query) == nil)
            query.title = "Joni Mitchell - A Case of You (live)"
            #expect(try await provider.enrich(query)?.musicContext?.title == "A Case of You")
            query.isMusic = false
            #expect(!provider.applies(to: query))
        }
        #expect(
            server.requests.map(\.path) == ["/api/token", "/v1/tracks/4DiyQ", "/v1/search", "/v1/search", "/v1/search"]
        )
        // "id:secret" in Base64.
        #expect(
            server.requests.map(\.authorization) == [
                "Basic aWQ6c2VjcmV0", "Bearer T", "Bearer T", "Bearer T", "Bearer T",
            ]
        )
        #expect(server.transfers.map(\.contentClass) == [.control, .text, .text, .text, .text])
    }

    @Test(arguments: [
        "https://open.spotify.com/track/../../v1/me", "https://open.spotify.com/artist/1",
        "https://spotify.com/track/1",
        "https://open.spotify.com.evil.example/track/1", "https://open.spotify.com/track/a%2Fb",
    ])
    func whatIsNoPieceIsNotAskedFor(address: String) { #expect(MusicAddress.piece(URL(string: address)) == nil) }

    @Test(arguments: [
        (RecordedServer.Answer(body: "{}"), "current"), (.init(body: "[1]"), "current"),
        (.init(body: "{"), "not JSON"), (.init(body: ""), "not JSON"), (.init(status: 401, body: "{}"), "key"),
        (.init(status: 404, body: "{}"), "404"), (.init(status: 503, body: "{}"), "503"),
        (.init(status: 429, body: "{}"), "429"),
        (.init(body: #"{"current":{"temperature_2m":"warm","weather_code":0}}"#), "current"),
    ])
    func aBrokenAnswerIsNamed(answer: RecordedServer.Answer, words: String) async throws {
        let (outcome, _) = try await ask(["/v1/forecast": answer], query(), of: .weather)
        guard case .failed(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains(words))
        #expect(reason.contains("127.0.0.1"))
    }

    @Test func aPageOfTheWeb() async throws {
        let html = """
            <html><head><title>x</title><meta property="og:title" content="Emma"><meta property="og:site_name"
            content="A shop"><meta property="book:isbn" content="978-0-14-143958-7"></head><body><script>1</script>
            <p>Emma Woodhouse, handsome, clever, and rich, with a comfortable home and happy disposition.</p></body></html>
            """
        let server = RecordedServer(["/emma": .init(body: html, type: "text/html; charset=utf-8")])
        try await server.run { base in
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = true
            var query = EnrichmentQuery(kind: .web, time: Date())
            query.url = base.appending(path: "emma")
            let found = try await LinkProvider(fetch: SafeFetch(limits: limits, onTransfer: { _ in })).enrich(query)
            #expect(found?.title == "Emma")
            #expect(found?.webContext?.siteName == "A shop")
            #expect(found?.webContext?.url == query.url?.absoluteString)
            #expect(found?.webContext?.textContent?.contains("handsome") == true)
            #expect(found?.webContext?.textContent?.contains("1") == false)
            #expect(found?.bookContext?.isbn == "9780141439587")
        }
    }

    @Test func aBookByItsNumberOrByTitleAndAuthor() async throws {
        let catalogue = try BookCatalogue(
            books: [
                BookRecord(title: "Emma", authors: ["Jane Austen"], isbn: ISBN("978-0-14-143958-7"), year: 1815),
                BookRecord(title: "Poems", authors: ["John Keats"]),
                BookRecord(title: "Poems", authors: ["Emily Brontë"]),
            ],
            name: "test"
        )
        let provider = BookProvider(catalogue: catalogue)
        var query = EnrichmentQuery(kind: .qrCode, time: Date())
        #expect(!provider.applies(to: query))
        query.isbn = "9780141439587"
        #expect(try await provider.enrich(query)?.bookContext?.title == "Emma")
        query.isbn = "9780000000002"
        #expect(try await provider.enrich(query) == nil)
        query = EnrichmentQuery(kind: .book, time: Date())
        query.title = "emma"
        #expect(try await provider.enrich(query)?.bookContext?.authors == ["Jane Austen"])
        // Two books of one title: not by chance one of them.
        query.title = "Poems"
        #expect(try await provider.enrich(query) == nil)
        query.authors = ["Emily Bronte"]
        #expect(try await provider.enrich(query)?.bookContext?.authors == ["Emily Brontë"])
    }

    /// Distances of Vienna and Paris: 1,034 km by the haversine on a sphere of 6,371 km.
    @Test func metres() throws {
        let vienna = try #require(Coordinate(latitude: 48.2082, longitude: 16.3738))
        let paris = try #require(Coordinate(latitude: 48.8566, longitude: 2.3522))
        #expect(abs(vienna.metres(to: paris) - 1_033_700) < 1_500)
        #expect(vienna.metres(to: vienna) == 0)
    }
}

/// Configuration of the providers by the user.
@Suite(.inTurns) struct EnrichmentConfigurationTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> EnrichmentConfiguration {
        try EnrichmentConfiguration(Array(text.utf8), name: "providers.json", environment: environment)
    }

    @Test func nobodyIsAskedByItself() {
        #expect(EnrichmentConfiguration().providers(catalogue: nil, onTransfer: { _ in }).isEmpty)
    }

    @Test func whatIsConfiguredIsAsked() throws {
        let configuration = try read(
            """
            {"home": {"latitude": 48.21, "longitude": 16.36}, "link": {}, "weather": {"url": "https://a.example"},
             "music": {"url": "https://d.example", "token-url": "https://e.example", "key-variable": "KEY"},
             "place": {"url": "https://b.example", "key-variable": "KEY"}, "web-search": {"url": "https://c.example"},
             "books": {"url": "http://10.0.0.2:8080", "private": true}}
            """,
            ["KEY": "k"]
        )
        let providers = configuration.providers(catalogue: nil, onTransfer: { _ in })
        #expect(providers.map(\.id) == [.search, .music, .weather, .place, .home, .books, .link])
        #expect(configuration.home?.latitude == 48.21)
        #expect(configuration.narrator(onTransfer: { _ in }) == nil)
        #expect(configuration.secrets.isEmpty)
    }

    @Test func aModelAndTheHomesAddress() throws {
        let configuration = try read(
            """
            {"narrator": {"url": "http://127.0.0.1:8080", "model": "small", "private": true},
             "home": {"latitude": 48.21, "longitude": 16.36, "address": "Herrengasse 14, 1010 Wien"}}
            """
        )
        #expect(configuration.narrator(onTransfer: { _ in })?.name == "small")
        #expect(configuration.secrets == ["Herrengasse 14, 1010 Wien", "Herrengasse 14"])
        #expect(configuration.providers(catalogue: nil, onTransfer: { _ in }).map(\.id) == [.home])
    }

    @Test(arguments: [
        ("", "1:1: invalid JSON"), ("[]", "1:1: invalid value a list; expected a mapping"),
        (#"{"linc": {}}"#, "1:2: linc: unknown key; did you mean \"link\"?"),
        (#"{"link": 1}"#, "1:10: link: invalid value 1; expected a mapping"),
        (#"{"weather": {}}"#, "1:13: weather.url: the key is missing"),
        (
            #"{"weather": {"url": "ftp://a"}}"#,
            "1:21: weather.url: invalid value \"ftp://a\"; expected an http or https"
        ),
        (#"{"weather": {"url": 3}}"#, "1:21: weather.url: invalid value 3; expected text"),
        (#"{"weather": {"url": "https://u:p@a.example"}}"#, "1:21: weather.url: contains a user name or password"),
        (#"{"link": {"url": "https://a.example"}}"#, "1:18: link.url: the provider \"link\" has no such key"),
        (
            #"{"place": {"url": "https://a.example", "key-variable": "NONE"}}"#,
            "1:56: place.key-variable: the environment variable NONE"
        ),
        (
            #"{"home": {"latitude": 91, "longitude": 0}}"#,
            "1:23: home.latitude: invalid value 91; expected a number from -90 to 90"
        ),
        (#"{"music": {"url": "https://a.example"}}"#, "1:11: music.token-url: the key is missing"),
        (
            #"{"weather": {"url": "https://a.example", "token-url": "https://b.example"}}"#,
            "1:55: weather.token-url: the provider"
        ),
        (
            #"{"books": {"url": "https://a.example", "key-variable": "KEY"}}"#,
            "1:56: books.key-variable: a back end uses no key"
        ),
        (#"{"books": {}}"#, "1:11: books.url: the key is missing"),
        (
            #"{"home": {"latitude": 9, "longitude": 0, "address": "1, a"}}"#,
            "1:53: home.address: invalid value \"1, a\"; expected a text of at least four"
        ),
        (#"{"home": {"latitude": 9, "longitude": 0, "street": "Herrengasse"}}"#, "1:42: home.street: unknown key"),
        (#"{"narrator": {"url": "https://a.example"}}"#, "1:14: narrator.model: the key is missing"),
        (#"{"narrator": {"model": "m"}}"#, "1:14: narrator.url: the key is missing"),
        (
            #"{"narrator": {"url": "http://a.example", "model": "m"}}"#,
            "1:22: narrator.url: invalid value \"http://a.example\"; expected https"
        ),
        (
            #"{"weather": {"url": "https://a.example", "model": "m"}}"#,
            "1:51: weather.model: the provider \"weather\" has no such key"
        ),
        (#"{"home": {"latitude": 9}}"#, "1:10: home.longitude: the key is missing"),
        (#"{"link": {"private": "yes"}}"#, "1:22: link.private: invalid value \"yes\"; expected true or false"),
    ])
    func mistakesAreNamed(text: String, words: String) {
        do {
            _ = try read(text)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("providers.json:" + words), "\(error)")
        }
    }
}
