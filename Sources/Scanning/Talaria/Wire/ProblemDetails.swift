/// Problem as the server states it: RFC 9457 in a response, a shorter form in an event.
public struct ProblemDetails: Sendable, Equatable {
    /// A URI that names the kind of problem; "about:blank" where the status says all.
    public var type: String
    /// The kind of problem in words.
    public var title: String?
    /// The status of the response; nil in an event.
    public var status: Int?
    /// Detail of what went wrong this time.
    public var detail: String?
    /// The server's name for it.
    public var code: ErrorCode?
    /// Whether the same request may succeed later; nil where the server does not say.
    public var isRetryable: Bool?
    /// Milliseconds to wait first.
    public var retryAfterMs: Int?
    /// The request or the resource that it is about.
    public var instance: String?
    /// The job that it is about.
    public var jobID: String?

    /// A problem with what is known of it.
    public init(
        type: String = "about:blank",
        title: String? = nil,
        status: Int? = nil,
        detail: String? = nil,
        code: ErrorCode? = nil,
        isRetryable: Bool? = nil,
        retryAfterMs: Int? = nil,
        instance: String? = nil,
        jobID: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.isRetryable = isRetryable
        self.retryAfterMs = retryAfterMs
        self.instance = instance
        self.jobID = jobID
    }
}

extension ProblemDetails: Codable {
    /// Reads the form of a response, the form of an event, and either under `error`.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.inner("error") ?? outer
        self.init(
            type: fields.text("type") ?? "about:blank",
            title: fields.text("title"),
            status: fields.integer("status", "statusCode"),
            detail: fields.text("detail", "message") ?? outer.text("error", "message"),
            code: (fields.text("code") ?? outer.text("code")).map(ErrorCode.init(rawValue:)),
            isRetryable: fields.flag("retryable") ?? outer.flag("retryable"),
            retryAfterMs: (fields.integer("retryAfterMs") ?? outer.integer("retryAfterMs")).map { max(0, $0) },
            instance: fields.text("instance"),
            jobID: outer.text("jobId") ?? fields.text("jobId")
        )
    }

    /// Writes the form of a response, RFC 9457 with Talaria's members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encode(false, forKey: WireKey("success"))
        try container.encode(type, forKey: WireKey("type"))
        try container.encodeIfPresent(title, forKey: WireKey("title"))
        try container.encodeIfPresent(status, forKey: WireKey("status"))
        try container.encodeIfPresent(detail, forKey: WireKey("detail"))
        try container.encodeIfPresent(code, forKey: WireKey("code"))
        try container.encodeIfPresent(isRetryable, forKey: WireKey("retryable"))
        try container.encodeIfPresent(retryAfterMs, forKey: WireKey("retryAfterMs"))
        try container.encodeIfPresent(instance, forKey: WireKey("instance"))
        try container.encodeIfPresent(jobID, forKey: WireKey("jobId"))
    }

    /// The form of an event: `{"type", "jobId", "message", "code", "retryable"}`.
    struct EventForm: Encodable {
        let type: String
        let problem: ProblemDetails

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(type, forKey: WireKey("type"))
            try container.encodeIfPresent(problem.jobID, forKey: WireKey("jobId"))
            try container.encodeIfPresent(problem.detail ?? problem.title, forKey: WireKey("message"))
            try container.encodeIfPresent(problem.code, forKey: WireKey("code"))
            try container.encodeIfPresent(problem.isRetryable, forKey: WireKey("retryable"))
            try container.encodeIfPresent(problem.retryAfterMs, forKey: WireKey("retryAfterMs"))
        }
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// Code, status and words, as far as they are known.
    public var description: String {
        let parts = [code?.rawValue, status.map { "status \($0)" }, detail ?? title].compactMap { $0 }
        return parts.isEmpty ? "a problem that the server did not name" : parts.joined(separator: ", ")
    }
}
