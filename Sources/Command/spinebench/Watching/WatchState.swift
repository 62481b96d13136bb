import Basics
import Foundation
import Harness
import ScanningPolicies
import SpineDatasets

/// The state of a run as read from its folder: events and records are added in the order of their files; nothing is
/// measured here.
///
/// The order in which the two files are read does not affect the figures.
struct WatchState: Sendable {
    /// A reported alert about a model's figures.
    struct Told: Sendable, Equatable {
        var measurement: String
        var change: AlertChange
    }

    /// A function that returns the battery life for one reading a second, of a duration on a number of cores; nil
    /// without a profile.
    typealias Battery = @Sendable (_ milliseconds: Double, _ cores: Double) -> WatchSnapshot.Battery?

    let configuration: RunConfiguration
    /// The last alerts, oldest first.
    private(set) var told: [Told] = []
    private(set) var measurements: [WatchedMeasurement]
    private(set) var startedAt: Date?
    private(set) var endedAt: Date?
    private(set) var isFinished = false
    /// Lines that were whole and could not be understood.
    private(set) var unreadableLines = 0
    private var windows: [String: PerformanceWindow] = [:]
    private var places: [String: Int] = [:]
    let battery: Battery

    /// Maximum number of stored alerts.
    static let mostTold = 100

    init(_ configuration: RunConfiguration, battery: @escaping Battery = { _, _ in nil }) {
        self.configuration = configuration
        self.battery = battery
        measurements = configuration.measurements.map { WatchedMeasurement(id: $0.id, tier: $0.variant.tier) }
        for (index, measurement) in measurements.enumerated() {
            places[measurement.id] = index
            if let target = measurement.target {
                windows[measurement.id] = PerformanceWindow(
                    target: target,
                    percentileRule: configuration.percentileMethod
                )
            }
        }
    }

    /// Returns the current alerts of a measurement.
    func alerts(of measurement: String) -> [PerformanceAlert] { windows[measurement]?.alerts ?? [] }

    mutating func apply(_ event: RunEvent) {
        switch event.kind {
        case .runStarted, .runResumed:
            isFinished = false
            let time = Self.date(event.time)
            if startedAt == nil { startedAt = time }
            for (id, total) in event.planned ?? [:] {
                if let place = places[id] { measurements[place].total = total }
            }
            // Those that were given up are tried again.
            for index in measurements.indices where measurements[index].stage == .abandoned {
                measurements[index].stage = .waiting
            }
        case .runFinished:
            isFinished = true
            endedAt = Self.date(event.time)
        default:
            if let place = event.measurement.flatMap({ places[$0] }) { measurements[place].add(event) }
        }
    }

    mutating func apply(_ record: SampleRecord) {
        guard let place = places[record.measurement], let reading = measurements[place].add(record) else { return }
        let metrics = InferenceMetrics(
            model: measurements[place].target?.name ?? "",
            time: .seconds(min(reading.seconds, 1e9)),
            latency: .milliseconds(min(reading.milliseconds, 1e9)),
            memoryBytes: reading.residentBytes,
            batteryPercentPer30Minutes: battery(reading.milliseconds, reading.cores).map {
                $0.readerPercentPerMinute * 30
            }
        )
        for change in windows[record.measurement]?.add(metrics) ?? [] {
            told.append(Told(measurement: record.measurement, change: change))
        }
        told.removeFirst(max(0, told.count - Self.mostTold))
    }

    mutating func apply(eventLine line: Data) {
        if let event = JSONLine.decode(RunEvent.self, from: line) { apply(event) } else { unreadableLines += 1 }
    }

    mutating func apply(recordLine line: Data) {
        if let record = JSONLine.decode(SampleRecord.self, from: line) { apply(record) } else { unreadableLines += 1 }
    }

    private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}

/// One measurement of a run, as its events and records report it.
struct WatchedMeasurement: Sendable, Equatable {
    enum Stage: String, Sendable, Codable {
        case waiting
        /// The worker loads and warms up.
        case loading
        case reading
        case done
        case abandoned
    }

    struct Reading: Sendable, Equatable {
        /// End of the reading, in seconds of this measurement's counted time, its workers' times one after the other.
        var seconds: Double
        var milliseconds: Double
        /// Mean number of CPU cores in use during that time; 1 if it was not measured.
        var cores = 1.0
        /// Resident memory in bytes; nil if it was not measured.
        var residentBytes: Int?
    }

    let id: String
    /// Name of the tier in the pipeline; nil if the variant has none.
    let tier: String?
    /// Planned number of readings; nil if time decides, or it is unknown.
    var total: Int?
    var stage = Stage.waiting
    /// Attempted readings.
    var done = 0
    /// Number of readings without a result.
    var failed = 0
    var lostWorkers = 0
    var loadMilliseconds: Double?
    var peakBytes: Int?
    /// Readings with a prediction, in the order of their arrival.
    var readings: [Reading] = []
    /// Counted time so far.
    private(set) var seconds = 0.0
    private var worker = 0
    private var workersBefore = 0.0

    init(id: String, tier: String?) {
        self.id = id
        self.tier = tier
    }

    /// Adds a record.
    ///
    /// - Returns: the reading; nil without one.
    mutating func add(_ record: SampleRecord) -> Reading? {
        guard record.outcome != .notAttempted else { return nil }
        done += 1
        if stage == .waiting || stage == .loading { stage = .reading }
        let number = record.worker ?? worker
        if number != worker {
            worker = number
            workersBefore = seconds
        }
        let milliseconds = record.milliseconds ?? 0
        let end = record.atSeconds.map { workersBefore + $0 + milliseconds / 1_000 } ?? seconds + milliseconds / 1_000
        // Readings side by side do not end in the order in which they began.
        seconds = max(seconds, end.isFinite ? end : seconds)
        if let memory = record.memory { peakBytes = max(peakBytes ?? 0, memory.peakBytes) }
        guard record.outcome == .read, let milliseconds = record.milliseconds, milliseconds.isFinite else {
            failed += 1
            return nil
        }
        let processor = record.prediction?.cpuMilliseconds ?? milliseconds
        let reading = Reading(
            seconds: seconds,
            milliseconds: milliseconds,
            cores: milliseconds > 0 ? processor / milliseconds : 1,
            residentBytes: record.memory?.residentBytes
        )
        readings.append(reading)
        return reading
    }

    /// Takes an event in.
    mutating func add(_ event: RunEvent) {
        switch event.kind {
        case .ready:
            loadMilliseconds = event.modelLoadMilliseconds ?? loadMilliseconds
            if stage != .done { stage = .loading }
        case .began:
            if stage != .done { stage = .reading }
        case .workerLost: lostWorkers += 1
        case .abandoned: stage = .abandoned
        case .measured: stage = .done
        case .runStarted, .runResumed, .cacheFilled, .firstReading, .noise, .streaming, .live, .conditions,
            .runFinished:
            break
        }
    }

    /// Mean seconds of a reading with its overhead, from those so far.
    var pace: Double? { done > 0 && seconds > 0 ? seconds / Double(done) : nil }

    /// Percentiles of all readings so far; nil without any.
    func percentile(_ percent: Int, method: PercentileMethod) -> Double? {
        readings.isEmpty ? nil : Percentile.value(percent, of: readings.map(\.milliseconds).sorted(), method: method)
    }

    /// Target of the measurement's tier.
    var target: ModelTarget? {
        switch tier {
        case "enrich": ModelTarget.named("enrichment")
        case let tier?: ModelTarget.named(tier)
        case nil: nil
        }
    }
}
