/// Problem as the server states it: RFC 9457 in a response, a shorter form in an event.
public struct ProblemDetails: Sendable, Equatable {
    /// URI of the problem's type; "about:blank" if the status is sufficient.
    public var type = "about:blank"
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

    /// Creates a problem from its usual fields.
    public init(status: Int? = nil, detail: String? = nil, code: ErrorCode? = nil, isRetryable: Bool? = nil) {
        (self.status, self.detail, self.code, self.isRetryable) = (status, detail, code, isRetryable)
    }
}

extension ProblemDetails: Codable {
    /// Reads the form of a response, the form of an event, and either under `error`.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.inner("error") ?? outer
        self.init()
        type = fields.text("type") ?? type
        title = fields.text("title")
        status = fields.integer("status", "statusCode")
        detail = fields.text("detail", "message") ?? outer.text("error", "message")
        code = (fields.text("code") ?? outer.text("code")).map(ErrorCode.init(rawValue:))
        isRetryable = fields.flag("retryable") ?? outer.flag("retryable")
        retryAfterMs = (fields.integer("retryAfterMs") ?? outer.integer("retryAfterMs")).map { max(0, $0) }
        instance = fields.text("instance")
        jobID = outer.text("jobId") ?? fields.text("jobId")
    }

    /// Writes the form of a response, RFC 9457 with Talaria's members.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            ("success", false), ("type", type), ("title", title), ("status", status), ("detail", detail),
            ("code", code), ("retryable", isRetryable), ("retryAfterMs", retryAfterMs), ("instance", instance),
            ("jobId", jobID),
        ])
    }

    /// The form of an event: `{"type", "jobId", "message", "code", "retryable"}`.
    struct EventForm: Encodable {
        let type: String
        let problem: ProblemDetails

        func encode(to encoder: any Encoder) throws {
            try encoder.write([
                ("type", type), ("jobId", problem.jobID), ("message", problem.detail ?? problem.title),
                ("code", problem.code), ("retryable", problem.isRetryable), ("retryAfterMs", problem.retryAfterMs),
            ])
        }
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
public struct ErrorCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The word on the wire.
    public let rawValue: String

    /// Creates the code of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The word on the wire.
    public var description: String { rawValue }

    package static let noTextDetected = ErrorCode(rawValue: "NO_TEXT_DETECTED")
    package static let multipleBooksDetected = ErrorCode(rawValue: "MULTIPLE_BOOKS_DETECTED")
    package static let imageTooBlurry = ErrorCode(rawValue: "IMAGE_TOO_BLURRY")
    package static let imageQualityLow = ErrorCode(rawValue: "IMAGE_QUALITY_LOW")
    package static let unsupportedFormat = ErrorCode(rawValue: "UNSUPPORTED_FORMAT")

    package static let processingTimeout = ErrorCode(rawValue: "PROCESSING_TIMEOUT")
    package static let internalError = ErrorCode(rawValue: "INTERNAL_ERROR")

    package static let rateLimitExceeded = ErrorCode(rawValue: "RATE_LIMIT_EXCEEDED")
    package static let invalidRequest = ErrorCode(rawValue: "INVALID_REQUEST")
    package static let invalidAcceptHeader = ErrorCode(rawValue: "INVALID_ACCEPT_HEADER")
    package static let batchTooLarge = ErrorCode(rawValue: "BATCH_TOO_LARGE")
    package static let fileTooLarge = ErrorCode(rawValue: "FILE_TOO_LARGE")
    package static let unauthorized = ErrorCode(rawValue: "UNAUTHORIZED")
    package static let notFound = ErrorCode(rawValue: "NOT_FOUND")
    package static let jobAlreadyFinished = ErrorCode(rawValue: "JOB_ALREADY_FINISHED")
    package static let serviceUnavailable = ErrorCode(rawValue: "SERVICE_UNAVAILABLE")

    /// Whether the problem is in the photo or the text itself, so that every retry would fail.
    var isOfContent: Bool {
        [
            .noTextDetected, .multipleBooksDetected, .imageTooBlurry, .imageQualityLow, .unsupportedFormat,
            .invalidRequest, .batchTooLarge, .fileTooLarge,
        ].contains(self)
    }
}
