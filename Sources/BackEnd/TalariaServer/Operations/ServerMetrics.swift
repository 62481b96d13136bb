import CoreMetrics
import Metrics

/// The figures that `/metrics` shows, by their names.
struct ServerMetrics: Sendable {
    let factory: any MetricsFactory

    func requestEnded(method: String, route: String, status: Int, after duration: Duration) {
        let dimensions = [("method", method), ("route", route)]
        Counter(
            label: "talaria_http_requests_total",
            dimensions: dimensions + [("status", "\(status)")],
            factory: factory
        ).increment()
        record("talaria_http_request_duration_seconds", dimensions, duration)
    }

    func stage(_ name: String, _ duration: Duration) {
        record("talaria_stage_duration_seconds", [("stage", name)], duration)
    }

    func jobEnded(_ state: Job.State, after duration: Duration?) {
        Counter(label: "talaria_jobs_total", dimensions: [("state", state.rawValue)], factory: factory).increment()
        if let duration { record("talaria_job_duration_seconds", [], duration) }
    }

    func refused(_ reason: String) {
        Counter(label: "talaria_refused_total", dimensions: [("reason", reason)], factory: factory).increment()
    }

    func fault(_ kind: String) {
        Counter(label: "talaria_injected_faults_total", dimensions: [("kind", kind)], factory: factory).increment()
    }

    func gauge(_ name: String, _ value: Int) {
        Gauge(label: name, dimensions: [], factory: factory).record(value)
    }

    private func record(_ name: String, _ dimensions: [(String, String)], _ duration: Duration) {
        Timer(label: name, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
            .recordNanoseconds(Int64(duration.seconds * 1e9))
    }
}
