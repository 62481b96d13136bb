/// The server's name for what went wrong; codes that are not among these are kept.
public struct ErrorCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The word on the wire.
    public let rawValue: String

    /// The code of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The word on the wire.
    public var description: String { rawValue }

    /// No text was found on the photo.
    public static let noTextDetected = ErrorCode(rawValue: "NO_TEXT_DETECTED")
    /// There are several books where one was expected.
    public static let multipleBooksDetected = ErrorCode(rawValue: "MULTIPLE_BOOKS_DETECTED")
    /// The photo is blurred.
    public static let imageTooBlurry = ErrorCode(rawValue: "IMAGE_TOO_BLURRY")
    /// The photo is too dark, too small or too coarse.
    public static let imageQualityLow = ErrorCode(rawValue: "IMAGE_QUALITY_LOW")
    /// The file is no picture that the server reads.
    public static let unsupportedFormat = ErrorCode(rawValue: "UNSUPPORTED_FORMAT")

    /// The work took too long.
    public static let processingTimeout = ErrorCode(rawValue: "PROCESSING_TIMEOUT")
    /// The server could not reach what it needs.
    public static let networkError = ErrorCode(rawValue: "NETWORK_ERROR")
    /// Metadata could not be looked up.
    public static let enrichmentFailed = ErrorCode(rawValue: "ENRICHMENT_FAILED")
    /// The server failed.
    public static let internalError = ErrorCode(rawValue: "INTERNAL_ERROR")

    /// Too many requests; wait first.
    public static let rateLimitExceeded = ErrorCode(rawValue: "RATE_LIMIT_EXCEEDED")
    /// The request is malformed.
    public static let invalidRequest = ErrorCode(rawValue: "INVALID_REQUEST")
    /// The request does not accept `text/event-stream`.
    public static let invalidAcceptHeader = ErrorCode(rawValue: "INVALID_ACCEPT_HEADER")
    /// The photos together are too large, or too many.
    public static let batchTooLarge = ErrorCode(rawValue: "BATCH_TOO_LARGE")
    /// A photo is too large.
    public static let fileTooLarge = ErrorCode(rawValue: "FILE_TOO_LARGE")
    /// The token is missing, wrong or expired, or the job is another device's.
    public static let unauthorized = ErrorCode(rawValue: "UNAUTHORIZED")
    /// There is no such job or route.
    public static let notFound = ErrorCode(rawValue: "NOT_FOUND")
    /// The job has ended and cannot be canceled.
    public static let jobAlreadyFinished = ErrorCode(rawValue: "JOB_ALREADY_FINISHED")
    /// The server cannot take work now.
    public static let serviceUnavailable = ErrorCode(rawValue: "SERVICE_UNAVAILABLE")

    /// Whether it says of the photo or the text itself that nothing can be done with it, whenever it is sent again.
    var isOfContent: Bool {
        [
            .noTextDetected, .multipleBooksDetected, .imageTooBlurry, .imageQualityLow, .unsupportedFormat,
            .invalidRequest, .batchTooLarge, .fileTooLarge,
        ].contains(self)
    }
}
