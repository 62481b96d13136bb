import Composition
import Foundation
import Harness
import Testing

@testable import spinebench_tools

@Suite struct DashboardTests {
    private var state: WatchState {
        var state = WatchState(WatchedRun.configuration())
        state.apply(WatchedRun.event(.runStarted, planned: ["fast": 40, "other": 40]))
        for number in 0..<20 { state.apply(WatchedRun.record(number, milliseconds: 120)) }
        return state
    }

    @Test func everythingIsOnIt() {
        let lines = Dashboard(snapshot: WatchedRun.snapshot(state), width: 100, hasColour: false).lines
        let text = lines.joined(separator: "\n")
        // The last of twenty began after 1.9 s and took 0.12: 0.101 s each, and sixty are left.
        #expect(lines[0] == "run  running · 1 min 0 s · about 6.1 s left")
        #expect(lines[1] == "test 1 · spines")
        for piece in [
            "fast                reading   ███████████████░░░░░░░░░░░░░░░ 20/40, 2.0 s left",
            "  P50       120.0 ms    ████",
            "target < 50.0 ms", "  footprint 100.0 MB", "peak 101.0 MB", "other               waiting",
            "critical  fast P95 latency 120ms exceeds target 50ms",
        ] {
            #expect(text.contains(piece), "\(piece)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test(arguments: [1, 10, 40, 80, 200])
    func noLineIsWiderThanTheTerminal(width: Int) {
        let plain = Dashboard(snapshot: WatchedRun.snapshot(state), width: width, hasColour: false).lines
        #expect(plain.allSatisfy { $0.count <= width })
        let coloured = Dashboard(snapshot: WatchedRun.snapshot(state), width: width, hasColour: true).lines
        // Colours take no columns.
        let bare = coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(bare == plain)
        #expect(coloured.joined().contains("\u{1B}[1m"))
    }

    @Test func aRunThatStoppedSaysSo() {
        let snapshot = WatchedRun.snapshot(state, silent: 75, isBeingWritten: false)
        let text = Dashboard(snapshot: snapshot, width: 120, hasColour: false).lines.joined(separator: "\n")
        #expect(
            text.contains(
                "no progress for 1 min 15 s, and no process writes to the folder: the run was stopped or killed"
            )
        )
    }

    @Test func textsOfOthersMoveNoCursor() {
        var snapshot = WatchedRun.snapshot(state)
        snapshot.name = "a\u{1B}[2Jb\nc\u{202E}"
        let lines = Dashboard(snapshot: snapshot, width: 80, hasColour: false).lines
        #expect(lines[0].hasPrefix("a[2Jb c  running"))
    }

    @Test(
        arguments: [
            ([], 8, ""), ([1, 2, 3, 4], 0, ""), ([0, 1, 2, 4, 8], 8, "▁▂▃▅█"), ([8, 0, 8], 2, "▁█"), ([9], 4, "█"),
            ([-1], 4, "▁"),
        ] as [([Double], Int, String)]
    )
    func sparklineHasABlockForEachNumber(values: [Double], width: Int, expected: String) {
        #expect(Sparkline.of(values, bottom: 0, top: 8, width: width) == expected)
    }

    @Test func equalNumbersAreALowLine() { #expect(Sparkline.of([5, 5], bottom: 5, top: 5, width: 9) == "▁▁") }

    @Test func aFrameGoesBackOverTheLastOne() {
        var screen = TerminalScreen()
        var frame = screen.frame(["a", "b", "c"], rows: 3)
        #expect(frame == "\u{1B}[?25la\u{1B}[K\nb\u{1B}[K\n\u{1B}[J")
        frame = screen.frame(["a"], rows: 24)
        #expect(frame == "\u{1B}[?25l\r\u{1B}[2Aa\u{1B}[K\n\u{1B}[J")
        frame = screen.frame([], rows: 24)
        #expect(frame == "\u{1B}[?25l\r\u{1B}[1A\u{1B}[J")
    }

    @Test func aLogTellsWhatIsNew() {
        var (updates, state) = (PlainUpdates(), WatchState(WatchedRun.configuration()))
        let start = Date(timeIntervalSince1970: 1_772_366_400)
        func lines(_ seconds: Double) -> [String] {
            updates.lines(WatchedRun.snapshot(state, after: seconds), now: start.addingTimeInterval(seconds))
        }
        state.apply(WatchedRun.event(.runStarted, planned: ["fast": 40, "other": 0]))
        #expect(lines(0) == ["run: running, 0 of 40 readings"])
        #expect(lines(0.5).isEmpty)
        state.apply(WatchedRun.record(0))
        #expect(lines(1) == ["fast: reading, 1 of 40 readings, 0.8 s left, P50 20.0 ms, P95 20.0 ms, 100.0 MB"])
        state.apply(WatchedRun.record(1))
        #expect(lines(2).isEmpty)
        #expect(lines(6.5).isEmpty)
        state.apply(WatchedRun.record(2))
        #expect(lines(7).count == 1)
        for number in 3..<25 { state.apply(WatchedRun.record(number, milliseconds: 200)) }
        #expect(lines(7.5).contains("fast: critical: fast P95 latency 200ms exceeds target 50ms"))
        #expect(lines(8).isEmpty)
        state.apply(WatchedRun.event(.runFinished))
        #expect(lines(9) == ["run: finished, 25 of 40 readings"])
    }
}
