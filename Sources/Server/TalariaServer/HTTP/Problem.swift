import Foundation
import HTTPServer
import HTTPTypes
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
    /// Problem of an address that is unknown, or known with other methods.
    static func wrongAddress(allowed methods: [HTTPRequest.Method]) -> Problem {
        if methods.isEmpty { return Problem(.notFound, .notFound, "Not found.") }
        let allowed: HTTPFields = [.allow: methods.map(\.rawValue).sorted().joined(separator: ", ")]
        let detail = "This address does not support that method."
        return Problem(.methodNotAllowed, .methodNotAllowed, detail, fields: allowed)
    }
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
    static let noRoom = busy(
        .serviceUnavailable,
        .storageFull,
        "The server has no disk space for this upload; try again later.",
        after: .seconds(10)
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
        (details.type, details.title) = ("about:blank", status.reasonPhrase)
        details.retryAfterMs = retryAfter?.milliseconds
        details.instance = "urn:request:\(requestID)"
        return Response(status: status, headers: headers, body: .bytes(Array(JSON.data(details))))
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
    static let requestTimeout: ErrorCode = "REQUEST_TIMEOUT"
    static let queueFull: ErrorCode = "QUEUE_FULL"
    static let storageFull: ErrorCode = "STORAGE_FULL"
    static let unsupportedEncoding: ErrorCode = "UNSUPPORTED_ENCODING"
    static let methodNotAllowed: ErrorCode = "METHOD_NOT_ALLOWED"
    static let jobNotFinished: ErrorCode = "JOB_NOT_FINISHED"
    static let idempotencyKeyReused: ErrorCode = "IDEMPOTENCY_KEY_REUSED"
    static let imagesLost: ErrorCode = "IMAGES_LOST"
}
