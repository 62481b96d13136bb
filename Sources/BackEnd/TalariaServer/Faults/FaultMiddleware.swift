import Hummingbird
import Talaria

/// Lets requests to the API go wrong as the plan says; operations pages always answer.
struct FaultMiddleware: RouterMiddleware {
    var injector: FaultInjector
    var metrics: ServerMetrics
    var clock: any Clock<Duration>

    func handle(
        _ request: Request,
        context: TalariaContext,
        next: (Request, TalariaContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix("/v3/") else { return try await next(request, context) }
        let plan = injector.plan
        if let latency = plan.latency, injector.happens(latency.probability) {
            metrics.fault("latency")
            try await clock.sleep(for: .milliseconds(latency.milliseconds))
        }
        if let refusal = plan.rateLimit, injector.happens(refusal.probability) {
            metrics.fault("rateLimit")
            throw Problem(
                status: .tooManyRequests,
                code: .rateLimitExceeded,
                detail: "An injected fault.",
                retryable: true,
                retryAfter: .seconds(refusal.retryAfterSeconds)
            )
        }
        if injector.happens(plan.serverError?.probability) {
            metrics.fault("serverError")
            throw Problem(
                status: .serviceUnavailable,
                code: .serviceUnavailable,
                detail: "An injected fault.",
                retryable: true
            )
        }
        let response = try await next(request, context)
        if let slow = plan.slowHead, injector.happens(slow.probability) {
            metrics.fault("slowHead")
            try await clock.sleep(for: .milliseconds(slow.milliseconds))
        }
        return response
    }
}
