public import Foundation

/// Results of a job: `GET /v3/jobs/scans/{id}/results`.
public struct ScanResults: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// The books, each once.
    public var books: [BookMetadata]

    /// A job's books.
    public init(jobID: String? = nil, books: [BookMetadata]) {
        self.jobID = jobID
        self.books = books
    }

    /// Format of the books that are sent.
    public enum Format: String, Sendable, CaseIterable {
        /// Everything.
        case full
        /// Without the boxes and the lines that were read.
        case lite
    }

    /// The results as JSON.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    public func encoded(as format: Format) throws -> Data {
        guard format == .lite else { return try WireJSON.encode(self) }
        var lite = self
        for index in lite.books.indices { (lite.books[index].boundingBox, lite.books[index].lines) = (nil, nil) }
        return try WireJSON.encode(lite)
    }
}

extension ScanResults: Codable {
    /// Reads the books under `results` or `books`, themselves a list or an object that holds one, in an envelope or not.
    ///
    /// A book that cannot be read does not cost the others.
    public init(from decoder: any Decoder) throws {
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
    public func encode(to encoder: any Encoder) throws {
        try Envelope(data: Content(jobId: jobID, results: books)).encode(to: encoder)
    }

    private struct Content: Encodable {
        let jobId: String?
        let results: [BookMetadata]
    }
}
