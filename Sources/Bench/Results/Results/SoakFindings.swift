package import Basics
package import Evaluation
import Foundation
import Harness

/// Latency and memory over the minutes of a soak, in the worker that lived longest.
package struct SoakFindings: Sendable, Equatable, Codable {
    package struct Window: Sendable, Equatable, Codable {
        package var fromSeconds: Double
        package var readings: Int
        /// Latency in milliseconds, by nearest rank; nil without readings.
        package var p50: Double?
        package var p95: Double?
        /// Resident memory at its end; nil when the system does not report it.
        package var residentBytes: Int?
    }

    package var seconds: Double
    package var windows: [Window]
    /// Bytes that stay resident for every 1,000 readings; from the windows after the first third, in which caches fill.
    package var leak: TheilSen
    /// Fail when even the slope's lower bound is more than ``tolerableLeak``.
    package var leakVerdict: Judgement
    /// Relative increase of readings of the last third over those of the same samples in the first: 0.05 for 5 %.
    package var drift: Figure
    /// Interval of the drift at 95 %.
    package var driftInterval: IntervalFigure

    /// Bytes for every 1,000 readings: a hundred a reading, which 10,000 spines make one megabyte.
    package static let tolerableLeak = 100_000.0

    init(_ records: [SampleRecord]) {
        let done = records.filter { $0.outcome == .read && $0.endSeconds != nil }
        let workers = Dictionary(grouping: done, by: \.worker).values
        let own = workers.max { Self.end($0) < Self.end($1) } ?? []
        let ordered = own.sorted { ($0.endSeconds ?? 0) < ($1.endSeconds ?? 0) }
        seconds = Self.end(ordered)
        // Ten seconds each, or a tenth of a shorter soak.
        let length = min(10, max(seconds / 10, 1e-3))
        let byWindow = Dictionary(grouping: ordered) { Int(($0.endSeconds ?? 0) / length) }
        var points: [(x: Double, y: Double)] = []
        var (count, windows) = (0, [Window]())
        for index in byWindow.keys.sorted() {
            let part = byWindow[index] ?? []
            count += part.count
            let times = part.compactMap(\.milliseconds)
            let resident = part.last { $0.memory != nil }?.memory?.residentBytes
            windows.append(
                Window(
                    fromSeconds: Double(index) * length,
                    readings: part.count,
                    p50: times.percentile(50),
                    p95: times.percentile(95),
                    residentBytes: resident
                )
            )
            if let resident, Double(index) * length >= seconds / 3 {
                points.append((Double(count) / 1_000, Double(resident)))
            }
        }
        self.windows = windows
        leak = TheilSen(x: points.map(\.x), y: points.map(\.y))
        leakVerdict = Self.judgement(of: leak)
        let shift = Self.shift(ordered, seconds: seconds)
        drift = shift.estimate.map { exp($0) - 1 }
        driftInterval = shift.interval.mapped { exp($0) - 1 }
    }

    private static func end(_ records: [SampleRecord]) -> Double { records.compactMap(\.endSeconds).max() ?? 0 }

    private static func judgement(of leak: TheilSen) -> Judgement {
        guard let interval = leak.interval.value else {
            return Judgement(.inconclusive, note: leak.interval.reason ?? "")
        }
        if interval.lowerBound > tolerableLeak { return Judgement(.fail, note: "memory grows with the readings") }
        return interval.upperBound > tolerableLeak
            ? Judgement(.inconclusive, note: "a longer soak is needed") : Judgement(.pass)
    }

    /// Returns the shift of the logarithms of medians, over the samples that were read in both thirds.
    private static func shift(_ records: [SampleRecord], seconds: Double) -> HodgesLehmann {
        func medians(_ records: [SampleRecord]) -> [String: Double] {
            Dictionary(grouping: records, by: \.id).compactMapValues { $0.compactMap(\.milliseconds).percentile(50) }
        }
        let first = medians(records.filter { ($0.endSeconds ?? 0) <= seconds / 3 })
        let last = medians(records.filter { ($0.endSeconds ?? 0) > seconds * 2 / 3 })
        let ratios = first.keys.sorted().compactMap { id -> Double? in
            guard let a = first[id], let b = last[id], a > 0, b > 0 else { return nil }
            return log(b / a)
        }
        return HodgesLehmann(differences: ratios)
    }
}
