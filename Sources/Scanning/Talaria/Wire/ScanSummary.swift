/// Summary of a job in numbers; nil where the server does not say.
public struct ScanSummary: Sendable, Equatable {
    /// Books that were looked at.
    public var processed: Int?
    /// Books with metadata.
    public var enriched: Int?
    /// Books that failed.
    public var failed: Int?
    /// Books that a person should look at.
    public var reviewNeeded: Int?
    /// Books whose metadata come from a lesser source.
    public var degraded: Int?
    /// Spines that were found.
    public var detected: Int?
    /// Books among them, each counted once.
    public var unique: Int?
    /// Books that need no review.
    public var approved: Int?

    /// A job's numbers.
    public init(
        processed: Int? = nil,
        enriched: Int? = nil,
        failed: Int? = nil,
        reviewNeeded: Int? = nil,
        degraded: Int? = nil,
        detected: Int? = nil,
        unique: Int? = nil,
        approved: Int? = nil
    ) {
        self.processed = processed
        self.enriched = enriched
        self.failed = failed
        self.reviewNeeded = reviewNeeded
        self.degraded = degraded
        self.detected = detected
        self.unique = unique
        self.approved = approved
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
        self.init(
            processed: fields.integer("total_processed", "totalProcessed"),
            enriched: fields.integer("enriched"),
            failed: fields.integer("failed"),
            reviewNeeded: fields.integer("review_needed", "needsReview"),
            degraded: fields.integer("degraded_count", "degradedCount"),
            detected: fields.integer("totalDetected"),
            unique: fields.integer("totalUnique"),
            approved: fields.integer("approved")
        )
    }
}

/// Where the server's time went, milliseconds; nil where it does not say.
public struct ScanDuration: Sendable, Equatable, Codable {
    /// From the upload to the end.
    public var totalMs: Double?
    /// Taking the upload in.
    public var uploadMs: Double?
    /// Reading the photos.
    public var recognitionMs: Double?
    /// Looking the books up.
    public var enrichmentMs: Double?
    /// Removing what is no longer needed.
    public var cleanupMs: Double?

    private enum CodingKeys: String, CodingKey {
        case totalMs, uploadMs
        // The wire's name is that of the model which the first server used.
        case recognitionMs = "geminiMs"
        case enrichmentMs, cleanupMs
    }

    /// The times of a job's stages.
    public init(
        totalMs: Double? = nil,
        uploadMs: Double? = nil,
        recognitionMs: Double? = nil,
        enrichmentMs: Double? = nil,
        cleanupMs: Double? = nil
    ) {
        self.totalMs = totalMs
        self.uploadMs = uploadMs
        self.recognitionMs = recognitionMs
        self.enrichmentMs = enrichmentMs
        self.cleanupMs = cleanupMs
    }
}
