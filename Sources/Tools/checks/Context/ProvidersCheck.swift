import ArgumentParser
import Basics
import Captures
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

struct ProvidersCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Query four services in parallel and in turn (E-24), and with every subset of them broken.",
        discussion: """
            The services are simulated by this check on a loopback port, with the delays of \
            --delays: these times and their consequences are set, not measured; the overhead is measured. Then \
            each subset of the services fails in each way. The exit code is 1 when a known fact or an answer is lost, or \
            when an answer takes longer than the slowest limit and 50 ms.
            """
    )

    @Option(help: "Delays of link, place, web search and weather, in milliseconds.")
    var delays = "180,120,90,60"

    @Option(help: "Number of requests of each kind.")
    var questions = 30

    @Option(help: "Timeout of each service when some are broken, in milliseconds.")
    var limit = 400

    private var times: [Int] { delays.split(separator: ",").compactMap { Int($0) } }

    func validate() throws {
        guard times.count == 4, times.allSatisfy({ (0...10_000).contains($0) }) else {
            throw ValidationError("invalid --delays '\(delays)': expected four numbers from 0 to 10000.")
        }
        guard questions > 0, limit > (times.max() ?? 0) else {
            throw ValidationError(
                "Invalid --questions or --limit: expected --questions 1 or more, and --limit above the longest delay."
            )
        }
    }

    func run() async throws {
        let services = BrokenServices(delays: times)
        let address = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                try await services.answer(request)
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in address.continuation.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "checks") { _ in SwiftLogNoOpLogHandler() }
        )
        let server = Task { try await application.runService(gracefulShutdownSignals: []) }
        defer { server.cancel() }
        for await port in address.stream {
            guard let base = URL(string: "http://127.0.0.1:\(port)/") else { break }
            try await compare(services, base)
            try await breakThem(services, base)
            return
        }
        throw CheckFailure("the services could not be started")
    }

    /// Returns the services as providers, in order of trust.
    private func providers(_ base: URL, _ limit: Duration) -> [any EnrichmentProvider] {
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

    private func query(_ base: URL) -> EnrichmentQuery {
        var query = EnrichmentQuery(kind: .place, time: Date())
        query.url = base.appending(path: "link/page")
        query.title = "Café Central"
        query.coordinate = Coordinate(latitude: 48.21, longitude: 16.365)
        return query
    }

    private func milliseconds(
        _ enricher: Enricher,
        _ query: EnrichmentQuery
    ) async -> (Double, [ProviderAnswer]) {
        let start = ContinuousClock.now
        let answers = await enricher.enrich(query) { _ in }
        return (start.duration(to: .now) / .milliseconds(1), answers)
    }

    private func compare(_ services: BrokenServices, _ base: URL) async throws {
        let query = query(base)
        let all = providers(base, .seconds(10))
        let (parallel, sequential) = (Enricher(all), Enricher(all, isParallel: false))
        var (atOnce, inTurn): ([Double], [Double]) = ([], [])
        for _ in 0..<questions {
            let (one, together) = await milliseconds(parallel, query)
            let (other, apart) = await milliseconds(sequential, query)
            guard Enricher.merged(together) == Enricher.merged(apart), together.count == 4 else {
                throw CheckFailure("the answers differ between parallel and sequential requests")
            }
            atOnce.append(one)
            inTurn.append(other)
        }
        print("| requests, with set delays of \(delays) ms | n | P50 ms | P95 ms | P99 ms |\n|---|--:|--:|--:|--:|")
        print(Latencies(atOnce).row("in parallel"))
        print(Latencies(inTurn).row("in turn"))
        let (a, b) = (Latencies(atOnce).percentile(50) ?? .nan, Latencies(inTurn).percentile(50) ?? .nan)
        print(
            String(
                format: "in parallel takes %.2f of the time; %.1f ms above the slowest service (set to %d ms)\n",
                a / b,
                a - Double(times.max() ?? 0),
                times.max() ?? 0
            )
        )
    }

    private func breakThem(_ services: BrokenServices, _ base: URL) async throws {
        var known = EnrichmentData.none
        (known.title, known.descriptionText, known.price) = ("Known title", "Known before.", 4.5)
        known.categories = ["Known"]
        var failures: [String] = []
        var times: [Double] = []
        let names = BrokenServices.names
        for fault in BrokenServices.Fault.allCases {
            for subset in 1..<16 {
                services.set(fault, of: Set(names.indices.filter { subset & 1 << $0 != 0 }.map { names[$0] }))
                let enricher = Enricher(providers(base, .milliseconds(limit)))
                let (time, answers) = await milliseconds(enricher, query(base))
                times.append(time)
                var merged = known
                merged.merge(Enricher.merged(answers))
                let isBroken = names.indices.map { subset & 1 << $0 != 0 }
                let wrong = names.indices.filter { isBroken[$0] }.map { names[$0] }
                let name = "\(fault.rawValue) of \(wrong.joined(separator: ", "))"
                let lost = [
                    (merged.title == nil, "title"), (merged.price != 4.5, "price"),
                    (merged.descriptionText?.known == nil, "description"),
                    (!merged.categories.contains("Known"), "categories"),
                    (!isBroken[0] && merged.webContext?.textContent == nil, "page"),
                    (!isBroken[1] && merged.placeContext?.name != "Café Central", "place"),
                    (!isBroken[2] && !answers.contains { $0.provider == "web-search" && $0.outcome.isData }, "search"),
                    (!isBroken[3] && merged.weatherContext?.condition != "Snowy", "weather"),
                ].filter(\.0).map(\.1)
                if !lost.isEmpty { failures.append("\(name): lost \(lost.joined(separator: ", "))") }
                if time > Double(limit) + 50 { failures.append("\(name): \(Int(time)) ms, limit \(limit) ms") }
            }
        }
        print("| with broken services, timeout \(limit) ms each | n | P50 ms | P95 ms | P99 ms |")
        print("|---|--:|--:|--:|--:|")
        print(Latencies(times).row("\(BrokenServices.Fault.allCases.count) ways, 15 subsets"))
        print("\(failures.count) faults; the longest took \(Int(times.max() ?? 0)) ms")
        try end(failures)
    }
}

extension ProviderAnswer.Outcome {
    fileprivate var isData: Bool { if case .answered = self { true } else { false } }
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
