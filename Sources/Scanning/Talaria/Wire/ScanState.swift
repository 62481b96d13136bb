/// Where a job stands, in answer to a question: `GET /v3/jobs/scans/{id}`.
public struct ScanState: Sendable, Equatable {
    /// The job.
    public var jobID: String
    /// Where it stands.
    public var status: JobStatus
    /// The share done, 0 to 1.
    public var progress: Double?
    /// Photos done.
    public var processedCount: Int?
    /// Photos of the job.
    public var totalCount: Int?
    /// Stage of the server's work.
    public var stage: ScanStage?
    /// Where the results are, once there are some.
    public var resultsLocation: String?
    /// Why the job failed.
    public var problem: ProblemDetails?

    /// A job's state.
    public init(
        jobID: String,
        status: JobStatus,
        progress: Double? = nil,
        processedCount: Int? = nil,
        totalCount: Int? = nil,
        stage: ScanStage? = nil,
        resultsLocation: String? = nil,
        problem: ProblemDetails? = nil
    ) {
        self.jobID = jobID
        self.status = status
        self.progress = progress
        self.processedCount = processedCount
        self.totalCount = totalCount
        self.stage = stage
        self.resultsLocation = resultsLocation
        self.problem = problem
    }
}

extension ScanState: Codable {
    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case status, progress, processedCount, totalCount, stage
        case resultsLocation = "resultsUrl"
        case problem = "error"
    }

    /// Reads a state, flat or in an envelope.
    public init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        guard let job = fields.text("jobId", "job_id", "id") else { throw outer.missing("jobId", in: "a job's state") }
        guard let status = fields.value(JobStatus.self, "status") else {
            throw outer.missing("status", in: "a job's state")
        }
        self.init(
            jobID: job,
            status: status,
            progress: fields.share("progress"),
            processedCount: fields.integer("processedCount"),
            totalCount: fields.integer("totalCount"),
            stage: fields.value(ScanStage.self, "stage"),
            resultsLocation: fields.text("resultsUrl"),
            problem: fields.value(ProblemDetails.self, "error")
        )
    }
}
