import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

struct TalariaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Names the request in logs and answers.
    let requestID: String
    let channel: any Channel
    /// Progress of the body; shared by the copies of a context.
    let body = BodyProgress()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        // Not the library's own `id`, which needs a log handler that keeps metadata.
        requestID = source.logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? UUID().uuidString.lowercased()
    }

    /// Address of the client, when the request names no device.
    var remoteAddress: String { channel.remoteAddress?.ipAddress ?? "unknown" }
}

/// Whether a body was read to its end, and how much of it.
final class BodyProgress: Sendable {
    private let state = Mutex((bytes: 0, ended: false, last: ContinuousClock.now))

    func add(_ bytes: Int, at instant: ContinuousClock.Instant) {
        state.withLock { state in
            state.bytes += bytes
            state.last = instant
        }
    }
    func touch(_ instant: ContinuousClock.Instant) { state.withLock { $0.last = instant } }
    /// Time of the last piece.
    var last: ContinuousClock.Instant { state.withLock(\.last) }
    func end() { state.withLock { $0.ended = true } }
    var bytes: Int { state.withLock(\.bytes) }
    var hasEnded: Bool { state.withLock(\.ended) }
}

/// Permitted methods of each address.
struct RouteTable: Sendable {
    private var routes: [(path: [String], method: String)] = []

    /// Adds the routes of a router, and HEAD wherever it has GET.
    init(_ router: Router<TalariaContext>) {
        for route in router.routes {
            let path = Self.parts("\(route.path)")
            routes.append((path, route.method.rawValue))
            if route.method == .get { routes.append((path, "HEAD")) }
        }
    }

    /// - Returns: the methods in alphabetical order; none where there is nothing.
    func methods(at path: String) -> [String] {
        let parts = Self.parts(path)
        return routes.filter { route in
            route.path.count == parts.count
                && zip(route.path, parts).allSatisfy { $0.0 == $0.1 || $0.0.hasPrefix("{") }
        }.map(\.method).sorted()
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}

/// Logs one line a request, with method, route, status and time.
///
/// Paths, queries and bodies are never logged: they may contain read text.
struct RequestLogMiddleware: RouterMiddleware {
    var metrics: ServerMetrics
    var clock: ContinuousClock

    func handle(
        _ request: Request,
        context: TalariaContext,
        next: (Request, TalariaContext) async throws -> Response
    ) async throws -> Response {
        let start = clock.now
        let response = try await next(request, context)
        let duration = start.duration(to: clock.now)
        let route = context.endpointPath ?? "none"
        let method = request.method.rawValue
        metrics.requestEnded(method: method, route: route, status: response.status.code, after: duration)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(method)", "route": "\(route)", "status": "\(response.status.code)",
                "milliseconds": "\(duration.milliseconds)", "bytesIn": "\(context.body.bytes)",
            ]
        )
        return response
    }
}
