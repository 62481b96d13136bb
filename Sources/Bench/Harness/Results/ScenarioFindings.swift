package import Basics
package import Evaluation
import Foundation
package import ScanningPolicies
package import Statistics

/// Findings of a scenario beside latency, memory and accuracy; nil for those of other kinds.
package struct ScenarioFindings: Sendable, Equatable, Codable {
    package var server: ServerFindings?
    package var offline: OfflineFindings?
    package var soak: SoakFindings?
    package var cold: ColdFindings?
    /// Figures of a camera's frames.
    package var live: LiveFigures?
    /// Pictures of a stream in memory: "240 pictures, 12.3 MB in memory".
    package var performanceSet: String?

    init(_ scenario: Scenario, records: [SampleRecord], events: [RunEvent]) {
        performanceSet = events.first { $0.kind == .streaming }?.message
        switch scenario.kind {
        case .single: break
        case .server, .paced: server = ServerFindings(records, scenario: scenario)
        case .offline: offline = OfflineFindings(records, scenario: scenario)
        case .soak: soak = SoakFindings(records)
        case .cold: cold = ColdFindings(records)
        case .live: live = events.last { $0.kind == .live }?.live
        }
    }
}

/// Findings of a server under its load.
package struct ServerFindings: Sendable, Equatable, Codable {
    package var readings: Int
    package var lanes: Int
    /// The mean of arrivals a second that was asked for.
    package var askedRate: Double
    /// That of the arrivals that were drawn.
    package var scheduledRate: Double
    package var achievedRate: Double
    /// Readings that were due but not done at the last arrival.
    package var backlog: Int
    /// Time from the begin of a reading, in milliseconds.
    package var service: LatencySummary
    /// Time from the due time of a reading to its begin.
    package var waiting: LatencySummary

    init?(_ records: [SampleRecord], scenario: Scenario) {
        let done = records.filter { $0.endSeconds != nil && $0.serviceMilliseconds != nil }
        let (workers, count) = (done.byWorker, Double(done.count))
        (readings, lanes, askedRate) = (done.count, scenario.laneCount, scenario.ratePerSecond ?? 0)
        let scheduled = workers.map { $0.latest(\.atSeconds) }.reduce(0, +)
        let achieved = workers.map { $0.latest(\.endSeconds) }.reduce(0, +)
        guard scheduled > 0, achieved > 0 else { return nil }
        (scheduledRate, achievedRate) = (count / scheduled, count / achieved)
        backlog = workers.map { own in own.count { ($0.endSeconds ?? 0) > own.latest(\.atSeconds) } }.max() ?? 0
        service = LatencySummary(milliseconds: done.compactMap(\.serviceMilliseconds))
        let waits = done.map { max(0, ($0.milliseconds ?? 0) - ($0.serviceMilliseconds ?? 0)) }
        waiting = LatencySummary(milliseconds: waits)
    }
}

/// Throughput of a variant when everything is there at once.
package struct OfflineFindings: Sendable, Equatable, Codable {
    package var lanes: Int
    package var readings: Int
    package var seconds: Double
    /// Spines a second, without those that the variant failed on.
    package var throughput: Figure
    /// Interval at 95 %: twenty stretches of the run are resampled.
    package var interval: IntervalFigure

    /// Stretches that are resampled.
    private static let stretches = 20

    init(_ records: [SampleRecord], scenario: Scenario) {
        lanes = scenario.laneCount
        let done = records.filter { $0.outcome == .read && $0.endSeconds != nil }
        readings = done.count
        let workers = done.byWorker.map { $0.compactMap(\.endSeconds).sorted() }
        seconds = workers.compactMap(\.last).reduce(0, +)
        let size = max(1, (done.count + Self.stretches - 1) / Self.stretches)
        let parts = workers.flatMap { ends in
            stride(from: 0, to: ends.count, by: size).map { first in
                let last = min(first + size, ends.count) - 1
                return (count: Double(last - first + 1), seconds: ends[last] - (first == 0 ? 0 : ends[first - 1]))
            }
        }
        throughput = seconds > 0 ? .value(Double(readings) / seconds) : .absent("no readings")
        interval =
            parts.count < GroupBootstrap.minimumGroups
            ? .absent("needs ≥ \(GroupBootstrap.minimumGroups) readings")
            : GroupBootstrap(groups: Array(parts.indices)).interval { weights in
                let weighted = zip(parts, weights.map { Double($0) })
                let seconds = weighted.reduce(0) { $0 + $1.0.seconds * $1.1 }
                return seconds > 0 ? weighted.reduce(0) { $0 + $1.0.count * $1.1 } / seconds : nil
            }
    }
}

