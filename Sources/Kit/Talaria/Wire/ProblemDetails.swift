/// Problem as the server states it: RFC 9457 in a response, a shorter form in an event.
public struct ProblemDetails: Sendable, Equatable, Codable {
    /// URI of the problem's type; nil if the status is sufficient.
    public var type: String?
    /// The kind of problem in words.
    public var title: String?
    /// The status of the response; nil in an event.
    public var status: Int?
    /// Detail of this occurrence.
    public var detail: String?
    /// The server's name for it.
    public var code: ErrorCode?
    /// Whether the same request may succeed later; nil if the server does not report it.
    public var isRetryable: Bool?
    /// Milliseconds to wait first.
    public var retryAfterMs: Int?
    /// The request or the resource that it is about.
    public var instance: String?
    /// The job that it is about.
    public var jobID: String?
    /// Always false, for clients that look for it.
    private var success = false

    /// Creates a problem from its usual fields.
    public init(status: Int? = nil, detail: String? = nil, code: ErrorCode? = nil, isRetryable: Bool? = nil) {
        (self.status, self.detail, self.code, self.isRetryable) = (status, detail, code, isRetryable)
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// Code, status and detail, if known.
    public var description: String {
        let parts = [code?.rawValue, status.map { "status \($0)" }, detail ?? title].compactMap { $0 }
        return parts.isEmpty ? "a problem that the server did not name" : parts.joined(separator: ", ")
    }
}

/// The server's code of an error; codes other than these are kept.
public struct ErrorCode: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The word on the wire.
    public let rawValue: String

    /// Creates the code of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the code of this word.
    public init(stringLiteral word: String) { rawValue = word }

    /// The word on the wire.
    public var description: String { rawValue }

    package static let noTextDetected: ErrorCode = "NO_TEXT_DETECTED"
    package static let multipleBooksDetected: ErrorCode = "MULTIPLE_BOOKS_DETECTED"
    package static let imageTooBlurry: ErrorCode = "IMAGE_TOO_BLURRY"
    package static let imageQualityLow: ErrorCode = "IMAGE_QUALITY_LOW"
    package static let unsupportedFormat: ErrorCode = "UNSUPPORTED_FORMAT"

    package static let processingTimeout: ErrorCode = "PROCESSING_TIMEOUT"
    package static let internalError: ErrorCode = "INTERNAL_ERROR"

    package static let rateLimitExceeded: ErrorCode = "RATE_LIMIT_EXCEEDED"
    package static let invalidRequest: ErrorCode = "INVALID_REQUEST"
    package static let invalidAcceptHeader: ErrorCode = "INVALID_ACCEPT_HEADER"
    package static let batchTooLarge: ErrorCode = "BATCH_TOO_LARGE"
    package static let fileTooLarge: ErrorCode = "FILE_TOO_LARGE"
    package static let unauthorized: ErrorCode = "UNAUTHORIZED"
    package static let notFound: ErrorCode = "NOT_FOUND"
    package static let jobAlreadyFinished: ErrorCode = "JOB_ALREADY_FINISHED"
    package static let serviceUnavailable: ErrorCode = "SERVICE_UNAVAILABLE"

    /// Whether the problem is in the photo or the text itself, so that every retry would fail.
    var isOfContent: Bool {
        [
            .noTextDetected, .multipleBooksDetected, .imageTooBlurry, .imageQualityLow, .unsupportedFormat,
            .invalidRequest, .batchTooLarge, .fileTooLarge,
        ].contains(self)
    }
}
