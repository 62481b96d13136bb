import Foundation
import Harness
import SpineDatasets
import Testing

@testable import spinebench_tools

@Suite struct WatchSnapshotTests {
    private func state(_ count: Int, isFinished: Bool = false) -> WatchState {
        var state = WatchState(WatchedRun.configuration()) { milliseconds, _ in
            WatchSnapshot.Battery(
                device: "a phone",
                energyPercentPerMinute: milliseconds / 100,
                readerPercentPerMinute: 0,
                seedPercentPerMinute: 1
            )
        }
        state.apply(WatchedRun.event(.runStarted, planned: ["fast": 100]))
        for number in 0..<count { state.apply(WatchedRun.record(number, milliseconds: Double(number + 1))) }
        if isFinished { state.apply(WatchedRun.event(.runFinished, time: "2026-03-01T12:00:30Z")) }
        return state
    }

    @Test(
        arguments: [
            (false, true, 0.0, WatchSnapshot.Phase.running, nil),
            (false, true, 500, .running, 500),
            (false, false, 9, .running, nil),
            (false, false, 10, .stopped, 10),
            (true, true, 0, .finished, nil),
            (true, false, 500, .finished, nil),
        ] as [(Bool, Bool, Double, WatchSnapshot.Phase, Double?)]
    )
    func phaseIsToldFromTheFolder(
        isFinished: Bool,
        isBeingWritten: Bool,
        silent: Double,
        phase: WatchSnapshot.Phase,
        silence: Double?
    ) {
        let snapshot = WatchedRun.snapshot(
            state(1, isFinished: isFinished),
            silent: silent,
            isBeingWritten: isBeingWritten
        )
        #expect(snapshot.phase == phase)
        #expect(snapshot.silentSeconds == silence)
        if phase == .finished { #expect(snapshot.elapsedSeconds == 30) }
        if phase == .stopped { #expect(snapshot.elapsedSeconds == 50) }
    }

    @Test func aRunThatHasNotBegunHasNoFigures() {
        let snapshot = WatchedRun.snapshot(WatchState(WatchedRun.configuration()))
        #expect(snapshot.elapsedSeconds == nil)
        #expect(snapshot.total == nil)
        #expect(snapshot.secondsLeft == nil)
        #expect(snapshot.measurements.map(\.p50) == [nil, nil])
        #expect(snapshot.measurements.allSatisfy { $0.series.isEmpty && $0.battery == nil })
    }

    /// 1, 2, … 10 ms in two points of five each; P50 by nearest rank is the third of five, P95 the fifth.
    @Test func aSeriesHasTheSameShareOfReadingsInEachPoint() {
        let fast = WatchedRun.snapshot(state(10), columns: 5).measurements[0]
        #expect(fast.series.map(\.p50) == [3, 8])
        #expect(fast.series.map(\.p95) == [5, 10])
        #expect(fast.series.map(\.energyPercentPerMinute) == [0.03, 0.08])
        #expect(fast.battery?.energyPercentPerMinute == 0.055)
        // The duration is unknown without a total of the other one.
        #expect(WatchedRun.snapshot(state(10)).secondsLeft == nil)
    }

    @Test(arguments: [0, 1, 2, 7, 119, 120, 121, 1_000])
    func everyReadingIsInTheSeries(count: Int) {
        let fast = WatchedRun.snapshot(state(count)).measurements[0]
        #expect(fast.series.count == min(120, (count + 4) / 5))
        #expect(fast.series.last?.p95 == (count == 0 ? nil : Double(count)))
        #expect(fast.series.map(\.seconds) == fast.series.map(\.seconds).sorted())
    }
}
