import Hummingbird
import Logging

/// Logs one line a request, with method, route, status and time.
///
/// Never a path, a query or a body: they may hold what was read.
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
