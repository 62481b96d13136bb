public import Foundation

/// An event that reports metadata from a lesser source.
public struct EnrichmentDegradation: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// The book's number.
    public var isbn: String?
    /// The book's title.
    public var title: String?
    /// Reason in the server's words.
    public var reason: String?
    /// Source of the metadata instead.
    public var fallbackSource: String?
    /// The fields that are missing.
    public var failedFields: [String] = []
}

extension EnrichmentDegradation: Codable {
    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case isbn, title, reason, fallbackSource, failedFields
    }

    /// Reads either of the two forms that are documented; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        jobID = fields.text("jobId")
        isbn = fields.text("isbn").flatMap(BookMetadata.normalizedISBN)
        title = fields.text("title")
        reason = fields.text("reason", "message")
        fallbackSource = fields.text("fallbackSource")
        failedFields = fields.list(String.self, "failedFields") ?? []
    }
}

/// An event that brings the photo with its spines marked.
public struct Segmentation: Sendable, Equatable {
    /// The picture; nil where it could not be read.
    public var image: Data?
    /// Spines on it.
    public var totalBooks: Int?
}

extension Segmentation: Codable {
    /// Reads the picture as base64; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        image = fields.text("image").flatMap { Data(base64Encoded: $0) }
        totalBooks = fields.integer("totalBooks")
    }
}

/// An event that reports the book being processed.
public struct BookProgress: Sendable, Equatable {
    /// Number of the book being processed, from 1.
    public var current: Int?
    /// Books of the job.
    public var total: Int?
    /// Stage of the work on it.
    public var stage: ScanStage?
}

extension BookProgress: Codable {
    /// Reads the present fields; none is required.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        current = fields.integer("current")
        total = fields.integer("total")
        stage = fields.value(ScanStage.self, "stage")
    }
}
