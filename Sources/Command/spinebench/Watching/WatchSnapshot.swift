import Basics
import Foundation
import Harness
import ScanningPolicies

/// The complete state of a run at one moment, for the terminal and the page.
struct WatchSnapshot: Sendable, Equatable, Codable {
    enum Phase: String, Sendable, Codable {
        case running
        /// The run is unfinished, and no process writes to its folder.
        case stopped
        case finished
    }

    /// The modelled battery life of a phone.
    struct Battery: Sendable, Equatable, Codable {
        var device: String
        /// Percent per minute of all consumers: system, display, camera and reader.
        var energyPercentPerMinute: Double
        /// The reader's share of it, in percent per minute.
        var readerPercentPerMinute: Double
        /// Percent per minute by the project document's formula, which contradicts itself (K-4).
        var seedPercentPerMinute: Double
    }

    /// Some readings that follow each other.
    struct Point: Sendable, Equatable, Codable {
        /// End of the last reading, in seconds of the measurement's counted time.
        var seconds: Double
        var p50: Double
        var p95: Double
        var residentBytes: Int?
        var energyPercentPerMinute: Double?

        /// Minimum number of readings; with fewer, P50 and P95 would be equal.
        static let leastReadings = 5
    }

    struct Measurement: Sendable, Equatable, Codable {
        var id: String
        var stage: WatchedMeasurement.Stage
        var done: Int
        /// Planned number of readings; nil if time decides.
        var total: Int?
        var failed: Int
        var lostWorkers: Int
        var secondsLeft: Double?
        /// 50th percentile; nil without readings, as the next three.
        var p50: Double?
        var p95: Double?
        /// Upper limit of P95, in milliseconds; nil without a target.
        var target: Double?
        var residentBytes: Int?
        var peakBytes: Int?
        var battery: Battery?
        var series: [Point]
    }

    struct Alert: Sendable, Equatable, Codable {
        var measurement: String
        var severity: PerformanceAlert.Severity
        var message: String
        /// Time of the alert, in seconds of the measurement's counted time.
        var seconds: Double
        /// Whether it reports the end of the alert.
        var isOver: Bool
    }

    var name: String
    var tool: String
    var suite: String?
    var datasets: [String]
    var phase: Phase
    /// Seconds since the start of the run; nil if the start is unknown.
    var elapsedSeconds: Double?
    /// Estimated remaining seconds; nil if the run is over or no estimate is possible.
    var secondsLeft: Double?
    /// Seconds since the last written line, if they are worth reporting.
    var silentSeconds: Double?
    var done: Int
    /// Planned number of readings; nil if time decides for one of the measurements.
    var total: Int?
    var unreadableLines: Int
    var measurements: [Measurement]
    /// Current alerts.
    var alerts: [Alert]
    /// Reported alerts, oldest first.
    var told: [Alert]

    /// Silence that is worth mentioning, in seconds.
    static let longSilence = 10.0
}

extension WatchSnapshot {
    /// Creates a snapshot of a run.
    ///
    /// `columns`: maximum number of points of a series.
    init(
        _ state: WatchState,
        name: String,
        now: Date,
        silentSeconds: Double,
        isBeingWritten: Bool,
        columns: Int = 120
    ) {
        self.name = name
        tool = state.configuration.tool
        suite = state.configuration.suite
        datasets = state.configuration.datasets.map(\.name)
        let phase: Phase =
            state.isFinished ? .finished : isBeingWritten || silentSeconds < Self.longSilence ? .running : .stopped
        self.phase = phase
        let end = phase == .running ? now : state.endedAt ?? now.addingTimeInterval(-silentSeconds)
        elapsedSeconds = state.startedAt.map { max(0, end.timeIntervalSince($0)) }
        self.silentSeconds = phase != .finished && silentSeconds >= Self.longSilence ? silentSeconds : nil
        done = state.measurements.reduce(0) { $0 + $1.done }
        let totals = state.measurements.map(\.total)
        total = totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
        unreadableLines = state.unreadableLines
        let method = state.configuration.percentileMethod
        let isOver = phase != .running
        measurements = state.measurements.map { measurement in
            Measurement(measurement, of: state, method: method, columns: columns, isOver: isOver)
        }
        secondsLeft = isOver ? nil : Self.left(state.measurements)
        alerts = state.measurements.flatMap { measurement in
            state.alerts(of: measurement.id).map { Alert(measurement.id, $0, isOver: false) }
        }
        told = state.told.map { told in
            switch told.change {
            case .raised(let alert): Alert(told.measurement, alert, isOver: false)
            case .recovered(let alert): Alert(told.measurement, alert, isOver: true)
            }
        }
    }

    /// Returns the time left at the pace of each; those that have not begun go at the mean pace of the others.
    private static func left(_ measurements: [WatchedMeasurement]) -> Double? {
        let paces = measurements.compactMap(\.pace)
        guard !paces.isEmpty else { return nil }
        let mean = paces.reduce(0, +) / Double(paces.count)
        var sum = 0.0
        for measurement in measurements where measurement.stage != .done && measurement.stage != .abandoned {
            guard let total = measurement.total else { return nil }
            sum += Double(max(0, total - measurement.done)) * (measurement.pace ?? mean)
        }
        return sum
    }
}

extension WatchSnapshot.Alert {
    fileprivate init(_ measurement: String, _ alert: PerformanceAlert, isOver: Bool) {
        self.init(
            measurement: measurement,
            severity: alert.severity,
            message: alert.message,
            seconds: alert.time / .seconds(1),
            isOver: isOver
        )
    }
}

extension WatchSnapshot.Measurement {
    fileprivate init(
        _ measurement: WatchedMeasurement,
        of state: WatchState,
        method: PercentileMethod,
        columns: Int,
        isOver: Bool
    ) {
        id = measurement.id
        stage = measurement.stage
        done = measurement.done
        total = measurement.total
        failed = measurement.failed
        lostWorkers = measurement.lostWorkers
        let isActive = !isOver && (measurement.stage == .reading || measurement.stage == .loading)
        secondsLeft =
            if isActive, let total = measurement.total, let pace = measurement.pace {
                Double(max(0, total - measurement.done)) * pace
            } else {
                nil
            }
        p50 = measurement.percentile(50, method: method)
        p95 = measurement.percentile(95, method: method)
        target = measurement.target?.p95Milliseconds
        residentBytes = measurement.readings.last { $0.residentBytes != nil }?.residentBytes
        peakBytes = measurement.peakBytes
        let readings = measurement.readings
        func battery(_ part: some Collection<WatchedMeasurement.Reading>) -> WatchSnapshot.Battery? {
            func mean(_ figure: (WatchedMeasurement.Reading) -> Double) -> Double {
                part.reduce(0) { $0 + figure($1) } / Double(max(1, part.count))
            }
            return part.isEmpty ? nil : state.battery(mean(\.milliseconds), mean(\.cores))
        }
        self.battery = battery(readings)
        let least = WatchSnapshot.Point.leastReadings
        let columns = min(columns, (readings.count + least - 1) / least)
        series = (0..<columns).map { column in
            // The same share of all readings for each.
            let part = readings[(column * readings.count / columns)..<((column + 1) * readings.count / columns)]
            let sorted = part.map(\.milliseconds).sorted()
            return WatchSnapshot.Point(
                seconds: part[part.endIndex - 1].seconds,
                p50: Percentile.value(50, of: sorted, method: method),
                p95: Percentile.value(95, of: sorted, method: method),
                residentBytes: part.compactMap(\.residentBytes).max(),
                energyPercentPerMinute: battery(part)?.energyPercentPerMinute
            )
        }
    }
}
