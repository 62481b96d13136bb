import Foundation
import Harness
import ScanningPolicies
import SpineDatasets
import Testing

@testable import spinebench_tools

@Suite struct WatchStateTests {
    private func state(_ events: [RunEvent], _ records: [SampleRecord] = []) -> WatchState {
        var state = WatchState(WatchedRun.configuration())
        for event in events { state.apply(event) }
        for record in records { state.apply(record) }
        return state
    }

    private let start = WatchedRun.event(.runStarted, planned: ["fast": 4, "other": 6])

    @Test(
        arguments: [
            ([], WatchSnapshot.Stage.waiting),
            ([.ready], .loading),
            ([.ready, .began], .reading),
            ([.ready, .began, .workerLost, .ready], .loading),
            ([.ready, .began, .workerLost, .abandoned], .abandoned),
            ([.ready, .began, .measured, .conditions], .done),
        ] as [([RunEvent.Kind], WatchSnapshot.Stage)]
    )
    func stageFollowsTheEvents(kinds: [RunEvent.Kind], expected: WatchSnapshot.Stage) {
        let state = state([start] + kinds.map { WatchedRun.event($0, "fast") })
        #expect(state.measurements.map(\.known.stage) == [expected, .waiting])
    }

    @Test func aResumedRunTriesAgainWhatWasGivenUp() {
        let state = state([start, WatchedRun.event(.abandoned, "fast"), WatchedRun.event(.runResumed)])
        #expect(state.measurements[0].known.stage == .waiting)
        #expect(!state.isFinished)
    }

    @Test func readingsAreCounted() {
        let records = [
            WatchedRun.record(0), WatchedRun.record(1, milliseconds: 30),
            WatchedRun.record(2, milliseconds: nil, outcome: .timedOut),
            WatchedRun.record(3, milliseconds: nil, outcome: .notAttempted),
        ]
        let snapshot = WatchedRun.snapshot(state([start], records))
        let fast = snapshot.measurements[0]
        #expect(fast.stage == .reading)
        #expect(fast.done == 3)
        #expect(fast.total == 4)
        #expect(fast.failed == 1)
        #expect(fast.p50 == 20)
        #expect(fast.p95 == 30)
        #expect(fast.footprintBytes == 100_000_000)
        #expect(fast.peakFootprintBytes == 101_000_000)
        #expect(fast.target == 50)
        #expect(snapshot.done == 3)
        #expect(snapshot.total == 10)
        #expect(snapshot.elapsedSeconds == 60)
        // The third began after 0.2 s and never ended: 0.2 s of counted time for three, one left of fast, six of the
        // other.
        #expect(abs((fast.secondsLeft ?? 0) - 0.2 / 3) < 1e-9)
        #expect(abs((snapshot.secondsLeft ?? 0) - 7 * 0.2 / 3) < 1e-9)
    }

    @Test func theOrderOfTheFilesMakesNoDifference() {
        let events = [start, WatchedRun.event(.ready, "fast"), WatchedRun.event(.began, "fast")]
        let records = (0..<30).map { WatchedRun.record($0, milliseconds: Double($0 * 7 % 40)) }
        var eventsFirst = WatchState(WatchedRun.configuration())
        for event in events { eventsFirst.apply(event) }
        for record in records { eventsFirst.apply(record) }
        var recordsFirst = WatchState(WatchedRun.configuration())
        for record in records { recordsFirst.apply(record) }
        for event in events { recordsFirst.apply(event) }
        #expect(WatchedRun.snapshot(eventsFirst) == WatchedRun.snapshot(recordsFirst))
    }

    /// The second worker's clock begins at 0 again.
    @Test func workersFollowEachOther() {
        let records = [WatchedRun.record(10), WatchedRun.record(0, worker: 2), WatchedRun.record(1, worker: 2)]
        let fast = state([start], records).measurements[0]
        #expect(zip(fast.readings.map(\.seconds), [1.02, 1.04, 1.14]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func whatIsOfNoMeasurementOfTheRunIsLeftOut() {
        let state = state(
            [start, WatchedRun.event(.measured, "strange")],
            [WatchedRun.record(0, measurement: "strange")]
        )
        #expect(WatchedRun.snapshot(state).done == 0)
    }

    @Test func linesThatCannotBeUnderstoodAreCounted() throws {
        var state = WatchState(WatchedRun.configuration())
        state.apply(eventLine: Data("{\"kind\": \"fromTomorrow\", \"time\": \"\"}".utf8))
        state.apply(recordLine: Data("null".utf8))
        state.apply(recordLine: try JSONLine.encode(WatchedRun.record(0)))
        #expect(state.unreadableLines == 2)
        #expect(state.measurements[0].known.done == 1)
    }

    /// P95 of twenty readings is known from the twentieth on; 120 ms is more than twice the 50 of the tier.
    @Test func alertsComeWithTheReadingsThatCauseThem() {
        let before = state([start], (0..<19).map { WatchedRun.record($0, milliseconds: 120) })
        #expect(before.alertHistory.isEmpty)
        let after = state([start], (0..<20).map { WatchedRun.record($0, milliseconds: 120) })
        #expect(
            after.alertHistory.map(\.message) == [
                "fast P95 latency 120ms exceeds target 50ms", "fast target compliance 0% is below 80%",
            ]
        )
        let snapshot = WatchedRun.snapshot(after)
        #expect(snapshot.alertHistory.map(\.severity) == [.critical, .critical])
        #expect(snapshot.alerts == snapshot.alertHistory)
        #expect(snapshot.alertHistory.allSatisfy { !$0.isOver && $0.measurement == "fast" })
    }

    /// A variant without a tier has no target.
    @Test func withoutATargetThereAreNoAlerts() {
        let records = (0..<40).map { WatchedRun.record($0, milliseconds: 9_000, measurement: "other") }
        #expect(state([start], records).alertHistory.isEmpty)
    }
}
