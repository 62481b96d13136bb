/// Summary of a job in numbers; nil if the server does not report one.
package struct ScanSummary: Sendable, Equatable {
    package var processed: Int?
    /// Books with metadata.
    package var enriched: Int?
    package var failed: Int?
    package var reviewNeeded: Int?
    /// Number of books with metadata from a lesser source.
    package var degraded: Int?
    /// Spines that were found.
    package var detected: Int?
    /// Books among them, each counted once.
    package var unique: Int?
    package var approved: Int?

    package init(processed: Int? = nil, enriched: Int? = nil, detected: Int? = nil) {
        (self.processed, self.enriched, self.detected) = (processed, enriched, detected)
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
    package init(from decoder: any Decoder) throws {
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
package struct ScanDuration: Sendable, Equatable, Codable {
    /// Time from the upload to the end.
    package var totalMs: Double?
    package var uploadMs: Double?
    package var recognitionMs: Double?
    package var enrichmentMs: Double?
    package var cleanupMs: Double?

    private enum CodingKeys: String, CodingKey {
        case totalMs, uploadMs
        // The wire's name is that of the model which the first server used.
        case recognitionMs = "geminiMs"
        case enrichmentMs, cleanupMs
    }

    package init() {}
}

/// The event that ends a job well.
package struct ScanCompletion: Sendable, Equatable {
    package var jobID: String?
    /// All books of the job; nil if they were omitted and must be fetched.
    package var books: [BookMetadata]?
    /// Address of the results, absolute or relative.
    package var resultsLocation: String?
    package var summary: ScanSummary?
    package var duration: ScanDuration?
    /// Time of completion, ISO 8601.
    package var completedAt: String?

    package init(jobID: String? = nil, books: [BookMetadata]? = nil, resultsLocation: String? = nil) {
        (self.jobID, self.books, self.resultsLocation) = (jobID, books, resultsLocation)
    }
}

extension ScanCompletion: Codable {
    /// Reads the event of any generation; nothing is needed.
    package init(from decoder: any Decoder) throws {
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
    package func encode(to encoder: any Encoder) throws {
        try encoder.write([
            ("jobId", jobID), ("status", JobStatus.completed), ("progress", 1), ("books", books),
            ("resultsUrl", resultsLocation), ("summary", summary), ("duration", duration), ("completedAt", completedAt),
        ])
    }
}
