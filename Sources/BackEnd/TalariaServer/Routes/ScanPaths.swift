/// Where a job is.
struct ScanPaths: Sendable {
    static let base = "/v3/jobs/scans"
    var id: String

    var status: String { "\(Self.base)/\(id)" }
    var stream: String { "\(status)/stream" }
    var results: String { "\(status)/results" }
    var cleanup: String { "\(status)/cleanup" }
}
