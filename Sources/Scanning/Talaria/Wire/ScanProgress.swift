/// An event that says how far a job has come.
public struct ScanProgress: Sendable, Equatable {
    /// The job.
    public var jobID: String?
    /// The share done, 0 to 1.
    public var progress: Double?
    /// "processing" or a stage, in the server's words.
    public var status: String?
    /// Message about the server's work, for people or as a stage's name.
    public var message: String?
    /// Photos done.
    public var processedCount: Int?
    /// Photos of the job.
    public var totalCount: Int?
    /// Books that were seen on the photos.
    public var detectedCount: Int?
    /// The title of the book in hand.
    public var currentItem: String?
    /// When, ISO 8601.
    public var timestamp: String?

    /// Progress of a job.
    public init(
        jobID: String? = nil,
        progress: Double? = nil,
        status: String? = nil,
        message: String? = nil,
        processedCount: Int? = nil,
        totalCount: Int? = nil,
        detectedCount: Int? = nil,
        currentItem: String? = nil,
        timestamp: String? = nil
    ) {
        self.jobID = jobID
        self.progress = progress
        self.status = status
        self.message = message
        self.processedCount = processedCount
        self.totalCount = totalCount
        self.detectedCount = detectedCount
        self.currentItem = currentItem
        self.timestamp = timestamp
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

    /// Reads what is there; nothing is needed.
    public init(from decoder: any Decoder) throws { self.init(try Fields(decoder)) }

    init(_ fields: Fields) {
        self.init(
            jobID: fields.text("jobId"),
            progress: fields.share("progress"),
            status: fields.text("status", "stage"),
            message: fields.text("message"),
            processedCount: fields.integer("processedCount"),
            totalCount: fields.integer("totalCount"),
            detectedCount: fields.integer("count_detected", "countDetected"),
            currentItem: fields.text("currentItem"),
            timestamp: fields.text("timestamp")
        )
    }
}
