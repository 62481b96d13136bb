import Foundation
import TestSupport
import Testing

@testable import Captures

/// Four services on a loopback port, of which every subset fails in every way (E-24).
@Suite(.inTurns) struct BrokenServicesTests {
    /// Ways to fail by name; "loop" leads to itself, and "silence" ends by the provider's limit.
    private static let faults: [String: RecordedServer.Answer] = [
        "error": .init(status: 503, body: "{}"), "refusal": .init(status: 401, body: "{}"),
        "garbage": .init(body: "\u{0}\u{1}\u{2}<<<"), "cut JSON": .init(body: #"{"current":{"temperature_2m":"-"#),
        "silence": .init(isLate: true), "loop": .moved(""), "empty": .init(),
        "flood": .init(body: String(repeating: "[", count: 8 << 20)),
    ]

    private static let good: [(path: String, answer: RecordedServer.Answer)] = [
        (
            "/link/page",
            .page(
                "<title>Café</title><p>"
                    + String(
                        repeating: "The café on the corner has served coffee and cake to readers for years. ",
                        count: 8
                    )
            )
        ), ("/place/places/search", .init(body: #"{"results":[{"name":"Café Central","rating":9.2}]}"#)),
        ("/web-search", .init(body: #"{"AbstractText":"A coffee house.","AbstractURL":"https://a.example/c"}"#)),
        ("/weather/v1/forecast", .init(body: #"{"current":{"temperature_2m":-3.4,"weather_code":73}}"#)),
    ]

    /// Asks the services; those that are late have a short time limit.
    private func ask(_ answers: [RecordedServer.Answer], together: Int = 1) async throws -> [SourceAnswer] {
        let named = zip(Self.good.map(\.path), answers)
        let server = RecordedServer(Dictionary(uniqueKeysWithValues: named.map { ($0, $1) }), together: together)
        return try await server.run { base in
            let fetch = SafeFetch(allowsPrivate: true) { _ in }
            func limit(_ index: Int) -> Duration { answers[index].isLate ? .milliseconds(400) : .seconds(600) }
            var link = LinkProvider(fetch: fetch)
            link.limit = limit(0)
            let services = try [SourceID.place, .search, .weather].enumerated().map { index, id in
                var source = try #require(JSONSource(id, base: base.appending(path: id.rawValue), fetch: fetch))
                source.limit = limit(index + 1)
                return source
            }
            var query = EnrichmentQuery(kind: .place, url: base.appending(path: "link/page"), title: "Café Central")
            query.coordinate = Coordinate(latitude: 48.21, longitude: 16.365)
            return try await Enricher([link] + services).enrich(query)
        }
    }

    /// No service answers before two are asked, as many as a host gets at once.
    @Test func theyAreAskedTogether() async throws {
        let data = Facts(folding: try await ask(Self.good.map(\.answer), together: 2))
        #expect(data.placeContext?.name == "Café Central" && data.weatherContext?.condition == "Snowy")
    }

    @Test(arguments: faults.keys.sorted()) func noFailureCostsAFactOrAnothersAnswer(fault: String) async throws {
        let known = Facts(title: "Known title", descriptionText: "Known before.", categories: ["Known"], price: 4.5)
        for broken in 1..<16 {
            let works = Self.good.indices.map { broken & 1 << $0 == 0 }
            let answers = try Self.good.enumerated().map { index, good in
                var wrong = try #require(Self.faults[fault])
                if fault == "loop" { wrong.headers = ["Location": good.path] }
                return works[index] ? good.answer : wrong
            }
            var said = try await ask(answers)
            #expect(said.count == 4)
            said.append(SourceAnswer(source: .picture, facts: known))
            let (all, name) = (Facts(folding: said), "\(fault) of \(broken)" as Comment)
            #expect(all.title != nil && all.price == 4.5 && all.categories.contains("Known"), name)
            #expect(all.descriptionText?.isEmpty == false, name)
            #expect((all.webContext?.textContent != nil) == works[0], name)
            #expect((all.placeContext != nil) == works[1] && (all.weatherContext != nil) == works[3], name)
            #expect((said[.search] != Facts()) == works[2], name)
        }
    }
}
