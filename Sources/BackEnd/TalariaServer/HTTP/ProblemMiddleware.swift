import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Talaria

/// Turns whatever a handler throws into a problem document, and closes connections whose bodies nobody wants.
struct ProblemMiddleware: RouterMiddleware {
    var limits: RequestLimits
    var bodyTimeout: Duration
    var storage: Storage
    var routes: RouteTable

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
            let problem = await problem(error, request, context)
            response = problem.response(requestID: context.requestID)
        }
        response.headers[.requestID] = context.requestID
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        if response.status.code >= 400, !context.body.hasEnded,
            !request.isSoonRead || request.expectsContinue || response.status == .requestTimeout
        {
            abandonBody(&response, context: context)
        }
        return response
    }

    private func problem(_ error: any Error, _ request: Request, _ context: TalariaContext) async -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as HTTPError where error.status == .notFound:
            let methods = routes.methods(at: request.uri.path)
            guard methods.isEmpty else {
                return Problem(
                    status: .methodNotAllowed,
                    code: .methodNotAllowed,
                    detail: "This address does not take that method.",
                    fields: [.allow: methods.joined(separator: ", ")]
                )
            }
            return Problem(status: .notFound, code: .notFound, detail: "There is nothing at this address.")
        // The connection has its own answer to what is no HTTP.
        case is HTTPParserError: return .invalidRequest("The request cannot be understood.")
        case let error as any HTTPResponseError where error.status.code < 500:
            return Problem(
                status: error.status,
                code: .invalidRequest,
                detail: "The request cannot be understood."
            )
        case let error where error.isNoSpace:
            storage.set(isFull: true)
            context.logger.error("no room", metadata: ["error": "\(type(of: error))"])
            return .noRoom
        case is CancellationError, is ChannelError, is IOError: return .clientIsGone
        default:
            // However it shows, nobody waits for an answer any more.
            if await context.connection()?.isGone ?? true { return .clientIsGone }
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
    /// Whether the body, if there is one, is so short that reading it costs less than a new connection.
    fileprivate var isSoonRead: Bool {
        guard headers[.transferEncoding] == nil else { return false }
        return headers[.contentLength].flatMap { Int($0) } ?? 0 <= 256 << 10
    }
}