/// Waits of a user after opening the app, each time in a fresh process.
package struct ColdFindings: Sendable, Equatable, Codable {
    /// Time from just before the process was started until the first text, in milliseconds.
    package var untilText: LatencySummary
    /// Time from just before the process was started until the variant was reported as loaded.
    package var untilReady: LatencySummary
    /// Loading the variant, inside the process.
    package var load: LatencySummary
    /// Description of the caches that were not cold.
    package var note: String

    init(_ records: [SampleRecord]) {
        let read = records.filter { $0.outcome == .read }
        // A start without a text counts as later than all others.
        let lost = records.count { $0.outcome != .read && $0.outcome != .notAttempted }
        untilText = LatencySummary(milliseconds: read.compactMap(\.milliseconds), timeouts: lost)
        untilReady = LatencySummary(milliseconds: read.compactMap(\.readyMilliseconds))
        load = LatencySummary(milliseconds: read.compactMap(\.loadMilliseconds))
        note = "processes are fresh; compiled networks and files that the system or the engine caches on disk are warm"
    }
}

/// Latency and memory over the minutes of a soak, in the worker that lived longest.
package struct SoakFindings: Sendable, Equatable, Codable {
    package struct Window: Sendable, Equatable, Codable {
        package var fromSeconds: Double
        package var readings: Int
        /// Latency in milliseconds, by nearest rank; nil without readings.
        package var p50: Double?
        package var p95: Double?
        /// Footprint at its end; nil when the system does not report it.
        package var footprintBytes: Int?
    }

    package var seconds: Double
    package var windows: [Window]
    /// Bytes by which the footprint grows for every 1,000 readings; from the windows after the first third, in which caches fill.
    package var leak: TheilSen
    /// Fail when even the slope's lower bound is more than ``tolerableLeak``.
    package var leakVerdict: Judgement
    /// Relative increase of readings of the last third over those of the same samples in the first: 0.05 for 5 %.
    package var drift: Figure
    package var driftInterval: IntervalFigure

    /// Bytes for every 1,000 readings: a hundred a reading, which 10,000 spines make one megabyte.
    package static let tolerableLeak = 100_000.0

    init(_ records: [SampleRecord]) {
        let workers = records.filter { $0.outcome == .read && $0.endSeconds != nil }.byWorker
        let ordered = (workers.max { $0.latest(\.endSeconds) < $1.latest(\.endSeconds) } ?? [])
            .sorted { ($0.endSeconds ?? 0) < ($1.endSeconds ?? 0) }
        let seconds = ordered.latest(\.endSeconds)
        // Ten seconds each, or a tenth of a shorter soak.
        let length = min(10, max(seconds / 10, 1e-3))
        let parts = Dictionary(grouping: ordered) { Int(($0.endSeconds ?? 0) / length) }.sorted { $0.key < $1.key }
        windows = parts.map { index, part in
            let times = part.compactMap(\.milliseconds)
            return Window(
                fromSeconds: Double(index) * length,
                readings: part.count,
                p50: times.percentile(50),
                p95: times.percentile(95),
                footprintBytes: part.last { $0.memory != nil }?.memory?.counted?.bytes
            )
        }
        self.seconds = seconds
        var (count, points) = (0, [(x: Double, y: Double)]())
        for window in windows {
            count += window.readings
            if let bytes = window.footprintBytes, window.fromSeconds >= seconds / 3 {
                points.append((Double(count) / 1_000, Double(bytes)))
            }
        }
        leak = TheilSen(x: points.map(\.x), y: points.map(\.y))
        leakVerdict = Self.judgement(of: leak)
        func medians(_ isChosen: (Double) -> Bool) -> [String: Double] {
            Dictionary(grouping: ordered.filter { isChosen($0.endSeconds ?? 0) }, by: \.id)
                .compactMapValues { $0.compactMap(\.milliseconds).percentile(50) }
        }
        // The shift of the logarithms of medians, over the samples that were read in both thirds.
        let (first, last) = (medians { $0 <= seconds / 3 }, medians { $0 > seconds * 2 / 3 })
        let ratios = first.sorted { $0.key < $1.key }.compactMap { id, a in
            last[id].flatMap { a > 0 && $0 > 0 ? log($0 / a) : nil }
        }
        let shift = HodgesLehmann(differences: ratios)
        drift = shift.estimate.map { exp($0) - 1 }
        driftInterval = shift.interval.mapped { exp($0) - 1 }
    }

    private static func judgement(of leak: TheilSen) -> Judgement {
        guard let interval = leak.interval.value else {
            return Judgement(.inconclusive, note: leak.interval.reason ?? "")
        }
        if interval.lowerBound > tolerableLeak { return Judgement(.fail, note: "memory grows with the readings") }
        return interval.upperBound > tolerableLeak
            ? Judgement(.inconclusive, note: "a longer soak is needed") : Judgement(.pass)
    }
}
