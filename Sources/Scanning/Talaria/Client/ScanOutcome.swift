/// Outcome of a scan.
public struct ScanOutcome: Sendable, Equatable {
    /// The job.
    public var jobID: String
    /// The job's token; nil from servers without tokens.
    public var token: String?
    /// The books, each once, with the latest that was said of each.
    public var books: [BookMetadata] = []
    /// Summary of the server's work, in numbers.
    public var summary: ScanSummary?
    /// Where the server's time went.
    public var duration: ScanDuration?
    /// Number of times that the stream had to be opened anew.
    public var reconnects: Int = 0
    /// Events that could not be read, and were passed over (S2-39).
    public var malformedEvents: Int = 0
    /// Whether the books were fetched from the results, as the stream did not bring them.
    public var fetchedResults: Bool = false
    /// Whether the server has removed what it kept; nil when it was not asked to.
    public var cleanedUp: Bool?
}
