/// The event that ends a job well.
public struct ScanCompletion: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// All books of the job; nil where they were left out and must be fetched.
    public var books: [BookMetadata]?
    /// Where the results are, absolute or relative.
    public var resultsLocation: String?
    /// Summary of what was done, in numbers.
    public var summary: ScanSummary?
    /// Where the server's time went.
    public var duration: ScanDuration?
    /// When, ISO 8601.
    public var completedAt: String?

    /// The end of a job.
    public init(
        jobID: String? = nil,
        books: [BookMetadata]? = nil,
        resultsLocation: String? = nil,
        summary: ScanSummary? = nil,
        duration: ScanDuration? = nil,
        completedAt: String? = nil
    ) {
        self.jobID = jobID
        self.books = books
        self.resultsLocation = resultsLocation
        self.summary = summary
        self.duration = duration
        self.completedAt = completedAt
    }
}

extension ScanCompletion: Codable {
    /// Reads the event of any generation; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        let summary = fields.value(ScanSummary.self, "summary")
        self.init(
            jobID: outer.text("jobId") ?? fields.text("jobId"),
            books: fields.list(BookMetadata.self, "books", "results"),
            resultsLocation: fields.text("resultsUrl", "results_url"),
            // The latest generation has the numbers among the event's own fields.
            summary: summary ?? (try? ScanSummary(from: decoder)).flatMap { $0 == ScanSummary() ? nil : $0 },
            duration: fields.value(ScanDuration.self, "duration"),
            completedAt: fields.text("completedAt")
        )
    }

    /// Writes the event as the transcript of the second generation has it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encodeIfPresent(jobID, forKey: WireKey("jobId"))
        try container.encode(JobStatus.completed, forKey: WireKey("status"))
        try container.encode(1, forKey: WireKey("progress"))
        try container.encodeIfPresent(books, forKey: WireKey("books"))
        try container.encodeIfPresent(resultsLocation, forKey: WireKey("resultsUrl"))
        try container.encodeIfPresent(summary, forKey: WireKey("summary"))
        try container.encodeIfPresent(duration, forKey: WireKey("duration"))
        try container.encodeIfPresent(completedAt, forKey: WireKey("completedAt"))
    }
}
