import Foundation
import HTTPServer
import HTTPTypes
import Talaria

/// Refusal in the form of RFC 9457, thrown when a request cannot be served.
struct Problem: Error, Sendable {
    var code: ErrorCode
    /// Description and solution of the problem, for people; it contains nothing that the client sent.
    var detail: String
    var status: HTTPResponse.Status
    var retryAfter: Duration?
    var fields: HTTPFields

    /// `status`: that of the code unless specified.
    init(
        _ code: ErrorCode,
        _ detail: String,
        status: HTTPResponse.Status? = nil,
        retryAfter: Duration? = nil,
        fields: HTTPFields = [:]
    ) {
        (self.code, self.detail, self.status) = (code, detail, status ?? code.status)
        (self.retryAfter, self.fields) = (retryAfter, fields)
    }

    /// Another device's job is answered like one that does not exist, so that nothing can be learned by guessing.
    static let noSuchJob = Problem(.notFound, "Job not found for this device; it may have been cleaned up.")
    static let noRoom = Problem(
        .storageFull,
        "The server has no disk space for this upload; try again later.",
        retryAfter: .seconds(10)
    )

    static func unauthorized(_ detail: String) -> Problem {
        Problem(.unauthorized, detail, fields: [.wwwAuthenticate: "Bearer"])
    }

    /// Whether the problem ends by itself: the client may try again.
    var isRetryable: Bool { [408, 429, 500, 503].contains(status.code) || code == .jobNotFinished }

    func response(requestID: String) -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        if let retryAfter { headers[.retryAfter] = "\(max(1, Int(retryAfter.seconds.rounded(.up))))" }
        var details = ProblemDetails(status: status.code, detail: detail, code: code, isRetryable: isRetryable)
        (details.type, details.title) = ("about:blank", status.reasonPhrase)
        details.retryAfterMs = retryAfter?.milliseconds
        details.instance = "urn:request:\(requestID)"
        return Response(status: status, headers: headers, body: .bytes(Array(JSON.data(details))))
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
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

    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest, .batchTooLarge, .invalidAcceptHeader: .badRequest
        case .unauthorized: .unauthorized
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .jobAlreadyFinished, .jobNotFinished: .conflict
        case .fileTooLarge: .contentTooLarge
        case .unsupportedEncoding: .unsupportedMediaType
        case .noTextDetected, .unsupportedFormat, .idempotencyKeyReused: .unprocessableContent
        case .rateLimitExceeded, .queueFull: .tooManyRequests
        case .serviceUnavailable, .storageFull: .serviceUnavailable
        default: .internalServerError
        }
    }
}
