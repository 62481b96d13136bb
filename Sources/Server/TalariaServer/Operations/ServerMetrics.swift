import Synchronization

/// The figures that `/metrics` shows, kept in memory and written as Prometheus reads them.
///
/// Source: Prometheus exposition formats, text format 0.0.4.
final class ServerMetrics: Sendable {
    /// Upper bounds of a histogram's buckets in seconds: from a millisecond to a minute.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private struct Figure {
        let kind: String
        /// Value, or the sum of a histogram.
        var value = 0.0
        /// Counts of a histogram: for each bound, and for values above all.
        var counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    /// Figures by name and labels.
    private let figures = Mutex<[String: [String: Figure]]>([:])

    var text: String {
        var text = ""
        for (name, figures) in figures.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(figures.values.first?.kind ?? "")\n"
            for (labels, figure) in figures.sorted(by: { $0.key < $1.key }) {
                func add(_ suffix: String, _ value: some CustomStringConvertible, _ bound: String = "") {
                    let all = [labels, bound].filter { !$0.isEmpty }.joined(separator: ",")
                    text += "\(name)\(suffix)\(all.isEmpty ? "" : "{\(all)}") \(value)\n"
                }
                guard figure.kind == "histogram" else {
                    add("", figure.value)
                    continue
                }
                var total = 0
                for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], figure.counts) {
                    total += count
                    add("_bucket", total, "le=\"\(bound)\"")
                }
                add("_sum", figure.value)
                add("_count", total)
            }
        }
        return text
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

    func gauge(_ name: String, _ value: Int) { update(name, [], "gauge") { $0.value = Double(value) } }

    func count(_ name: String, _ labels: [(String, String)]) { update(name, labels, "counter") { $0.value += 1 } }

    func record(_ name: String, _ labels: [(String, String)], _ duration: Duration) {
        update(name, labels, "histogram") { figure in
            figure.counts[Self.bounds.firstIndex { duration.seconds <= $0 } ?? Self.bounds.count] += 1
            figure.value += duration.seconds
        }
    }

    private func update(
        _ name: String,
        _ labels: [(String, String)],
        _ kind: String,
        _ change: (inout Figure) -> Void
    ) {
        let text = labels.map { name, value in
            let value = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(value)\""
        }.joined(separator: ",")
        figures.withLock { change(&$0[name, default: [:]][text, default: Figure(kind: kind)]) }
    }
}
