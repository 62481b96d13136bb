/// The reason for a failed request to Talaria.
public enum TalariaError: Error, Sendable, Equatable {
    /// The connection failed, or broke before the answer was complete.
    case unreachable(host: String, reason: String)
    /// The server's certificate is not trusted, for another reason than a pin.
    case untrusted(host: String, reason: String)
    /// The server's certificate is valid, and its key is none of those that are pinned.
    case wrongPin(host: String, found: String)
    case timedOut(operation: String, after: Duration)
    case responseTooLarge(operation: String, limit: Int)
    case malformed(operation: String, reason: String)
    case eventTooLarge(limit: Int)
    case refused(operation: String, ProblemDetails)
    /// Too many requests: wait, and keep the shutter closed meanwhile.
    case rateLimited(RateLimitState)
    /// The server failed so often that it is left alone for a while.
    case circuitOpen(host: String, retryAfter: Duration)
    /// The server sent an address on another host, which must not get the token.
    case foreignAddress(String, expected: String)
    case badPhotos(String)
    case scanFailed(jobID: String, ProblemDetails)
    case scanCanceled(jobID: String)
    case deviceIdentity(path: String, reason: String)
    case badConfiguration(String)

    /// Whether the same request may succeed in a moment, so that it is worth making again.
    public var isRetryable: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .circuitOpen: true
        case .refused(_, let problem): problem.isRetryable ?? problem.status.map { $0 >= 500 || $0 == 408 } ?? false
        case .scanFailed(_, let problem): problem.isRetryable ?? false
        default: false
        }
    }

    /// Wait that the server asks for.
    var minimumWait: Duration? {
        switch self {
        case .rateLimited(let state): state.remaining
        case .refused(_, let problem): problem.retryAfterMs.map { .milliseconds($0) }
        default: nil
        }
    }

    /// Whether the server has refused the content itself, so that a retry is useless.
    ///
    /// All other errors do not concern the scan, and do not justify giving it up: a portal's page, a redirect, a
    /// proxy's refusal, a certificate that is not trusted, another server at the address.
    public var isFinal: Bool {
        switch self {
        case .refused(_, let problem): problem.isRetryable != true && problem.code?.isOfContent == true
        case .scanFailed(_, let problem): problem.isRetryable != true
        case .scanCanceled, .badPhotos: true
        default: false
        }
    }
}

extension TalariaError: CustomStringConvertible {
    /// Message with the fault, its place and the remedy.
    public var description: String {
        switch self {
        case .unreachable(let host, let reason):
            "\(host) cannot be reached: \(reason); check the network, and that the server runs"
        case .untrusted(let host, let reason):
            "the certificate of \(host) is not trusted: \(reason)"
        case .wrongPin(let host, let found):
            "\(host) has the key sha256/\(found), which is not pinned; if the server's key was changed, update the app"
        case .timedOut(let operation, let duration): "\(operation): no data for \(duration); try again later"
        case .responseTooLarge(let operation, let limit): "\(operation): the answer is larger than \(limit) bytes"
        case .malformed(let operation, let reason): "\(operation): \(reason)"
        case .eventTooLarge(let limit): "an event of the stream is larger than \(limit) bytes"
        case .refused(let operation, let problem): "\(operation): refused: \(problem)"
        case .rateLimited(let state): "too many requests; wait \(state.remaining)"
        case .circuitOpen(let host, let wait): "\(host) failed too often; requests are paused for another \(wait)"
        case .foreignAddress(let address, let host):
            "the server gave the address \(address), which is not on \(host); it is not followed"
        case .badPhotos(let reason), .badConfiguration(let reason): reason
        case .scanFailed(let job, let problem): "the scan \(job) failed: \(problem)"
        case .scanCanceled(let job): "the scan \(job) was canceled"
        case .deviceIdentity(let path, let reason): "\(path): \(reason)"
        }
    }
}
