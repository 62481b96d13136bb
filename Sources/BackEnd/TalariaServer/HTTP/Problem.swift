import Foundation
import HTTPTypes
import Hummingbird
import Talaria

/// A refusal as RFC 9457 describes it, thrown by whoever finds that a request cannot be served.
struct Problem: Error, Sendable, Equatable {
    var status: HTTPResponse.Status
    /// A word for programs.
    var code: ErrorCode
    /// A sentence for people: what was wrong and what to do; nothing that the client sent is in it.
    var detail: String
    var retryable = false
    var retryAfter: Duration?
    /// Further header fields.
    var fields: HTTPFields = [:]

    static func invalidRequest(_ detail: String) -> Problem {
        Problem(status: .badRequest, code: .invalidRequest, detail: detail)
    }
    static let noSuchJob = Problem(
        status: .notFound,
        code: .notFound,
        detail: "There is no such job of this device; it may have been cleaned up."
    )
    static func unauthorized(_ detail: String) -> Problem {
        Problem(
            status: .unauthorized,
            code: .unauthorized,
            detail: detail,
            fields: [.wwwAuthenticate: "Bearer"]
        )
    }
    static func tooLarge(_ detail: String) -> Problem {
        Problem(status: .contentTooLarge, code: .fileTooLarge, detail: detail)
    }
    static func unsupported(_ detail: String) -> Problem {
        Problem(status: .unprocessableContent, code: .unsupportedFormat, detail: detail)
    }
    static func conflict(_ code: ErrorCode, _ detail: String, retryable: Bool = false) -> Problem {
        Problem(status: .conflict, code: code, detail: detail, retryable: retryable)
    }
    static let bodyTimedOut = Problem(
        status: .requestTimeout,
        code: .requestTimeout,
        detail: "The body of the request did not arrive in time.",
        retryable: true
    )
    static func queueFull(retryAfter: Duration) -> Problem {
        Problem(
            status: .tooManyRequests,
            code: .queueFull,
            detail: "All workers are busy and the queue is full; try again later.",
            retryable: true,
            retryAfter: retryAfter
        )
    }
    /// Counted and logged alone: there is nobody to read it.
    static let clientIsGone = Problem(
        status: .init(code: 499, reasonPhrase: "Client Closed Request"),
        code: .invalidRequest,
        detail: "The client has hung up."
    )
    static let internalError = Problem(
        status: .internalServerError,
        code: .internalError,
        detail: "The server could not do this.",
        retryable: true
    )

    /// The header fields and the body.
    ///
    /// - Parameter requestID: of the request that is refused.
    /// - Returns: the response.
    func response(requestID: String) -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        if let retryAfter { headers[.retryAfter] = String(retryAfter.wholeSeconds) }
        let details = ProblemDetails(
            title: status.reasonPhrase,
            status: status.code,
            detail: detail,
            code: code,
            isRetryable: retryable,
            retryAfterMs: retryAfter?.milliseconds,
            instance: "urn:request:\(requestID)"
        )
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: JSON.encode(details)))
    }
}

extension Duration {
    /// Rounded up, at least one: what `Retry-After` can say.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(seconds) + (attoseconds > 0 ? 1 : 0))
    }

    /// Rounded to the nearest.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
    }

    /// As a fraction.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// Codes of this server that no client has to know.
extension ErrorCode {
    static let requestTimeout = ErrorCode(rawValue: "REQUEST_TIMEOUT")
    static let queueFull = ErrorCode(rawValue: "QUEUE_FULL")
    static let storageFull = ErrorCode(rawValue: "STORAGE_FULL")
    static let tooManyUploads = ErrorCode(rawValue: "TOO_MANY_UPLOADS")
    static let methodNotAllowed = ErrorCode(rawValue: "METHOD_NOT_ALLOWED")
    static let jobNotFinished = ErrorCode(rawValue: "JOB_NOT_FINISHED")
    static let idempotencyKeyReused = ErrorCode(rawValue: "IDEMPOTENCY_KEY_REUSED")
    static let imagesLost = ErrorCode(rawValue: "IMAGES_LOST")
}
