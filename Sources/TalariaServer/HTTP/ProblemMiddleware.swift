import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Talaria

/// Turns whatever a handler throws into a problem document, and closes connections whose bodies nobody wants.
struct ProblemMiddleware: RouterMiddleware {
    var limits: RequestLimits
    var bodyTimeout: Duration

    func handle(
        _ request: Request,
        context: TalariaContext,
        next: (Request, TalariaContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            guard request.uri.string.utf8.count <= limits.urlBytes else {
                throw Problem(
                    status: .uriTooLong,
                    code: .invalidRequest,
                    detail: "The address is longer than \(limits.urlBytes) bytes."
                )
            }
            response = try await next(request, context)
        } catch {
            response = problem(error, context: context).response(requestID: context.id)
        }
        response.headers[.requestID] = context.id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        if response.status.code >= 400, !context.body.hasEnded, request.mayHaveBody {
            abandonBody(&response, context: context)
        }
        return response
    }

    private func problem(_ error: any Error, context: TalariaContext) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as HTTPError where error.status == .notFound:
            return Problem(status: .notFound, code: .notFound, detail: "There is nothing at this address.")
        case let error as HTTPError where error.status == .methodNotAllowed:
            return Problem(
                status: .methodNotAllowed,
                code: .methodNotAllowed,
                detail: "This address does not take that method.",
                fields: error.headers
            )
        case let error as any HTTPResponseError where error.status.code < 500:
            return Problem(
                status: error.status,
                code: .invalidRequest,
                detail: "The request cannot be understood."
            )
        default:
            // The type alone: an error's text may quote what the client sent.
            context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            return .internalError
        }
    }

    /// The rest of the body is read and thrown away for a while, then the connection is closed.
    ///
    /// A close at once would reset the connection, and a client still writing would never see the answer.
    private func abandonBody(_ response: inout Response, context: TalariaContext) {
        response.headers[.connection] = "close"
        let isHopeless = response.status == .contentTooLarge || response.status == .requestTimeout
        let patience = isHopeless ? min(.seconds(2), bodyTimeout) : bodyTimeout
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: TimeAmount(patience)) { channel.close(promise: nil) }
    }
}

extension Request {
    fileprivate var mayHaveBody: Bool {
        headers[.transferEncoding] != nil || (headers[.contentLength].flatMap { Int($0) } ?? 0) > 0
    }
}
