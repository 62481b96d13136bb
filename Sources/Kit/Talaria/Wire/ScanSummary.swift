/// Summary of a job in numbers; nil if the server does not report one.
public struct ScanSummary: Sendable, Equatable {
    /// Number of processed books.
    public var processed: Int?
    /// Books with metadata.
    public var enriched: Int?
    /// Books that failed.
    public var failed: Int?
    /// Number of books that require review.
    public var reviewNeeded: Int?
    /// Number of books with metadata from a lesser source.
    public var degraded: Int?
    /// Spines that were found.
    public var detected: Int?
    /// Books among them, each counted once.
    public var unique: Int?
    /// Books that need no review.
    public var approved: Int?

    /// Creates a job's numbers.
    public init(processed: Int? = nil, enriched: Int? = nil, detected: Int? = nil) {
        self.processed = processed
        self.enriched = enriched
        self.detected = detected
    }
}

extension ScanSummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case processed = "total_processed"
        case enriched, failed
        case reviewNeeded = "review_needed"
        case degraded = "degraded_count"
        case detected = "totalDetected"
        case unique = "totalUnique"
        case approved
    }

    /// Reads the names of either generation.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        processed = fields.integer("total_processed", "totalProcessed")
        enriched = fields.integer("enriched")
        failed = fields.integer("failed")
        reviewNeeded = fields.integer("review_needed", "needsReview")
        degraded = fields.integer("degraded_count", "degradedCount")
        detected = fields.integer("totalDetected")
        unique = fields.integer("totalUnique")
        approved = fields.integer("approved")
    }
}

/// Durations on the server, in milliseconds; nil if it does not report them.
public struct ScanDuration: Sendable, Equatable, Codable {
    /// Time from the upload to the end.
    public var totalMs: Double?
    /// Taking the upload in.
    public var uploadMs: Double?
    /// Reading the photos.
    public var recognitionMs: Double?
    /// Looking the books up.
    public var enrichmentMs: Double?
    /// Time of removing temporary data.
    public var cleanupMs: Double?

    private enum CodingKeys: String, CodingKey {
        case totalMs, uploadMs
        // The wire's name is that of the model which the first server used.
        case recognitionMs = "geminiMs"
        case enrichmentMs, cleanupMs
    }

    /// Creates an empty summary.
    public init() {}
}

/// The event that ends a job well.
public struct ScanCompletion: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// All books of the job; nil if they were omitted and must be fetched.
    public var books: [BookMetadata]?
    /// Address of the results, absolute or relative.
    public var resultsLocation: String?
    /// Summary of the job, in numbers.
    public var summary: ScanSummary?
    /// Durations on the server.
    public var duration: ScanDuration?
    /// Time of completion, ISO 8601.
    public var completedAt: String?

    /// Creates the end of a job.
    public init(jobID: String? = nil, books: [BookMetadata]? = nil, resultsLocation: String? = nil) {
        self.jobID = jobID
        self.books = books
        self.resultsLocation = resultsLocation
    }
}

extension ScanCompletion: Codable {
    /// Reads the event of any generation; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        jobID = outer.text("jobId") ?? fields.text("jobId")
        books = fields.list(BookMetadata.self, "books", "results")
        resultsLocation = fields.text("resultsUrl", "results_url")
        // The latest generation has the numbers among the event's own fields.
        summary =
            fields.value(ScanSummary.self, "summary")
            ?? (try? ScanSummary(from: decoder)).flatMap { $0 == ScanSummary() ? nil : $0 }
        duration = fields.value(ScanDuration.self, "duration")
        completedAt = fields.text("completedAt")
    }

    /// Writes the event as the transcript of the second generation has it.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            ("jobId", jobID), ("status", JobStatus.completed), ("progress", 1), ("books", books),
            ("resultsUrl", resultsLocation), ("summary", summary), ("duration", duration), ("completedAt", completedAt),
        ])
    }
}
