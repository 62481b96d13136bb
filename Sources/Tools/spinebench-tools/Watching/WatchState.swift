import Basics
import Composition
import DeviceSimulation
import Foundation
import Harness
import ScanningPolicies
import SpineDatasets

/// The state of a run as read from its folder; the order in which its two files are read makes no difference.
struct WatchState: Sendable {
    /// Battery life for one reading a second, of a duration on a number of cores; nil without a profile.
    typealias Battery = @Sendable (_ milliseconds: Double, _ cores: Double) -> WatchSnapshot.Battery?

    let configuration: RunConfiguration
    /// The last alerts, oldest first.
    private(set) var alertHistory: [WatchSnapshot.Alert] = []
    private(set) var measurements: [WatchedMeasurement]
    private(set) var startedAt: Date?
    private(set) var endedAt: Date?
    private(set) var isFinished = false
    private(set) var unreadableLines = 0
    private var windows: [String: PerformanceWindow] = [:]
    private let places: [String: Int]
    let battery: Battery

    static let mostAlerts = 100

    init(_ configuration: RunConfiguration, battery: @escaping Battery = { _, _ in nil }) {
        self.configuration = configuration
        self.battery = battery
        let ids = configuration.measurements.map(\.id)
        places = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
        measurements = configuration.measurements.map { measurement in
            let tier = measurement.variant.tier
            let target = tier.flatMap { ModelTarget.named($0 == "enrich" ? "enrichment" : $0) }
            return WatchedMeasurement(measurement.id, target: target)
        }
        for measurement in measurements {
            windows[measurement.known.id] = measurement.target.map { target in
                PerformanceWindow(target: target, percentileRule: configuration.percentileMethod)
            }
        }
    }

    var alerts: [WatchSnapshot.Alert] {
        measurements.map(\.known.id).flatMap { id in
            (windows[id]?.alerts ?? []).map { WatchSnapshot.Alert(id, $0, isOver: false) }
        }
    }

