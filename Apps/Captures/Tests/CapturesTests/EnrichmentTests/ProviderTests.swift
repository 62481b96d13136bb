import Basics
import BookCatalogue
import Foundation
import Talaria
import TestSupport
import Testing

@testable import Captures

/// Providers, each with a server that gives the examples of the service's own documentation.
@Suite(.inTurns, .endsWhatHangs) struct ProviderTests {
    static let here = Coordinate(latitude: 48.210_345, longitude: 16.365_499)
    static let query = EnrichmentQuery(kind: .place, title: "Café Central", coordinate: here)

    /// Asks services with recorded answers; with a home, also about that.
    private func ask(
        _ answers: [String: RecordedServer.Answer],
        of ids: [SourceID],
        _ query: EnrichmentQuery = query,
        home: Coordinate? = nil
    ) async throws -> (said: [SourceAnswer], server: RecordedServer) {
        let (said, server) = try await asking(answers) { fetch, base in
            let tokens = ClientTokens(url: base.appending(path: "api/token"), key: "id:secret", fetch: fetch)
            var providers = ids.compactMap { id -> (any EnrichmentProvider)? in
                JSONSource(id, base: base, key: "k", home: home, tokens: id == .music ? tokens : nil, fetch: fetch)
            }
            if let home { providers.append(HomeProvider(home: home)) }
            return try await Enricher(providers, clock: ManualClock()).enrich(query)
        }
        return (said, server)
    }

    /// Source of the protocol: open-meteo.com/en/docs; 1e300 is a code that no table has.
    @Test(arguments: [("73", "Snowy", "cloud.snow"), ("1e300", "Unknown", "questionmark")])
    func weather(code: String, condition: String, symbol: String) async throws {
        let body = """
            {"latitude":48.21,"longitude":16.37,"current_units":{"temperature_2m":"°C"},
             "current":{"time":"2026-11-24T12:00","interval":900,"temperature_2m":-3.4,"weather_code":\(code)}}
            """
        let (said, server) = try await ask(["/v1/forecast": .init(body: body)], of: [.weather])
        let weather = WeatherContext(condition: condition, temperatureCelsius: -3.4, symbolName: symbol)
        #expect(said[.weather] == Facts(weatherContext: weather))
        // A place to 100 m, and nothing else, leaves the device.
        #expect(server.requests.map(\.query) == ["latitude=48.21&longitude=16.365&current=temperature_2m,weather_code"])
        #expect(server.transfers.map(\.contentClass) == [.location])
    }

    /// Source of the protocol: the reference of Foursquare's Places API, version 2025-06-17.
    @Test func place() async throws {
        let body = """
            {"results":[{"fsq_place_id":"4b0588","name":"Café Central","distance":12,"rating":9.2,
             "tel":"+43 1 5333763","website":"https://cafecentral.wien",
             "location":{"formatted_address":"Herrengasse 14, 1010 Wien","country":"AT"},
             "categories":[{"fsq_category_id":"1","name":"Café"},{"name":"Bakery"}]}],"context":{}}
            """
        let (said, server) = try await ask(["/places/search": .init(body: body)], of: [.place])
        var place = PlaceContext(name: "Café Central", address: "Herrengasse 14, 1010 Wien")
        (place.phoneNumber, place.website, place.rating) = ("+43 1 5333763", "https://cafecentral.wien", 4.6)
        (place.categories, place.placeID) = (["Café", "Bakery"], "4b0588")
        #expect(said[.place] == Facts(categories: place.categories, location: "Café Central", placeContext: place))
        #expect(server.requests.map(\.authorization) == ["Bearer k"])
        #expect(server.requests.map(\.query) == ["ll=48.21,16.365&radius=100&limit=1&sort=DISTANCE"])
    }

    /// The text that was seen goes with the question; the venue that it names is the place, not the nearest one.
    @Test func theNameOnTheSignChoosesThePlace() async throws {
        let body = """
            {"results":[{"name":"Bar"},{"name":"Café Central","photos":[{"prefix":"https://p.example/","suffix":"/1.jpg"}],
             "tips":[{"text":"Try the cake"}],"hours":{"open_now":true},"price":2}]}
            """
        var query = Self.query
        query.seenText = "CAFE CENTRAL since 1876"
        let (said, server) = try await ask(["/places/search": .init(body: body)], of: [.place], query)
        var place = PlaceContext(name: "Café Central", tips: ["Try the cake"])
        (place.photos, place.isOpen, place.priceLevel) = (["https://p.example/original/1.jpg"], true, 2)
        #expect(said[.place]?.placeContext == place)
        let sent = "ll=48.21,16.365&radius=100&limit=10&sort=DISTANCE&query=CAFE%20CENTRAL%20since%201876"
        #expect(server.requests.map(\.query) == [sent])
    }

