import Synchronization

/// The figures that `/metrics` shows, kept in memory and written as Prometheus reads them.
///
/// Source: Prometheus exposition formats, text format 0.0.4.
final class ServerMetrics: Sendable {
    private struct Key: Hashable {
        var name: String
        var labels: String
    }

    private struct Figure {
        enum Kind: String { case counter, gauge, histogram }

        /// Upper bounds of a histogram's buckets in seconds: from a millisecond to a minute.
        static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

        let kind: Kind
        /// Value, or the sum of a histogram.
        var value = 0.0
        /// Counts of a histogram: for each bound, and for values above all.
        var counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    private let figures = Mutex<[Key: Figure]>([:])

    var text: String {
        let all = figures.withLock { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var lines: [String] = []
        var previous = ""
        for (key, figure) in all {
            if key.name != previous { lines.append("# TYPE \(key.name) \(figure.kind.rawValue)") }
            previous = key.name
            lines += Self.lines(of: figure, key)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of figure: Figure, _ key: Key) -> [String] {
        func line(_ suffix: String, _ more: String, _ value: String) -> String {
            let all = [key.labels, more].filter { !$0.isEmpty }.joined(separator: ",")
            return "\(key.name)\(suffix)\(all.isEmpty ? "" : "{\(all)}") \(value)"
        }
        guard figure.kind == .histogram else { return [line("", "", "\(figure.value)")] }
        var total = 0
        let buckets = zip(Figure.bounds.map { "\($0)" } + ["+Inf"], figure.counts).map { bound, count in
            total += count
            return line("_bucket", "le=\"\(bound)\"", "\(total)")
        }
        return buckets + [line("_sum", "", "\(figure.value)"), line("_count", "", "\(total)")]
    }

    func requestEnded(method: String, route: String, status: Int, after duration: Duration) {
        let labels = [("method", method), ("route", route)]
        count("talaria_http_requests_total", labels + [("status", "\(status)")])
        record("talaria_http_request_duration_seconds", labels, duration)
    }

    func stage(_ name: String, _ duration: Duration) {
        record("talaria_stage_duration_seconds", [("stage", name)], duration)
    }

    func jobEnded(_ state: Job.State, after duration: Duration?) {
        count("talaria_jobs_total", [("state", state.rawValue)])
        if let duration { record("talaria_job_duration_seconds", [], duration) }
    }

    func refused(_ reason: String) { count("talaria_refused_total", [("reason", reason)]) }

    func fault(_ kind: String) { count("talaria_injected_faults_total", [("kind", kind)]) }

    func gauge(_ name: String, _ value: Int) { update(name, [], .gauge) { $0.value = Double(value) } }

    func count(_ name: String, _ labels: [(String, String)]) { update(name, labels, .counter) { $0.value += 1 } }

    func record(_ name: String, _ labels: [(String, String)], _ duration: Duration) {
        update(name, labels, .histogram) { histogram in
            let seconds = duration.seconds
            histogram.counts[Figure.bounds.firstIndex { seconds <= $0 } ?? Figure.bounds.count] += 1
            histogram.value += seconds
        }
    }

    private func update(
        _ name: String,
        _ labels: [(String, String)],
        _ kind: Figure.Kind,
        _ change: (inout Figure) -> Void
    ) {
        func escaped(_ value: String) -> String {
            value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
        let labels = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        figures.withLock { change(&$0[Key(name: name, labels: labels), default: Figure(kind: kind)]) }
    }
}
