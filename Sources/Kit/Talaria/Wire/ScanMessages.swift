import Basics

/// The answer to an upload: the job, and where to follow it.
package struct ScanAccepted: Sendable, Equatable, Decodable {
    package var jobID: String
    /// Address of the job's events, absolute or relative; nil from servers that require polling (v3.9).
    package var stream: String?
    /// Token of `Authorization: Bearer` for the stream and the results; nil from servers without tokens.
    package var token: String?

    package init(jobID: String, stream: String? = nil, token: String? = nil) {
        (self.jobID, self.stream, self.token) = (jobID, stream, token)
    }
}

/// The status of a job, the response of `GET /v3/jobs/scans/{id}`.
package struct ScanState: Sendable, Equatable, Codable {
    package var jobID: String
    package var status: JobStatus
    /// The share done, 0 to 1.
    package var progress: Double?
    /// Photos done.
    package var processedCount: Int?
    /// Photos of the job.
    package var totalCount: Int?
    /// Stage of the server's work on a photo, in its words.
    package var stage: String?
    /// Address of the results, if there are any.
    package var resultsLocation: String?
    package var problem: ProblemDetails?

    package init(jobID: String, status: JobStatus) { (self.jobID, self.status) = (jobID, status) }
}

/// Status of a job; the words of a later server are kept.
package struct JobStatus: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: String

    /// Creates the status that a word on the wire means.
    package init(rawValue word: String) {
        let others = ["initialized": "queued", "complete": "completed", "error": "failed", "cancelled": "canceled"]
        rawValue = others[word] ?? word
    }

    package static let queued = JobStatus(rawValue: "queued")
    package static let completed = JobStatus(rawValue: "completed")
    package static let failed = JobStatus(rawValue: "failed")
    package static let canceled = JobStatus(rawValue: "canceled")
}

/// An event that reports the server's work.
package struct ScanProgress: Sendable, Equatable, Codable {
    package var jobID: String?
    /// The share done, 0 to 1.
    package var progress: Double?
    /// "processing" or a stage, in the server's words.
    package var status: String?
    /// Message about the server's work, for display or as a stage's name.
    package var message: String?
    /// Photos done; with a result, books.
    package var processedCount: Int?
    /// Photos of the job; with a result, books.
    package var totalCount: Int?
    /// Books that were seen on the photos.
    package var detectedCount: Int?
    /// Title of the book being processed.
    package var currentItem: String?
    /// Time of the event, ISO 8601.
    package var timestamp: String?

    package init(jobID: String? = nil, progress: Double? = nil, status: String? = nil, message: String? = nil) {
        (self.jobID, self.progress, self.status, self.message) = (jobID, progress, status, message)
    }
}

/// An event that brings one book.
package struct ScanResult: Sendable, Equatable {
    package var book: BookMetadata
    package var progress: ScanProgress

    package init(book: BookMetadata, progress: ScanProgress = ScanProgress()) {
        (self.book, self.progress) = (book, progress)
    }
}

extension ScanResult: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(book: try BookMetadata(from: decoder), progress: try ScanProgress(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try Members(content: progress, fields: ["book": book]).encode(to: encoder)
    }
}

/// The event that ends a job well.
package struct ScanCompletion: Sendable, Equatable, Codable {
    package var jobID: String?
    /// All books of the job; nil if they were omitted and must be fetched.
    package var books: [BookMetadata]?
    /// Address of the results, absolute or relative.
    package var resultsLocation: String?
    package var summary: ScanSummary?
    /// Milliseconds on the server: `totalMs`, `uploadMs`, `geminiMs` of reading (the name of the first server's model)
    /// and `enrichmentMs`.
    package var duration: [String: Double]?
    /// Time of completion, ISO 8601.
    package var completedAt: String?

    package init(jobID: String? = nil, books: [BookMetadata]? = nil, resultsLocation: String? = nil) {
        (self.jobID, self.books, self.resultsLocation) = (jobID, books, resultsLocation)
    }
}

/// Summary of a job in numbers; nil if the server does not report one.
package struct ScanSummary: Sendable, Equatable, Codable {
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

/// Results of a job: `GET /v3/jobs/scans/{id}/results`; also the books that a search finds.
package struct ScanResults: Sendable, Equatable, Codable {
    package var jobID: String?
    package var results: [BookMetadata]

    package init(jobID: String? = nil, results: [BookMetadata]) { (self.jobID, self.results) = (jobID, results) }

    /// The results without the boxes, the outlines and the lines.
    package var lite: ScanResults {
        var lite = self
        for index in results.indices {
            (lite.results[index].boundingBox, lite.results[index].lines) = (nil, nil)
            lite.results[index].place?.outline = nil
        }
        return lite
    }
}
