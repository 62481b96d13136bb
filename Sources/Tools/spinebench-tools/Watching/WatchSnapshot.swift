import Foundation
import Harness
import ScanningPolicies

struct WatchSnapshot: Sendable, Equatable {
    enum Phase: String, Sendable {
        case running
        /// The run is unfinished, and no process writes to its folder.
        case stopped
        case finished
    }

    /// The modelled battery life of a phone.
    struct Battery: Sendable, Equatable {
        var device: String
        /// Percent per minute of all consumers: system, display, camera and reader.
        var energyPercentPerMinute: Double
        /// The reader's share of it, in percent per minute.
        var readerPercentPerMinute: Double
        /// Percent per minute by the project document's formula, which contradicts itself (K-4).
        var seedPercentPerMinute: Double
    }

    struct Point: Sendable, Equatable {
        /// End of the last reading, in seconds of the measurement's counted time.
        var seconds: Double
        var p50: Double
        var p95: Double
        var footprintBytes: Int?
        var energyPercentPerMinute: Double?

        /// Minimum number of readings; with fewer, P50 and P95 would be equal.
        static let leastReadings = 5
    }

    enum Stage: String, Sendable {
        case waiting
        /// The worker loads and warms up.
        case loading
        case reading
        case done
        case abandoned
    }

    struct Measurement: Sendable, Equatable {
        var id: String
        var stage = Stage.waiting
        /// Attempted readings.
        var done = 0
        /// Planned number of readings; nil if time decides, or it is unknown.
        var total: Int?
        var failed = 0
        var lostWorkers = 0
        var secondsLeft: Double?
        /// 50th percentile; nil without readings, as the next three.
        var p50: Double?
        var p95: Double?
        /// Upper limit of P95, in milliseconds; nil without a target.
        var target: Double?
        var footprintBytes: Int?
        var peakFootprintBytes: Int?
        var battery: Battery?
        var series: [Point] = []
    }

    struct Alert: Sendable, Equatable {
        var measurement: String
        var severity: PerformanceAlert.Severity
        var message: String
        /// Time of the alert, in seconds of the measurement's counted time.
        var seconds: Double
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
    var alerts: [Alert]
    /// Reported alerts, oldest first.
    var alertHistory: [Alert]

    static let longSilence = 10.0
}

extension WatchSnapshot {
    /// Creates a snapshot of a run; `columns`: maximum number of points of a series.
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
        measurements = state.measurements.map { measurement in
            var shown = measurement.figures(
                method: state.configuration.percentileMethod,
                columns: columns,
                battery: state.battery
            )
            if phase != .running || shown.stage != .reading && shown.stage != .loading { shown.secondsLeft = nil }
            return shown
        }
        done = measurements.reduce(0) { $0 + $1.done }
        let totals = measurements.map(\.total)
        total = totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
        unreadableLines = state.unreadableLines
        secondsLeft = phase == .running ? Self.left(state.measurements) : nil
        (alerts, alertHistory) = (state.alerts, state.alertHistory)
    }

    /// Returns the time left at the pace of each; those that have not begun go at the mean pace of the others.
    private static func left(_ measurements: [WatchedMeasurement]) -> Double? {
        let paces = measurements.compactMap(\.pace)
        guard !paces.isEmpty else { return nil }
        let mean = paces.reduce(0, +) / Double(paces.count)
        var sum = 0.0
        for measurement in measurements where measurement.known.stage != .done && measurement.known.stage != .abandoned
        {
            guard let left = measurement.secondsLeft(at: measurement.pace ?? mean) else { return nil }
            sum += left
        }
        return sum
    }
}
