import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Talaria

/// Refusal in the form of RFC 9457, thrown when a request cannot be served.
struct Problem: Error, Sendable, Equatable {
    var status: HTTPResponse.Status
    var code: ErrorCode
    /// Description and solution of the problem, for people; it contains nothing that the client sent.
    var detail: String
    var retryable: Bool
    var retryAfter: Duration?
    var fields: HTTPFields

    init(
        _ status: HTTPResponse.Status,
        _ code: ErrorCode,
        _ detail: String,
        retryable: Bool = false,
        retryAfter: Duration? = nil,
        fields: HTTPFields = [:]
    ) {
        (self.status, self.code, self.detail) = (status, code, detail)
        (self.retryable, self.retryAfter, self.fields) = (retryable, retryAfter, fields)
    }

    static func invalidRequest(_ detail: String) -> Problem { Problem(.badRequest, .invalidRequest, detail) }
    static let noSuchJob = Problem(
        .notFound,
        .notFound,
        "Job not found for this device; it may have been cleaned up."
    )
    static func unauthorized(_ detail: String) -> Problem {
        Problem(.unauthorized, .unauthorized, detail, fields: [.wwwAuthenticate: "Bearer"])
    }
    static func tooLarge(_ detail: String) -> Problem { Problem(.contentTooLarge, .fileTooLarge, detail) }
    static func unsupported(_ detail: String) -> Problem { Problem(.unprocessableContent, .unsupportedFormat, detail) }
    static func batchTooLarge(_ detail: String) -> Problem {
        Problem(.badRequest, .batchTooLarge, "\(detail); send them in several batches.")
    }
    static func conflict(_ code: ErrorCode, _ detail: String, retryable: Bool = false) -> Problem {
        Problem(.conflict, code, detail, retryable: retryable)
    }
    /// Refusal that ends by itself: the client may try again after a while.
    static func busy(
        _ status: HTTPResponse.Status,
        _ code: ErrorCode,
        _ detail: String,
        after retryAfter: Duration? = nil
    ) -> Problem {
        Problem(status, code, detail, retryable: true, retryAfter: retryAfter)
    }
    /// RFC 9110, section 15.5.16: the answer names the encodings that are taken.
    static let encodedBody = Problem(
        .unsupportedMediaType,
        .unsupportedEncoding,
        "The body is encoded; send it without Content-Encoding.",
        fields: [.acceptEncoding: "identity"]
    )
    static let bodyTimedOut = busy(
        .requestTimeout,
        .requestTimeout,
        "The body of the request did not arrive in time."
    )
    static func queueFull(retryAfter: Duration) -> Problem {
        let detail = "All workers are busy and the queue is full; try again later."
        return busy(.tooManyRequests, .queueFull, detail, after: retryAfter)
    }
    /// Problem of a disconnected client: it is only counted and logged.
    static let clientIsGone = Problem(
        .init(code: 499, reasonPhrase: "Client Closed Request"),
        .invalidRequest,
        "The client has hung up."
    )
    static let internalError = busy(
        .internalServerError,
        .internalError,
        "The server failed to process the request."
    )

    func response(requestID: String) -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        if let retryAfter { headers[.retryAfter] = String(retryAfter.wholeSeconds) }
        var details = ProblemDetails(status: status.code, detail: detail, code: code, isRetryable: retryable)
        details.title = status.reasonPhrase
        details.retryAfterMs = retryAfter?.milliseconds
        details.instance = "urn:request:\(requestID)"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: JSON.encode(details)))
    }
}

extension Duration {
    /// Seconds rounded up, at least one: the values of `Retry-After`.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(seconds) + (attoseconds > 0 ? 1 : 0))
    }

    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
    }

    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension ErrorCode {
    static let requestTimeout = ErrorCode(rawValue: "REQUEST_TIMEOUT")
    static let queueFull = ErrorCode(rawValue: "QUEUE_FULL")
    static let storageFull = ErrorCode(rawValue: "STORAGE_FULL")
    static let tooManyUploads = ErrorCode(rawValue: "TOO_MANY_UPLOADS")
    static let unsupportedEncoding = ErrorCode(rawValue: "UNSUPPORTED_ENCODING")
    static let methodNotAllowed = ErrorCode(rawValue: "METHOD_NOT_ALLOWED")
    static let jobNotFinished = ErrorCode(rawValue: "JOB_NOT_FINISHED")
    static let idempotencyKeyReused = ErrorCode(rawValue: "IDEMPOTENCY_KEY_REUSED")
    static let imagesLost = ErrorCode(rawValue: "IMAGES_LOST")
}

/// Middleware that converts a handler's errors into problem documents, and closes connections with unread bodies.
struct ProblemMiddleware: RouterMiddleware {
    var server: TalariaServer
    var routes: RouteTable

    func handle(
        _ request: Request,
        context: TalariaContext,
        next: (Request, TalariaContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            guard request.uri.string.utf8.count <= server.limits.urlBytes else {
                let detail = "The address is longer than \(server.limits.urlBytes) bytes."
                throw Problem(.uriTooLong, .invalidRequest, detail)
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
            if methods.isEmpty { return Problem(.notFound, .notFound, "Not found.") }
            let detail = "This address does not support that method."
            let allowed: HTTPFields = [.allow: methods.joined(separator: ", ")]
            return Problem(.methodNotAllowed, .methodNotAllowed, detail, fields: allowed)
        // The connection has its own answer to anything but HTTP.
        case is HTTPParserError: return .invalidRequest("The request is invalid.")
        case let error as any HTTPResponseError where error.status.code < 500:
            return Problem(error.status, .invalidRequest, "The request is invalid.")
        case let error where error.isNoSpace:
            server.storage.set(isFull: true)
            context.logger.error("no space", metadata: ["error": "\(type(of: error))"])
            return .noRoom
        case is CancellationError, is ChannelError, is IOError: return .clientIsGone
        default:
            // The client no longer waits for an answer, in any form of this error.
            if await context.connection()?.isGone ?? true { return .clientIsGone }
            // The type alone: an error's text may quote the client's data.
            context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            return .internalError
        }
    }

    /// Reads and discards the rest of the body for a while, then closes the connection.
    ///
    /// A close at once would reset the connection, and a client still writing would never see the answer.
    private func abandonBody(_ response: inout Response, context: TalariaContext) {
        response.headers[.connection] = "close"
        let bodyTimeout = server.configuration.bodyTimeout
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