    /// Source of the protocol: DuckDuckGo's Instant Answer API.
    @Test func webSearch() async throws {
        let body = """
            {"Heading":"Cafe Central (Vienna)","Abstract":"A","AbstractText":"A coffee house in Vienna.",
             "AbstractSource":"Wikipedia","AbstractURL":"https://en.wikipedia.org/wiki/Cafe_Central","Type":"A"}
            """
        let (said, server) = try await ask(["/": .init(body: body)], of: [.search])
        var found = Facts(title: "Cafe Central (Vienna)", descriptionText: "A coffee house in Vienna.")
        found.webContext = WebContext(siteName: "Wikipedia", url: "https://en.wikipedia.org/wiki/Cafe_Central")
        #expect(said[.search] == found && server.transfers.map(\.contentClass) == [.text])
        #expect(server.requests.first?.query.hasPrefix("q=Caf%C3%A9%20Central&format=json") == true)
    }

    // MARK: - Music

    private static let token = RecordedServer.Answer(
        body: #"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#
    )

    /// Source of the protocol: the reference of Spotify's Web API; one token serves for all questions.
    @Test func music() async throws {
        let track = """
            {"name":"A Case of You","artists":[{"name":"Joni Mitchell"}],"external_urls":{"spotify":"https://s.example/t"},
             "album":{"name":"Blue","images":[{"url":"https://i.example/a.jpg","height":640}]}}
            """
        let answers: [String: RecordedServer.Answer] = [
            "/api/token": Self.token, "/v1/tracks/4DiyQ": .init(body: track),
            "/v1/search": .init(body: "{\"tracks\":{\"items\":[\(track)]}}"),
        ]
        var piece = Facts(title: "A Case of You", image: "https://i.example/a.jpg", categories: ["Music"])
        piece.musicContext = MusicContext(title: "A Case of You", artists: ["Joni Mitchell"], album: "Blue")
        piece.musicContext?.url = "https://s.example/t"
        let address = URL(string: "https://open.spotify.com/intl-de/track/4DiyQ?si=1")
        // The name alone is not enough for a possible film; with its artist it is.
        let queries: [(EnrichmentQuery, Bool?)] = [
            (EnrichmentQuery(kind: .web, url: address), true), (.init(kind: .web), nil),
            (.init(kind: .media, title: "a case of you", isMusic: true), true),
            (.init(kind: .media, title: "a case of you"), false),
            (.init(kind: .media, title: "Joni Mitchell - A Case of You (live)"), true),
            (.init(kind: .media, title: "Joni Mitchell - A Case of You (live)", isMusic: false), nil),
        ]
        let (said, server) = try await asking(answers) { fetch, base in
            let tokens = ClientTokens(url: base.appending(path: "api/token"), key: "id:secret", fetch: fetch)
            let enricher = Enricher([try #require(JSONSource(.music, base: base, tokens: tokens, fetch: fetch))])
            var said: [SourceAnswer?] = []
            for (query, _) in queries { said.append(try await enricher.enrich(query).first) }
            return said
        }
        #expect(said.map { $0?.facts } == queries.map { $1.map { $0 ? piece : Facts() } })
        #expect(said.allSatisfy { $0?.failure == nil })
        #expect(server.paths == ["/api/token", "/v1/tracks/4DiyQ", "/v1/search", "/v1/search", "/v1/search"])
        // "id:secret" in Base64.
        #expect(server.requests.map(\.authorization) == ["Basic aWQ6c2VjcmV0"] + Array(repeating: "Bearer T", count: 4))
        #expect(server.transfers.map(\.contentClass) == [.control, .text, .text, .text, .text])
    }

    @Test(arguments: ["{}", #"{"name":"","artists":[],"album":{}}"#, #"{"images":[{"url":"https://a.example/i"}]}"#])
    func musicOfWhichNothingIsSaidIsNone(body: String) async throws {
        let query = EnrichmentQuery(kind: .media, url: URL(string: "https://open.spotify.com/track/4DiyQ"))
        let answers: [String: RecordedServer.Answer] = [
            "/api/token": Self.token, "/v1/tracks/4DiyQ": .init(body: body),
        ]
        let (said, server) = try await ask(answers, of: [.music], query)
        #expect(said == [SourceAnswer(source: .music)] && server.requests.count == 2)
    }

    @Test(arguments: [
        "https://open.spotify.com/track/../../v1/me", "https://open.spotify.com/artist/1",
        "https://spotify.com/track/1",
        "https://open.spotify.com.evil.example/track/1", "https://open.spotify.com/track/a%2Fb",
    ])
    func whatIsNoPieceIsNotAskedFor(address: String) { #expect(MusicAddress.piece(URL(string: address)) == nil) }

    // MARK: - Needs, failures

    private static let cafe: [String: RecordedServer.Answer] = [
        "/places/search": .init(body: #"{"results":[{"name":"Café Central"}]}"#),
        "/": .init(body: #"{"Heading":"Cafe Central","AbstractText":"A coffee house in Vienna."}"#),
    ]

    @Test func thePlaceOfAPictureIsSearchedForWhenItIsKnown() async throws {
        let (said, server) = try await ask(
            Self.cafe,
            of: [.search, .place],
            EnrichmentQuery(kind: .image, coordinate: Self.here)
        )
        #expect(said[.search] == Facts(title: "Cafe Central", descriptionText: "A coffee house in Vienna."))
        let known = Facts(folding: said)
        #expect(known.placeContext?.name == "Café Central" && known.title == nil && known.descriptionText == nil)
        #expect(server.paths == ["/places/search", "/"])
    }

    /// Around the home, however old the location is, no service is asked: a hundred metres.
    @Test(arguments: [0.0, 0.000_1, nil]) func theHomeIsKnownToNobodyElse(away: Double?) async throws {
        var query = EnrichmentQuery(kind: .image, coordinate: Self.here)
        query.coordinate?.latitude += away ?? 0
        if away == nil { query.coordinate?.measuredAt = Date(timeIntervalSince1970: 0) }
        let (said, server) = try await ask(Self.cafe, of: [.search, .place, .weather], query, home: Self.here)
        #expect(
            said == [
                SourceAnswer(source: .home, facts: Facts(location: "Home", placeContext: PlaceContext(name: "Home")))
            ]
        )
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (RecordedServer.Answer(body: "{}"), "current"), (.init(body: "[1]"), "current"),
        (.init(body: "{"), "not JSON"), (.init(body: ""), "not JSON"), (.init(status: 401, body: "{}"), "key"),
        (.init(status: 404, body: "{}"), "404"), (.init(status: 503, body: "{}"), "503"),
        (.init(status: 429, body: "{}"), "429"),
        (.init(body: #"{"current":{"temperature_2m":"warm","weather_code":0}}"#), "current"),
    ])
    func aBrokenAnswerIsNamed(answer: RecordedServer.Answer, words: String) async throws {
        let reason = try await ask(["/v1/forecast": answer], of: [.weather]).said.first?.failure?.reason
        #expect(reason?.contains(words) == true && reason?.contains("127.0.0.1") == true)
    }

    @Test func aPageOfTheWeb() async throws {
        let html = """
            <html><head><title>x</title><meta property="og:title" content="Emma"><meta property="og:site_name"
            content="A shop"><meta property="book:isbn" content="978-0-14-143958-7"></head><body><script>1</script>
            <p>Emma Woodhouse, handsome, clever, and rich, with a comfortable home and happy disposition.</p></body></html>
            """
        let (found, _) = try await asking(["/emma": .page(html)]) { fetch, base in
            try await LinkProvider(fetch: fetch).enrich(EnrichmentQuery(kind: .web, url: base.appending(path: "emma")))
        }
        let page = try #require(found?.webContext)
        #expect(found?.title == "Emma" && page.siteName == "A shop" && page.url?.hasSuffix("/emma") == true)
        #expect(page.textContent?.contains("handsome") == true && page.textContent?.contains("1") == false)
        #expect(found?.bookContext?.isbn == "9780141439587")
    }

    // MARK: - Books

    private static let books = [
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("978-0-441-17271-9")),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Poems", authors: ["John Keats"]), BookRecord(title: "Poems", authors: ["Emily Brontë"]),
    ]

    @Test(
        arguments: [
            (.init(kind: .qrCode, isbn: "9780441172719"), "Frank Herbert"),
            (.init(kind: .qrCode, isbn: "9780000000002"), nil),
            (.init(kind: .book, title: "emma"), "Jane Austen"),
            // Two books of one title: not by chance one of them.
            (.init(kind: .book, title: "Poems"), nil),
            (.init(kind: .book, title: "Poems", authors: ["Emily Bronte"]), "Emily Brontë"),
        ] as [(EnrichmentQuery, String?)]
    )
    func aBookByItsNumberOrByTitleAndAuthor(query: EnrichmentQuery, author: String?) async throws {
        let provider = BookProvider(catalogue: try BookCatalogue(books: Self.books, name: "test"))
        #expect(!provider.applies(to: EnrichmentQuery(kind: .qrCode)) && provider.applies(to: query))
        #expect(try await provider.enrich(query)?.bookContext?.authors == author.map { [$0] })
    }

    /// Distances of Vienna and Paris: 1,034 km by the haversine on a sphere of 6,371 km.
    @Test func metres() throws {
        let vienna = try #require(Coordinate(latitude: 48.2082, longitude: 16.3738))
        let paris = try #require(Coordinate(latitude: 48.8566, longitude: 2.3522))
        #expect(abs(vienna.metres(to: paris) - 1_033_700) < 1_500 && vienna.metres(to: vienna) == 0)
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
             "place": {"url": "https://b.example", "key-variable": "KEY"}, "web-search": {"url": "https://c.example"}}
            """,
            ["KEY": "k"]
        )
        let providers = configuration.providers(catalogue: nil, onTransfer: { _ in })
        #expect(providers.map(\.id) == [.search, .music, .weather, .place, .home, .link])
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
