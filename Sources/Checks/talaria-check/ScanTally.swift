/// What came of many scans.
struct ScanTally: Sendable {
    private var seconds: [Double] = []
    private var withoutEngine: [Double] = []
    private(set) var refused = 0
    /// Why each lost one is lost.
    private(set) var losses: [String] = []

    mutating func add(_ outcome: ScanProbe.Outcome) {
        switch outcome {
        case .done(let total, let engine):
            seconds.append(total)
            if engine > 0 { withoutEngine.append(total - engine) }
        case .refused: refused += 1
        case .lost(let reason): losses.append(reason)
        }
    }

    /// Of those that were done.
    var latencies: Latencies { Latencies(seconds) }
    /// The same without what the server's engine took.
    var around: Latencies { Latencies(withoutEngine) }
}
