/// A progress event of a job.
public struct ScanProgress: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// The share done, 0 to 1.
    public var progress: Double?
    /// "processing" or a stage, in the server's words.
    public var status: String?
    /// Message about the server's work, for display or as a stage's name.
    public var message: String?
    /// Photos done; with a result, books.
    public var processedCount: Int?
    /// Photos of the job; with a result, books.
    public var totalCount: Int?
    /// Books that were seen on the photos.
    public var detectedCount: Int?
    /// Title of the book being processed.
    public var currentItem: String?
    /// Time of the event, ISO 8601.
    public var timestamp: String?

    /// Progress of a job.
    public init(jobID: String? = nil, progress: Double? = nil, status: String? = nil, message: String? = nil) {
        self.jobID = jobID
        self.progress = progress
        self.status = status
        self.message = message
    }

    /// The stage that `status` or `message` names; nil where neither does.
    public var stage: ScanStage? {
        let known: [ScanStage] = [.analyzingImage, .identifyingBooks, .enrichingMetadata, .complete]
        return known.first { $0.rawValue == status || $0.rawValue == message }
    }
}

extension ScanProgress: Codable {
    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case progress, status, message, processedCount, totalCount
        case detectedCount = "count_detected"
        case currentItem, timestamp
    }

    /// Reads the present fields; none is required.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        jobID = fields.text("jobId")
        progress = fields.share("progress")
        status = fields.text("status", "stage")
        message = fields.text("message")
        processedCount = fields.integer("processedCount")
        totalCount = fields.integer("totalCount")
        detectedCount = fields.integer("count_detected", "countDetected")
        currentItem = fields.text("currentItem")
        timestamp = fields.text("timestamp")
    }
}

/// Stage of the server's work on a photo; unknown words are kept.
public struct ScanStage: RawRepresentable, Sendable, Hashable, Codable {
    /// The word on the wire.
    public let rawValue: String

    /// Creates the stage of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Looking for spines.
    public static let analyzingImage = ScanStage(rawValue: "analyzing_image")
    /// Reading them.
    public static let identifyingBooks = ScanStage(rawValue: "identifying_books")
    /// Looking the books up.
    public static let enrichingMetadata = ScanStage(rawValue: "enriching_metadata")
    /// Done.
    public static let complete = ScanStage(rawValue: "complete")
}

/// The status of a job.
public enum JobStatus: Sendable, Hashable {
    case queued, processing, completed, failed, canceled
    /// A word of a later server.
    case unknown(String)

    /// Whether the status is final.
    public var isFinal: Bool { [.completed, .failed, .canceled].contains(self) }

    /// The word on the wire.
    public var name: String { if case .unknown(let name) = self { name } else { "\(self)" } }

    /// Creates the status that a word on the wire means, in any generation.
    public init(name: String) {
        self =
            switch name {
            case "queued", "initialized": .queued
            case "processing": .processing
            case "completed", "complete": .completed
            case "failed", "error": .failed
            case "canceled", "cancelled": .canceled
            default: .unknown(name)
            }
    }
}

extension JobStatus: Codable {
    /// Reads the word.
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
