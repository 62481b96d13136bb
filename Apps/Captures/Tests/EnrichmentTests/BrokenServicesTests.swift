import Basics
import Foundation
import HTTPServer
import HTTPTypes
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Four services on a loopback port, of which every subset fails in every way (E-24).
@Suite(.inTurns) struct BrokenServicesTests {
    /// No service answers before two are asked.
    @Test func theyAreAskedTogether() async throws {
        try await withServices { services, base in
            services.waitsForTwo(true)
            let data = Facts(of: await Enricher(Self.providers(base)).enrich(Self.query(base)) { _ in })
            #expect(services.mostAtOnce >= 2)
            #expect(data.placeContext?.name == "Café Central" && data.weatherContext?.condition == "Snowy")
        }
    }

    @Test func noFailureCostsAFactOrAnothersAnswer() async throws {
        try await withServices { services, base in
            var known = Facts()
            (known.title, known.descriptionText, known.price) = ("Known title", "Known before.", 4.5)
            known.categories = ["Known"]
            let names = BrokenServices.names
            for fault in BrokenServices.Fault.allCases {
                for subset in 1..<16 {
                    let isBroken = names.indices.map { subset & 1 << $0 != 0 }
                    let broken = names.indices.filter { isBroken[$0] }.map { names[$0] }
                    services.set(fault, of: Set(broken))
                    let start = ContinuousClock.now
                    let answers = await Enricher(Self.providers(base, broken: Set(broken)))
                        .enrich(Self.query(base)) { _ in }
                    var said = answers.map(\.said)
                    said.append(SourceAnswer(source: .picture, facts: known))
                    let merged = Facts(folding: said)
                    let name: Comment = "\(fault.rawValue) of \(broken.joined(separator: ", "))"
                    // The limit of 400 ms ends a silent service.
                    #expect(start.duration(to: .now) < BrokenServices.silence, name)
                    #expect(merged.title != nil && merged.price == 4.5, name)
                    #expect(merged.descriptionText?.isEmpty == false && merged.categories.contains("Known"), name)
                    #expect(isBroken[0] || merged.webContext?.textContent != nil, name)
                    #expect(isBroken[1] || merged.placeContext?.name == "Café Central", name)
                    #expect(isBroken[2] || answers.contains { $0.provider == .search && $0.isAnswered }, name)
                    #expect(isBroken[3] || merged.weatherContext?.condition == "Snowy", name)
                }
            }
            services.set(.error, of: [])
        }
    }

    /// Returns the services as providers, in order of trust: those that are broken have a short time limit.
    private static func providers(_ base: URL, broken: Set<String> = []) -> [any EnrichmentProvider] {
        func limit(_ name: String) -> Duration { broken.contains(name) ? .milliseconds(400) : .seconds(600) }
        var limits = SafeFetch.Limits()
        limits.allowsPrivate = true
        let fetch = SafeFetch(limits: limits, onTransfer: { _ in })
        var link = LinkProvider(fetch: fetch)
        link.limit = limit("link")
        return [link]
            + [SourceID.search, .weather, .place].compactMap { id in
                var source = JSONSource(id, base: base.appending(path: id.rawValue), fetch: fetch)
                source?.limit = limit(id.rawValue)
                return source
            }
    }

    private static func query(_ base: URL) -> EnrichmentQuery {
        var query = EnrichmentQuery(kind: .place, time: Date())
        query.url = base.appending(path: "link/page")
        query.title = "Café Central"
        query.coordinate = Coordinate(latitude: 48.21, longitude: 16.365)
        return query
    }

    private func withServices(
        _ body: @escaping @Sendable (BrokenServices, URL) async throws -> Void
    ) async throws {
        let services = BrokenServices()
        let server = HTTPServer(port: 0, name: "services") { await services.answer($0) }
        try await server.serve { client in
            try await body(services, try #require(URL(string: "http://127.0.0.1:\(client.port)/")))
        }
    }
}

extension ProviderAnswer {
    fileprivate var isAnswered: Bool { if case .answered = outcome { true } else { false } }
}

/// Services of which some are broken.
final class BrokenServices: Sendable {
    /// Ways to be broken.
    enum Fault: String, CaseIterable {
        case error, refusal, garbage, silence, loop, flood, empty
        case cutJSON = "cut JSON"
    }

    /// Longest time without an answer.
    static let silence = Duration.seconds(120)

    static let names = ["link", "place", "web-search", "weather"]

    /// Body that is made once: the services share their processor with the measurement.
    private static let flood = [UInt8](repeating: UInt8(ascii: "["), count: 8 << 20)

    private struct State {
        var fault = Fault.error
        var broken: Set<String> = []
        /// Number of changes of what is broken.
        var turn = 0
        var waitsForTwo = false
        var atOnce = 0
        var mostAtOnce = 0
    }

    private let state = Mutex(State())

    /// Most requests that were open at the same time.
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    private var turn: Int { state.withLock { $0.turn } }

    func set(_ fault: Fault, of broken: Set<String>) {
        state.withLock { ($0.fault, $0.broken, $0.turn) = (fault, broken, $0.turn + 1) }
    }

    func waitsForTwo(_ waits: Bool) { state.withLock { $0.waitsForTwo = waits } }

    func answer(_ request: Request) async -> Response {
        let name = request.path.split(separator: "/").first.map(String.init) ?? ""
        let now = state.withLock { state in
            state.atOnce += 1
            state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
            return state
        }
        defer { state.withLock { $0.atOnce -= 1 } }
        if now.broken.contains(name) { return await wrong(now.fault, request) }
        while now.waitsForTwo, mostAtOnce < 2, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
        switch name {
        case "link":
            let sentence = "The café on the corner has served coffee and cake to readers for years. "
            let text = String(repeating: sentence, count: 8)
            let page = "<html><head><title>Café</title></head><body><p>\(text)</p></body></html>"
            return response(.ok, page, "text/html")
        case "place": return response(.ok, #"{"results":[{"name":"Café Central","rating":9.2}]}"#)
        case "web-search":
            return response(.ok, #"{"AbstractText":"A coffee house.","AbstractURL":"https://a.example/c"}"#)
        case "weather": return response(.ok, #"{"current":{"temperature_2m":-3.4,"weather_code":73}}"#)
        default: return response(.notFound, "{}")
        }
    }

    private func wrong(_ fault: Fault, _ request: Request) async -> Response {
        switch fault {
        case .error: return response(.serviceUnavailable, "{}")
        case .refusal: return response(.unauthorized, "{}")
        case .garbage: return response(.ok, "\u{0}\u{1}\u{2}<<<")
        case .cutJSON: return response(.ok, #"{"current":{"temperature_2m":-"#)
        case .silence:
            // Ends with its turn: the server waits for open requests when it stops.
            let (turn, end) = (self.turn, ContinuousClock.now + Self.silence)
            while self.turn == turn, .now < end, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
            return response(.ok, "{}")
        case .loop:
            var response = response(.found, "")
            response.headers[.location] = request.path
            return response
        case .flood:
            return Response(status: .ok, headers: [.contentType: "application/json"], body: .bytes(Self.flood))
        case .empty: return response(.ok, "")
        }
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ body: String,
        _ type: String = "application/json"
    ) -> Response {
        Response(status: status, headers: [.contentType: type], body: .bytes(Array(body.utf8)))
    }
}