    mutating func apply(_ event: RunEvent) {
        switch event.kind {
        case .runStarted, .runResumed:
            isFinished = false
            let time = Self.date(event.time)
            if startedAt == nil { startedAt = time }
            for (id, total) in event.planned ?? [:] {
                if let place = places[id] { measurements[place].known.total = total }
            }
            // Those that were given up are tried again.
            for index in measurements.indices where measurements[index].known.stage == .abandoned {
                measurements[index].known.stage = .waiting
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
            memoryBytes: reading.footprintBytes,
            batteryPercentPer30Minutes: battery(reading.milliseconds, reading.cores).map {
                $0.readerPercentPerMinute * 30
            }
        )
        for change in windows[record.measurement]?.add(metrics) ?? [] {
            switch change {
            case .raised(let alert): alertHistory.append(.init(record.measurement, alert, isOver: false))
            case .recovered(let alert): alertHistory.append(.init(record.measurement, alert, isOver: true))
            }
        }
        alertHistory.removeFirst(max(0, alertHistory.count - Self.mostAlerts))
    }

    mutating func apply(eventLine line: Data) {
        if let event = JSONLine.decode(RunEvent.self, from: line) { apply(event) } else { unreadableLines += 1 }
    }

    mutating func apply(recordLine line: Data) {
        if let record = JSONLine.decode(SampleRecord.self, from: line) { apply(record) } else { unreadableLines += 1 }
    }

    private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
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

struct WatchedMeasurement: Sendable {
    struct Reading: Sendable {
        /// End of the reading, in seconds of this measurement's counted time, its workers' times one after the other.
        var seconds: Double
        var milliseconds: Double
        /// Mean number of CPU cores in use during that time; 1 if it was not measured.
        var cores = 1.0
        /// Footprint in bytes; nil if it was not measured.
        var footprintBytes: Int?
    }

    /// The figures that need no computing.
    var known: WatchSnapshot.Measurement
    let target: ModelTarget?
    private(set) var readings: [Reading] = []
    private var seconds = 0.0
    private var worker = 0
    private var workersBefore = 0.0

    init(_ id: String, target: ModelTarget?) {
        known = WatchSnapshot.Measurement(id: id, target: target?.p95Milliseconds)
        self.target = target
    }

    /// Adds a record; returns its reading, nil without one.
    mutating func add(_ record: SampleRecord) -> Reading? {
        guard record.outcome != .notAttempted else { return nil }
        known.done += 1
        if known.stage == .waiting || known.stage == .loading { known.stage = .reading }
        let number = record.worker ?? worker
        if number != worker {
            worker = number
            workersBefore = seconds
        }
        let milliseconds = record.milliseconds ?? 0
        let end = record.atSeconds.map { workersBefore + $0 + milliseconds / 1_000 } ?? seconds + milliseconds / 1_000
        // Readings side by side do not end in the order in which they began.
        seconds = max(seconds, end.isFinite ? end : seconds)
        if let memory = record.memory?.counted {
            known.peakFootprintBytes = max(known.peakFootprintBytes ?? 0, memory.peak)
        }
        guard record.outcome == .read, let milliseconds = record.milliseconds, milliseconds.isFinite else {
            if record.outcome != .read { known.failed += 1 }
            return nil
        }
        let processor = record.prediction?.cpuMilliseconds ?? milliseconds
        let reading = Reading(
            seconds: seconds,
            milliseconds: milliseconds,
            cores: milliseconds > 0 ? processor / milliseconds : 1,
            footprintBytes: record.memory?.counted?.bytes
        )
        known.footprintBytes = reading.footprintBytes ?? known.footprintBytes
        readings.append(reading)
        return reading
    }

    mutating func add(_ event: RunEvent) {
        switch event.kind {
        case .ready: if known.stage != .done { known.stage = .loading }
        case .began: if known.stage != .done { known.stage = .reading }
        case .workerLost: known.lostWorkers += 1
        case .abandoned: known.stage = .abandoned
        case .measured: known.stage = .done
        case .runStarted, .runResumed, .cacheFilled, .firstReading, .noise, .streaming, .live, .conditions,
            .runFinished:
            break
        }
    }

    /// Mean seconds of a reading with its overhead, from those so far.
    var pace: Double? { known.done > 0 && seconds > 0 ? seconds / Double(known.done) : nil }

    func secondsLeft(at pace: Double) -> Double? { known.total.map { Double(max(0, $0 - known.done)) * pace } }

    /// Returns all figures; `columns`: maximum number of points of the series.
    func figures(method: PercentileMethod, columns: Int, battery use: WatchState.Battery) -> WatchSnapshot.Measurement {
        func battery(_ part: some Collection<Reading>) -> WatchSnapshot.Battery? {
            func mean(_ figure: (Reading) -> Double) -> Double {
                part.reduce(0) { $0 + figure($1) } / Double(max(1, part.count))
            }
            return part.isEmpty ? nil : use(mean(\.milliseconds), mean(\.cores))
        }
        func percentiles(_ part: some Collection<Reading>) -> (p50: Double, p95: Double) {
            let sorted = part.map(\.milliseconds).sorted()
            return (Percentile.value(50, of: sorted, method: method), Percentile.value(95, of: sorted, method: method))
        }
        var figures = known
        figures.secondsLeft = pace.flatMap(secondsLeft)
        if !readings.isEmpty { (figures.p50, figures.p95) = percentiles(readings) }
        figures.battery = battery(readings)
        let least = WatchSnapshot.Point.leastReadings
        let columns = min(columns, (readings.count + least - 1) / least)
        figures.series = (0..<columns).map { column in
            // The same share of all readings for each.
            let part = readings[(column * readings.count / columns)..<((column + 1) * readings.count / columns)]
            let (p50, p95) = percentiles(part)
            return WatchSnapshot.Point(
                seconds: part[part.endIndex - 1].seconds,
                p50: p50,
                p95: p95,
                footprintBytes: part.compactMap(\.footprintBytes).max(),
                energyPercentPerMinute: battery(part)?.energyPercentPerMinute
            )
        }
        return figures
    }
}

extension PhoneBattery {
    /// Returns the battery use of a minute of scanning with one reading a second, the device cool and at full speed.
    ///
    /// `milliseconds`: of a reading, as measured here. `cores`: of the CPU that worked meanwhile, as here; no other
    /// unit is assumed to take as long.
    static func perMinute(
        milliseconds: Double,
        cores: Double,
        on device: (name: String, values: DeviceValues)
    ) -> WatchSnapshot.Battery {
        let busySeconds = 60 * min(1, milliseconds / 1_000) * cores
        let reader = reader(busySeconds: busySeconds, device.values)
        var energy = reader
        energy.base = 60 * device.values[.basePower]
        energy.display = 60 * device.values[.displayPower]
        energy.camera = 60 * device.values[.cameraPower]
        return WatchSnapshot.Battery(
            device: device.name,
            energyPercentPerMinute: energy.percent(of: device.values),
            readerPercentPerMinute: reader.percent(of: device.values),
            seedPercentPerMinute: SeedBattery.percent(busySeconds: busySeconds, on: .cpu)
        )
    }
}
