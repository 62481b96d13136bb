import Foundation
import Harness
import ScanningPolicies
import SpineDatasets

/// A run as its folder tells of it so far: events and records go in, in the order of their files; nothing is measured here.
///
/// Which of the two files is read first makes no difference to the figures.
struct WatchState: Sendable {
    /// Something that was told of a model's figures.
    struct Told: Sendable, Equatable {
        var measurement: String
        var change: AlertChange
    }

    /// What a phone's battery gives for one reading of so many milliseconds a second; nil when there is no profile.
    typealias Battery = @Sendable (_ milliseconds: Double) -> WatchSnapshot.Battery?

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

    /// As many alerts are kept.
    static let mostTold = 100

    /// - Parameters:
    ///   - configuration: of the run.
    ///   - battery: for a mean reading.
    init(_ configuration: RunConfiguration, battery: @escaping Battery = { _ in nil }) {
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

    /// What holds now of a measurement.
    func alerts(of measurement: String) -> [PerformanceAlert] { windows[measurement]?.alerts ?? [] }

    /// Takes an event in.
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

    /// Takes a record in.
    mutating func apply(_ record: SampleRecord) {
        guard let place = places[record.measurement], let reading = measurements[place].add(record) else { return }
        let metrics = InferenceMetrics(
            model: measurements[place].target?.name ?? "",
            time: .seconds(min(reading.seconds, 1e9)),
            latency: .milliseconds(min(reading.milliseconds, 1e9)),
            memoryBytes: reading.residentBytes,
            batteryPercentPer30Minutes: battery(reading.milliseconds).map { $0.readerPercentPerMinute * 30 }
        )
        for change in windows[record.measurement]?.add(metrics) ?? [] {
            told.append(Told(measurement: record.measurement, change: change))
        }
        told.removeFirst(max(0, told.count - Self.mostTold))
    }

    /// Takes a whole line of `events.jsonl` in.
    mutating func apply(eventLine line: Data) {
        guard let event = JSONLine.decode(RunEvent.self, from: line) else {
            unreadableLines += 1
            return
        }
        apply(event)
    }

    /// Takes a whole line of `samples.jsonl` in.
    mutating func apply(recordLine line: Data) {
        guard let record = JSONLine.decode(SampleRecord.self, from: line) else {
            unreadableLines += 1
            return
        }
        apply(record)
    }

    private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}
