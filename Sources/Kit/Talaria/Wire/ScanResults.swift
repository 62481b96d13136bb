package import Foundation

/// Results of a job: `GET /v3/jobs/scans/{id}/results`.
package struct ScanResults: Sendable, Equatable {
    package var jobID: String?
    package var books: [BookMetadata]

    package init(jobID: String? = nil, books: [BookMetadata]) { (self.jobID, self.books) = (jobID, books) }

    /// Format of the books that are sent.
    package enum Format: String, Sendable, CaseIterable {
        case full
        /// Results without the boxes, the outlines and the lines.
        case lite
    }

    /// Returns the results as JSON.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package func encoded(as format: Format) throws -> Data {
        guard format == .lite else { return try WireJSON.encode(self) }
        var lite = self
        for index in lite.books.indices {
            (lite.books[index].boundingBox, lite.books[index].lines) = (nil, nil)
            lite.books[index].place?.outline = nil
        }
        return try WireJSON.encode(lite)
    }
}

extension ScanResults: Codable {
    /// Reads the books under `results` or `books`, themselves a list or an object that holds one, in an envelope or
    /// not.
    ///
    /// A book that cannot be read does not cost the others.
    package init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        let books =
            fields.list(BookMetadata.self, "results", "books")
            ?? fields.inner("results")?.list(BookMetadata.self, "books", "results")
            ?? outer.list(BookMetadata.self, "data")
        guard let books else { throw outer.missing("results", in: "a job's results") }
        self.init(jobID: fields.text("jobId") ?? outer.text("jobId"), books: books)
    }

    /// Writes `{"success", "data": {"jobId", "results": […]}}`.
    package func encode(to encoder: any Encoder) throws {
        try Envelope(data: Content(jobId: jobID, results: books)).encode(to: encoder)
    }

    private struct Content: Encodable {
        let jobId: String?
        let results: [BookMetadata]
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
    /// Reads the book under `book` or `data`, or flat among the event's own fields.
    package init(from decoder: any Decoder) throws {
        self.init(book: try BookMetadata(from: decoder), progress: try ScanProgress(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try progress.encode(to: encoder)
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encode(book, forKey: WireKey("book"))
    }
}

/// The status of a job, the response of `GET /v3/jobs/scans/{id}`.
package struct ScanState: Sendable, Equatable {
    package var jobID: String
    package var status: JobStatus
    /// The share done, 0 to 1.
    package var progress: Double?
    /// Photos done.
    package var processedCount: Int?
    /// Photos of the job.
    package var totalCount: Int?
    package var stage: ScanStage?
    /// Address of the results, if there are any.
    package var resultsLocation: String?
    package var problem: ProblemDetails?

    package init(jobID: String, status: JobStatus) { (self.jobID, self.status) = (jobID, status) }
}

extension ScanState: Codable {
    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case status, progress, processedCount, totalCount, stage
        case resultsLocation = "resultsUrl"
        case problem = "error"
    }

    /// Reads a state, flat or in an envelope.
    package init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        guard let job = fields.text("jobId", "job_id", "id") else { throw outer.missing("jobId", in: "a job's state") }
        guard let status = fields.value(JobStatus.self, "status") else {
            throw outer.missing("status", in: "a job's state")
        }
        self.init(jobID: job, status: status)
        progress = fields.share("progress")
        processedCount = fields.integer("processedCount")
        totalCount = fields.integer("totalCount")
        stage = fields.value(ScanStage.self, "stage")
        resultsLocation = fields.text("resultsUrl")
        problem = fields.value(ProblemDetails.self, "error")
    }
}
