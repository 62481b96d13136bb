import Basics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Four services on a loopback port, of which every subset fails in every way (E-24).
@Suite(.inTurns) struct BrokenServicesTests {
    @Test func inParallelTheyTakeLessTimeThanInTurn() async throws {
        try await withServices(delays: [180, 120, 90, 60]) { _, base in
            let providers = Self.providers(base, .seconds(10))
            /// The shortest time of three, which other work on the machine lengthens least, and the data.
            func shortest(isParallel: Bool) async -> (time: Duration, data: EnrichmentData) {
                var (times, data) = ([Duration](), EnrichmentData())
                for _ in 0..<3 {
                    let start = ContinuousClock.now
                    let enricher = Enricher(providers, isParallel: isParallel)
                    data = Enricher.merged(await enricher.enrich(Self.query(base)) { _ in })
                    times.append(start.duration(to: .now))
                }
                return (times.min() ?? .zero, data)
            }
            let (parallel, sequential) = (await shortest(isParallel: true), await shortest(isParallel: false))
            #expect(parallel.data == sequential.data && parallel.time < sequential.time)
        }
    }

    @Test func noFailureCostsAFactOrAnothersAnswer() async throws {
        try await withServices(delays: [0, 0, 0, 0]) { services, base in
            var known = EnrichmentData()
            (known.title, known.descriptionText, known.price) = ("Known title", "Known before.", 4.5)
            known.categories = ["Known"]
            let names = BrokenServices.names
            for fault in BrokenServices.Fault.allCases {
                for subset in 1..<16 {
                    let isBroken = names.indices.map { subset & 1 << $0 != 0 }
                    let broken = names.indices.filter { isBroken[$0] }.map { names[$0] }
                    services.set(fault, of: Set(broken))
                    let start = ContinuousClock.now
                    let answers = await Enricher(Self.providers(base, .milliseconds(400)))
                        .enrich(Self.query(base)) { _ in }
                    var merged = known
                    merged.merge(Enricher.merged(answers))
                    let name: Comment = "\(fault.rawValue) of \(broken.joined(separator: ", "))"
                    // On an idle machine 50 ms more than the limit; without one, the silent service takes 30 s.
                    #expect(start.duration(to: .now) < .seconds(10), name)
                    #expect(merged.title != nil && merged.price == 4.5, name)
                    #expect(merged.descriptionText?.isEmpty == false && merged.categories.contains("Known"), name)
                    #expect(isBroken[0] || merged.webContext?.textContent != nil, name)
                    #expect(isBroken[1] || merged.placeContext?.name == "Café Central", name)
                    #expect(isBroken[2] || answers.contains { $0.provider == "web-search" && $0.isAnswered }, name)
                    #expect(isBroken[3] || merged.weatherContext?.condition == "Snowy", name)
                }
            }
        }
    }

    /// Returns the services as providers, in order of trust.
    private static func providers(_ base: URL, _ limit: Duration) -> [any EnrichmentProvider] {
        var limits = SafeFetch.Limits()
        limits.allowsPrivate = true
        let fetch = SafeFetch(limits: limits, onTransfer: { _ in })
        func service(_ name: String) -> JSONService { JSONService(base: base.appending(path: name), fetch: fetch) }
        var search = WebSearchProvider(service: service("web-search"))
        var weather = WeatherProvider(service: service("weather"))
        var place = PlaceProvider(service: service("place"), home: nil)
        var link = LinkProvider(fetch: fetch)
        (search.limit, weather.limit, place.limit, link.limit) = (limit, limit, limit, limit)
        return [search, weather, place, link]
    }

    private static func query(_ base: URL) -> EnrichmentQuery {
        var query = EnrichmentQuery(kind: .place, time: Date())
        query.url = base.appending(path: "link/page")
        query.title = "Café Central"
        query.coordinate = Coordinate(latitude: 48.21, longitude: 16.365)
        return query
    }

    private func withServices(
        delays: [Int],
        _ body: @escaping @Sendable (BrokenServices, URL) async throws -> Void
    ) async throws {
        let services = BrokenServices(delays: delays)
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            try await services.answer(request)
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(responder: responder, logger: logger).serve { client in
            try await body(services, try #require(client.port.flatMap { URL(string: "http://127.0.0.1:\($0)/") }))
        }
    }
}

extension ProviderAnswer {
    fileprivate var isAnswered: Bool { if case .answered = outcome { true } else { false } }
}

/// Services that take their time, and of which some are broken.
final class BrokenServices: Sendable {
    /// Ways to be broken.
    enum Fault: String, CaseIterable {
        case error, refusal, garbage, silence, loop, flood, empty
        case cutJSON = "cut JSON"
    }

    static let names = ["link", "place", "web-search", "weather"]

    /// Body that is made once: the services share their processor with the measurement.
    private static let flood = ByteBuffer(repeating: UInt8(ascii: "["), count: 8 << 20)

    private let delays: [String: Int]
    private let state = Mutex<(fault: Fault, broken: Set<String>)>((.error, []))

    init(delays: [Int]) { self.delays = Dictionary(zip(Self.names, delays), uniquingKeysWith: { $1 }) }

    func set(_ fault: Fault, of broken: Set<String>) { state.withLock { $0 = (fault, broken) } }

    func answer(_ request: Request) async throws -> Response {
        let name = request.uri.path.split(separator: "/").first.map(String.init) ?? ""
        let (fault, broken) = state.withLock { $0 }
        if broken.contains(name) { return try await wrong(fault, request) }
        try await Task.sleep(for: .milliseconds(delays[name] ?? 0))
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

    private func wrong(_ fault: Fault, _ request: Request) async throws -> Response {
        switch fault {
        case .error: return response(.serviceUnavailable, "{}")
        case .refusal: return response(.unauthorized, "{}")
        case .garbage: return response(.ok, "\u{0}\u{1}\u{2}<<<")
        case .cutJSON: return response(.ok, #"{"current":{"temperature_2m":-"#)
        case .silence:
            try await Task.sleep(for: .seconds(30))
            return response(.ok, "{}")
        case .loop:
            var response = response(.found, "")
            response.headers[.location] = request.uri.path
            return response
        case .flood:
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: Self.flood)
            )
        case .empty: return response(.ok, "")
        }
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ body: String,
        _ type: String = "application/json"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
    }
}
