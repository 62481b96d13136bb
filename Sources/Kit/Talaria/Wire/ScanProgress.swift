package struct ScanProgress: Sendable, Equatable {
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

    /// The stage that `status` or `message` names; nil where neither does.
    package var stage: ScanStage? {
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
    package init(from decoder: any Decoder) throws {
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
package struct ScanStage: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let analyzingImage = ScanStage(rawValue: "analyzing_image")
    package static let identifyingBooks = ScanStage(rawValue: "identifying_books")
    package static let enrichingMetadata = ScanStage(rawValue: "enriching_metadata")
    package static let complete = ScanStage(rawValue: "complete")
}

package enum JobStatus: Sendable, Hashable {
    case queued, processing, completed, failed, canceled
    /// A word of a later server.
    case unknown(String)

    package var isFinal: Bool { [.completed, .failed, .canceled].contains(self) }

    /// The word on the wire.
    package var name: String { if case .unknown(let name) = self { name } else { "\(self)" } }

    /// Creates the status that a word on the wire means, in any generation.
    package init(name: String) {
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
    package init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
