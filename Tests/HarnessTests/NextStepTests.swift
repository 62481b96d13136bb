import Basics
import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// What the terminal says of a reader of one's own, and what to do next: it follows from the reason that is undecided.
@Suite(.tags(.unit)) struct NextStepTests {
    private func result(
        _ names: [String] = ["mine"],
        spines: Int,
        gates: Bool = false,
        targets: [Claim]? = nil,
        repetitions: Int = 1,
        change: (inout SampleRecord, Sample) -> Void = { _, _ in }
    ) throws -> RunResult {
        var run = MadeRun(
            (0..<spines).map { Sample.made("s\($0)", title: "Title") },
            names.map { Variant(name: $0, gates: gates) },
            targets: targets,
            repetitions: repetitions,
            host: .current(),
            change: change
        )
        run.events += names.map { RunEvent(kind: .measured, time: "", measurement: $0) }
        return try run.result()
    }

    private func target(_ metric: Metric, _ comparator: Bound.Comparator, _ limit: Double) -> Claim {
        Claim(source: "suite s", metric: metric, comparator: comparator, limit: limit, isAsked: true)
    }

    private func terminal(_ result: RunResult) -> String {
        RunSummary(result: result, folder: "F", run: "R").text(width: 100) { $0 }
    }

    /// Shares of 10 spines are undecided: 90 repetitions of them decide nothing.
    @Test func tooFewSpinesAskForSpines() throws {
        let targets = [target(.titleRead, .atLeast, 0.9), target(.latencyP95, .below, 500)]
        let few = try result(spines: 10, gates: true, targets: targets)
        #expect(few.exitCode == 3)
        let text = terminal(few)
        // 0.9 / 0.1 · 1.96² is 34.6.
        #expect(text.contains("Next:   add spines, at least 35: more readings"))
        #expect(text.contains("F/report.html#outcome=wrong"))
        #expect(!text.contains("--repetitions"))
        let report = RunDocument(few).markdown
        #expect(report.contains("Next: add spines, at least 35") && report.contains("n = 10 is too small: needs ≥ 35"))
        // 30 spines decide the share, and three readings of each a P95.
        let met = [target(.titleRead, .atLeast, 0.8), targets[1]]
        let more = try result(spines: 30, gates: true, targets: met) { record, _ in
            record.prediction?.lines[0].text = "TITLE"
        }
        #expect(terminal(more).contains("Next:   run again with --repetitions 3, enough for a P95"))
    }

    /// 20 readings at 10 ms and at 18 ms: P50 and their ratio, and nothing of a phone's app.
    @Test func aReaderOfOnesOwnHasItsFigures() throws {
        let both = try result(["slow", "quick"], spines: 20) { record, _ in
            record.milliseconds = record.measurement == "slow" ? 18 : 10
        }
        #expect(both.exitCode == 0 && both.measurements.allSatisfy { $0.invalidReason == nil })
        let speed = try #require(both.speeds?.first)
        #expect(speed.faster == "quick" && speed.slower == "slow" && isNear(speed.ratio.value, 1.8, within: 1e-9))
        let text = terminal(both)
        #expect(text.contains("quick is 1.80 times as fast as slow [1.80, 1.80]: P50 10.0 ms and 18.0 ms."))
        for word in ["latency P50", "10.0 ms [10.0, 10.0]", "title read", "character error rate"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(text.contains("The intervals are over spines alone"))
        for word in ["phone", "tier", "S0-", "do not count", "battery"] { #expect(!text.contains(word), "\(word)") }
        #expect(!RunDocument(both).markdown.contains("## Compliance"))
        // Its own targets, and those that it is to gate on, are shown.
        let asked = try result(spines: 20, targets: [target(.titleRead, .atLeast, 0.9)])
        #expect(terminal(asked).contains("title read ≥ 90 %"))
        let gating = terminal(try result(spines: 20, gates: true))
        #expect(gating.contains("S0-A02") && gating.contains("mine: a reader beside the app's tiers, which gates"))
    }

    /// 11 ms and 10 ms, but 8 ms for every third spine: the interval has 1 in it.
    @Test func aRatioByChanceSaysSo() throws {
        let both = try result(["a", "b"], spines: 20) { record, sample in
            let number = Int(sample.id.dropFirst()) ?? 0
            record.milliseconds = record.measurement == "a" ? [8.0, 11, 14][number % 3] : [14.0, 10, 8][number % 3]
        }
        #expect(terminal(both).contains("which is not beyond chance"))
    }
}
