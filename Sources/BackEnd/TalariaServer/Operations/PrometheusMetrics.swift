package import CoreMetrics
import Metrics
import Synchronization

/// A metrics back end that keeps everything in memory and writes it as Prometheus reads it.
///
/// Timers and recorders become histograms, counters and gauges themselves.
/// Source: Prometheus exposition formats, text format 0.0.4.
package final class PrometheusMetrics: MetricsFactory {
    fileprivate struct Key: Hashable {
        var name: String
        var labels: String
    }

    fileprivate enum Figure {
        case counter(Double)
        case gauge(Double)
        case histogram(Histogram)
    }

    fileprivate struct Histogram {
        /// Seconds: from a millisecond to a minute.
        static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
        var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
        var sum = 0.0

        mutating func record(_ value: Double) {
            counts[Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count] += 1
            sum += value
        }
    }

    private let figures = Mutex<[Key: Figure]>([:])

    package init() {}

    package var text: String {
        let all = figures.withLock { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var lines: [String] = []
        var previous = ""
        for (key, figure) in all {
            if key.name != previous {
                lines.append("# TYPE \(key.name) \(figure.type)")
                previous = key.name
            }
            lines += figure.lines(name: key.name, labels: key.labels)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Count(metrics: self, key: key(label, dimensions))
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        Count(metrics: self, key: key(label, dimensions))
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let key = key(label, dimensions)
        return aggregate ? Distribution(metrics: self, key: key) : Level(metrics: self, key: key)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Level(metrics: self, key: key(label, dimensions))
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Distribution(metrics: self, key: key(label, dimensions))
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        let labels = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return Key(name: name, labels: labels)
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    // MARK: Handlers

    private final class Count: CounterHandler, FloatingPointCounterHandler {
        let metrics: PrometheusMetrics
        let key: Key

        init(metrics: PrometheusMetrics, key: Key) {
            self.metrics = metrics
            self.key = key
        }

        func increment(by amount: Int64) { increment(by: Double(amount)) }

        func increment(by amount: Double) {
            metrics.figures.withLock { figures in
                guard case .counter(let sum)? = figures[key] else {
                    figures[key] = .counter(amount)
                    return
                }
                figures[key] = .counter(sum + amount)
            }
        }

        func reset() { metrics.figures.withLock { $0[key] = .counter(0) } }
    }

    private final class Level: MeterHandler, RecorderHandler {
        let metrics: PrometheusMetrics
        let key: Key

        init(metrics: PrometheusMetrics, key: Key) {
            self.metrics = metrics
            self.key = key
        }

        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { metrics.figures.withLock { $0[key] = .gauge(value) } }
        func record(_ value: Int64) { set(Double(value)) }
        func record(_ value: Double) { set(value) }
        func decrement(by amount: Double) { increment(by: -amount) }

        func increment(by amount: Double) {
            metrics.figures.withLock { figures in
                guard case .gauge(let value)? = figures[key] else {
                    figures[key] = .gauge(amount)
                    return
                }
                figures[key] = .gauge(value + amount)
            }
        }
    }

    private final class Distribution: RecorderHandler, TimerHandler {
        let metrics: PrometheusMetrics
        let key: Key

        init(metrics: PrometheusMetrics, key: Key) {
            self.metrics = metrics
            self.key = key
        }

        func record(_ value: Int64) { record(Double(value)) }

        func record(_ value: Double) {
            metrics.figures.withLock { figures in
                var histogram = Histogram()
                if case .histogram(let known)? = figures[key] { histogram = known }
                histogram.record(value)
                figures[key] = .histogram(histogram)
            }
        }

        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    }
}

extension PrometheusMetrics.Figure {
    fileprivate var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    fileprivate func lines(name: String, labels: String) -> [String] {
        func line(_ suffix: String, _ more: String, _ value: String) -> String {
            let all = [labels, more].filter { !$0.isEmpty }.joined(separator: ",")
            return "\(name)\(suffix)\(all.isEmpty ? "" : "{\(all)}") \(value)"
        }
        switch self {
        case .counter(let value), .gauge(let value): return [line("", "", "\(value)")]
        case .histogram(let histogram):
            var total = 0
            var lines: [String] = []
            for (bound, count) in zip(PrometheusMetrics.Histogram.bounds, histogram.counts) {
                total += count
                lines.append(line("_bucket", "le=\"\(bound)\"", "\(total)"))
            }
            total += histogram.counts.last ?? 0
            lines.append(line("_bucket", "le=\"+Inf\"", "\(total)"))
            return lines + [line("_sum", "", "\(histogram.sum)"), line("_count", "", "\(total)")]
        }
    }
}

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
