import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

/// The kind of a thing, and the time of its picture, are derived from evidence.
@Suite(.inTurns) struct EvidenceTests {
    /// Requirements of the web search; it is never asked here.
    private static func isSearched(_ query: EnrichmentQuery) -> Bool {
        let search = JSONSource(.search, base: URL(filePath: "/"), fetch: SafeFetch(onTransfer: { _ in }))
        return search?.applies(to: query) == true
    }

    /// 9002490100070: the sum of its digits, every second one three times, is 70.
    @Test(arguments: [false, true])
    func theAnswerToAProductsNumberIsACandidateUnlessItHasTheNumber(isNumbered: Bool) async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(DrawnCode.ean13("9002490100070").png())
        let text = isNumbered ? "A drink in a can, EAN 9-002490-100070." : "A drink in a can."
        let found = Facts(title: "Energy drink", descriptionText: text)
        let search = Source(.search, needs: { Self.isSearched($0) }, found)
        try await store.process([search])
        let child = try #require(try store.children(of: item.id).first)
        #expect(child.kind == .product)
        let code = isNumbered ? "the code of the product “Energy drink”" : "the code of a product, “9002490100070”"
        #expect(child.title == (isNumbered ? "Energy drink" : "Product 9002490100070"))
        #expect(child.statements == ["Scanning \(code)."])
        let answer = try #require(child.answers.first { $0.source == .search })
        #expect(answer.agreement == (isNumbered ? .agrees : .candidate) && answer.facts == found)
        #expect(child.enrichment.title == (isNumbered ? "Energy drink" : nil))
        #expect(child.enrichment.descriptionText == (isNumbered ? text : nil))
        #expect(try store.picture(.thumbnail, of: child.id)?.isEmpty == false)
        #expect(search.queries.map(\.title) == ["9002490100070"])
        #expect(try store.session(item.sessionID)?.statements == ["Scanning \(code)."])
    }

    static let types: [(String, ItemKind, Bool?)] = [
        ("Product", .product, nil), ("https://schema.org/Product", .product, nil), ("MusicRecording", .media, true),
        ("Movie", .media, false), ("NewsArticle", .web, nil), ("Thing", .web, nil),
    ]

    @Test(arguments: types)
    func aPageIsOfTheKindThatItsDataSay(type: String, kind: ItemKind, isMusic: Bool?) async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://shop.example/kettle")
        var page = Facts(title: "Kettle for 1.7 litres", webContext: WebContext())
        page.webContext?.structuredData = #"[{"@graph":[{"@type":"WebSite"},{"@type":["\#(type)"],"name":"Kettle"}]}]"#
        let link = Source(.link, needs: { $0.url != nil }, page)
        let search = Source(.search, needs: { Self.isSearched($0) })
        let other = Source(.music, needs: { $0.kind == kind && $0.title != nil })
        try await store.process([other, search, link])
        #expect(try store.item(item.id)?.kind == kind)
        let searched: [String?] = kind == .product ? ["Kettle for 1.7 litres"] : []
        #expect(search.queries.map(\.title) == searched)
        #expect(other.queries.map(\.isMusic) == [isMusic])
    }

    static let addresses: [(String, ItemKind)] = [
        ("https://open.spotify.com/track/1", .media), ("https://www.youtube.com/watch?v=1", .media),
        ("https://youtu.be/1", .media), ("https://somebody.bandcamp.com/album/a", .media),
        ("https://www.youtube.com/", .web), ("https://youtube.com.evil.example/watch", .web),
        ("https://example.org/watch", .web),
    ]

    @Test(arguments: addresses)
    func anAddressWhereSomethingIsPlayedIsMedia(address: String, kind: ItemKind) throws {
        #expect(try CaptureIntake.capture(address: address, at: Date()).kind == kind)
    }

    // MARK: - Time

    /// Returns a JPEG with a place, taken at 14:03:09 on 28 July 2019 by its camera (Fixtures/make_times.py).
    private func jpeg(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/time-\(name)", withExtension: "jpg"))
        return [UInt8](try Data(contentsOf: url))
    }

    /// 12:03:09 of that day, UTC, by `date -u`.
    private static let taken = Date(timeIntervalSince1970: 1_564_315_389)

    @Test func thePlaceOfAPictureIsOfItsOwnTime() throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let west = try #require(TimeZone(secondsFromGMT: -3_600))
        func measured(_ bytes: [UInt8]) throws -> Date? {
            try CaptureIntake.capture(bytes, name: "a.jpg", at: now, in: west).coordinate?.measuredAt
        }
        #expect(try measured(jpeg("zone")) == Self.taken)
        #expect(try measured(jpeg("plain")) == Self.taken.addingTimeInterval(3 * 3_600))
        // 308 seconds before, and no zone to be known.
        #expect(try measured(jpeg("satellites")) == Self.taken.addingTimeInterval(-308))
        // Unknown time: never now.
        #expect(try measured(jpeg("undated")) == .distantPast)
        // It is captured now, and facts about the current place do not apply to then.
        var item = CapturedItem(sessionID: UUID(), kind: .image, capturedAt: now)
        item.coordinate = Coordinate(latitude: 48, longitude: 16, measuredAt: Self.taken)
        #expect(EnrichmentQuery(item, askedAt: now).freshCoordinate == nil)
        #expect(EnrichmentQuery(item, askedAt: Self.taken.addingTimeInterval(200)).freshCoordinate != nil)
    }

    /// A file cut anywhere, or with any byte changed, may give another time or none, and does not end the program.
    @Test func brokenTimesAreNone() throws {
        let whole = try jpeg("both")
        let start = try #require(whole.indices.first { whole[$0...].starts(with: Array("Exif\0\0".utf8)) })
        for count in 0..<350 {
            // The whole block, or the file, ends.
            var cut = Array(whole[..<(start + 6 + count)]) + whole.suffix(300)
            (cut[start - 2], cut[start - 1]) = (UInt8((count + 8) >> 8), UInt8((count + 8) & 0xFF))
            _ = ImageCodec.exif(of: cut) { $0.date(in: .gmt) }
            _ = ImageCodec.exif(of: Array(whole[..<count])) { $0.date(in: .gmt) }
            var changed = whole
            changed[count] = 0xFF
            _ = ImageCodec.exif(of: changed) { $0.date(in: .gmt) }
        }
        #expect(ImageCodec.exif(of: []) { $0.date(in: .gmt) } == nil)
    }

    /// A picture keeps the weather in which it was taken when it is processed again.
    @Test func theFirstWeatherStays() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured("A note")
        for condition in ["Sunny", "Rainy"] {
            let weather = WeatherContext(condition: condition, temperatureCelsius: 20, symbolName: "sun.max")
            try await store.process([Source(.weather, Facts(weatherContext: weather))])
            try store.reprocess(session: item.sessionID)
        }
        #expect(try store.item(item.id)?.enrichment.weatherContext?.condition == "Sunny")
    }

    /// Headings of answers against what was read: by hand.
    @Test(arguments: [
        ("ORGANIC OAT DRINK 1 L", "Organic oat drink", "", Evidence.Agreement.agrees),
        ("ORGANIC OAT DRINK 1 L", "Energy drink", "", .candidate),
        ("ORGANIC OAT DRINK 1 L", "Kitchen kettle", "", .disagrees),
        ("ORGANIC OAT DRINK 1 L", "Red energy drink can", "", .candidate), ("", "Energy drink", "", .candidate),
        ("Kettle", "Kettle", "", .agrees), ("Oat", "Kitchen kettle", "", .candidate),
        ("", "Cola", "EAN 54490000", .agrees), ("", "Cola", "EAN 154490000", .candidate),
    ])
    func anAnswerIsComparedWithWhatWasRead(
        read: String,
        heading: String,
        text: String,
        state: Evidence.Agreement
    ) {
        let evidence = Evidence(texts: [read], numbers: ["54490000"])
        #expect(evidence.agreement(of: Facts(title: heading, descriptionText: text)) == state)
    }

    /// A shop's page stays the shop's: what a search service knows of its product is a candidate.
    @Test func aShopsPageIsNotOnAnotherSite() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://shop.example/oat")
        var page = Facts(title: "Barista Oat Drink 1 L", price: 2.49, currency: "EUR")
        page.webContext = WebContext(siteName: "shop.example", url: "https://shop.example/oat")
        var answer = Facts(title: "Oat drink", descriptionText: "A drink.")
        answer.webContext = WebContext(siteName: "Wikipedia", url: "https://w.example/")
        try await store.process([Source(.search, answer), Source(.link, page)])
        let kept = try #require(try store.item(item.id))
        #expect(kept.statements == ["Opening “Barista Oat Drink 1 L” on shop.example."])
        #expect(kept.answers.map(\.source) == [.link, .search] && kept.answers[1].agreement == .agrees)
        // Title, price, site and address are the page's; the description is the search service's.
        page.descriptionText = "A drink."
        #expect(kept.enrichment == page)
        #expect(
            kept.shownFacts.map { "\($0.name): \($0.text) \($0.source ?? "")" } == [
                "Site: shop.example from the page", "Description: A drink. from the web search",
                "Price: 2.49 EUR from the page",
            ]
        )
        #expect(!kept.tags.contains("Barista Oat Drink 1 L"))
    }

    // MARK: - Words

    @Test func whoFailedIsNamed() {
        let problems = [
            SourceProblem(source: .link, reason: "timed out after 30 s", isPassing: true),
            SourceProblem(source: .place, reason: "it is gone", isPassing: false),
        ]
        #expect(problems.words == "link: timed out after 30 s; place: it is gone")
    }

    /// One letter may carry any number of marks: four bytes for each character are enough.
    @Test func aTextIsBoundedByBytesToo() {
        let marked = "a" + String(repeating: "\u{301}", count: 400_000)
        #expect(marked.bounded(to: 50).utf8.count == 199)
        #expect("日本語".bounded(to: 2) == "日本")
        #expect("plain".bounded(to: 9) == "plain")
        #expect("".bounded(to: 9) == "")
    }
}
