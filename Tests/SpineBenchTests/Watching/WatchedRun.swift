import Basics
import Foundation
import SpineDatasets
import TestSupport

@testable import Harness
@testable import spinebench_tools

/// Pieces of a run that is watched.
enum WatchedRun {
    /// Returns two variants over one dataset.
    static func configuration(method: PercentileMethod = .nearestRank) -> RunConfiguration {
        RunConfiguration(
            tool: "test 1",
            datasets: [DatasetReference(path: "d", name: "spines", digest: "x")],
            variants: [Variant(name: "fast", tier: "fast"), Variant(name: "other")],
            percentileMethod: method
        )
    }

    static func event(
        _ kind: RunEvent.Kind,
        _ measurement: String? = nil,
        time: String = "2026-03-01T12:00:00Z",
        planned: [String: Int]? = nil
    ) -> RunEvent {
        RunEvent(kind: kind, time: time, measurement: measurement, planned: planned)
    }

    /// Returns a reading of `fast`, one every tenth of a second.
    static func record(
        _ number: Int,
        milliseconds: Double? = 20,
        measurement: String = "fast",
        outcome: SampleRecord.Outcome = .read,
        worker: Int = 1,
        footprint: Int? = 100_000_000
    ) -> SampleRecord {
        var record = SampleRecord(
            measurement: measurement,
            repetition: 1,
            position: number,
            id: "spine\(number)",
            outcome: outcome,
            milliseconds: milliseconds,
            memory: footprint.map { MemoryReading(resident: nil, footprint: .init($0, peak: $0 + 1_000_000)) }
        )
        record.atSeconds = Double(number) / 10
        record.worker = worker
        return record
    }

    static func snapshot(
        _ state: WatchState,
        after seconds: Double = 60,
        silent: Double = 0,
        isBeingWritten: Bool = true,
        columns: Int = 120
    ) -> WatchSnapshot {
        // 2026-03-01T12:00:00Z.
        let start = Date(timeIntervalSince1970: 1_772_366_400)
        return WatchSnapshot(
            state,
            name: "run",
            now: start.addingTimeInterval(seconds),
            silentSeconds: silent,
            isBeingWritten: isBeingWritten,
            columns: columns
        )
    }
}
