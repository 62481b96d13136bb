public import Foundation

/// An event that says that a book's metadata come from a lesser source.
public struct EnrichmentDegradation: Sendable, Equatable, Codable {
    /// The job.
    public var jobID: String?
    /// The book's number.
    public var isbn: String?
    /// The book's title.
    public var title: String?
    /// Why, in the server's words.
    public var reason: String?
    /// Where the metadata come from instead.
    public var fallbackSource: String?
    /// The fields that are missing.
    public var failedFields: [String]

    /// A book and why its metadata are lesser.
    public init(
        jobID: String? = nil,
        isbn: String? = nil,
        title: String? = nil,
        reason: String? = nil,
        fallbackSource: String? = nil,
        failedFields: [String] = []
    ) {
        self.jobID = jobID
        self.isbn = isbn
        self.title = title
        self.reason = reason
        self.fallbackSource = fallbackSource
        self.failedFields = failedFields
    }

    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case isbn, title, reason, fallbackSource, failedFields
    }

    /// Reads either of the two forms that are documented; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            jobID: fields.text("jobId"),
            isbn: fields.text("isbn").flatMap(BookMetadata.normalizedISBN),
            title: fields.text("title"),
            reason: fields.text("reason", "message"),
            fallbackSource: fields.text("fallbackSource"),
            failedFields: fields.list(String.self, "failedFields") ?? []
        )
    }
}

/// An event that brings the photo with its spines marked.
public struct Segmentation: Sendable, Equatable, Codable {
    /// The picture; nil where it could not be read.
    public var image: Data?
    /// Spines on it.
    public var totalBooks: Int?

    /// A picture and its count of spines.
    public init(image: Data? = nil, totalBooks: Int? = nil) {
        self.image = image
        self.totalBooks = totalBooks
    }

    /// Reads the picture as base64; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            image: fields.text("image").flatMap { Data(base64Encoded: $0) },
            totalBooks: fields.integer("totalBooks")
        )
    }
}

/// An event that says which of the books is in hand.
public struct BookProgress: Sendable, Equatable, Codable {
    /// The book in hand, from 1.
    public var current: Int?
    /// Books of the job.
    public var total: Int?
    /// Stage of the work on it.
    public var stage: ScanStage?

    /// The book in hand.
    public init(current: Int? = nil, total: Int? = nil, stage: ScanStage? = nil) {
        self.current = current
        self.total = total
        self.stage = stage
    }

    /// Reads what is there; nothing is needed.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        self.init(
            current: fields.integer("current"),
            total: fields.integer("total"),
            stage: fields.value(ScanStage.self, "stage")
        )
    }
}
