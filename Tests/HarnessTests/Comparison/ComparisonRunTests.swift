import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Live comparisons of scripted workers that die, hang or cannot start.
@Suite(.tags(.io), .inTurns) struct ComparisonRunTests {
    private func setup(_ behaviour: String, _ samples: [Sample] = spines(6, victim: 2)) throws -> ScriptedRun {
        try ScriptedRun(samples, variants: ["a": "", "b": behaviour])
    }

    /// Outcomes of a side's readings, with their numbers.
    private func outcomes(_ records: [SampleRecord], _ side: String) -> [String: Int] {
        Dictionary(grouping: records.filter { $0.measurement == side }, by: \.outcome.rawValue).mapValues(\.count)
    }

    private func kinds(_ events: [RunEvent], _ side: String) -> [RunEvent.Kind] {
        events.filter { $0.measurement == side && $0.kind != .noise }.map(\.kind)
    }

    @Test func bothSidesReadEverySampleInEachRoundWithProcessesOfTheirOwn() throws {
        let (records, events) = try setup("").compare()
        try #require(records.count == 24)
        #expect(Set(records.map(\.key)).count == 24)
        for side in ["A", "B"] {
            #expect(outcomes(records, side) == ["read": 12])
            #expect(kinds(events, side) == [.ready, .began, .ready, .began])
        }
        // In turns: each side is the first one of half of the pairs.
        #expect(stride(from: 0, to: 24, by: 2).count { records[$0].measurement == "A" } == 6)
    }

    @Test(arguments: [
        ("killed-once", "workerDied", "the worker was killed by SIGKILL (9)"),
        ("hangs-once", "timedOut", "no answer within 30 s, so the worker was killed"),
    ])
    func aLostWorkerCostsItsReadingAndIsReplaced(behaviour: String, outcome: String, problem: String) throws {
        let setup = try setup(behaviour)
        if behaviour == "hangs-once" { setup.whenAWorkerHangs { $0.advance(by: .seconds(30)) } }
        let (records, events) = try setup.compare()
        #expect(outcomes(records, "A") == ["read": 12] && outcomes(records, "B") == ["read": 11, outcome: 1])
        let lost = records.first { $0.outcome != .read }
        #expect(lost?.id == "victim" && lost?.problem == problem)
        #expect(
            kinds(events, "B") == [.ready, .began, .workerLost, .ready, .began] + [
                .ready, .began,
            ]
        )
        #expect(setup.progress.values.contains(.workerLost(measurement: "B", problem: problem)))
    }

    @Test func aSideThatDiesOnEverythingIsGivenUpInEachBlock() throws {
        let (records, events) = try setup("killed", (0..<8).map { Sample.made("victim\($0)") }).compare()
        #expect(outcomes(records, "A") == ["read": 16])
        #expect(outcomes(records, "B") == ["workerDied": 6, "notAttempted": 10])
        #expect(records.first { $0.outcome == .notAttempted }?.problem == "no worker started reading")
        #expect(kinds(events, "B").count { $0 == .workerLost } == 6)
    }

    @Test func aSideThatCannotStartEndsTheComparison() throws {
        #expect(throws: HarnessError.unavailable(variant: "b", reason: "the model is missing: run make setup")) {
            try setup("unavailable").compare()
        }
        #expect(throws: HarnessError.unavailable(variant: "b", reason: "the reader ended before its ready message")) {
            try setup("unready").compare()
        }
        let last =
            "the worker exited with code 127; its last output: error while loading shared libraries: libengine.so"
        #expect(throws: HarnessError.workerNeverReady(variant: "B, b", starts: 3, last: last)) {
            try setup("never-ready").compare()
        }
    }

    @Test func aStoppedComparisonKeepsWhatWasRead() throws {
        let (setup, interruption) = (try setup(""), Interruption())
        #expect(throws: HarnessError.interrupted(signal: 15)) {
            try setup.compare(interruption: interruption) {
                if case .readingDone(_, done: 5, _) = $0 { interruption.stop(signal: 15) }
            }
        }
        let lines = try String(contentsOfFile: setup.path + "/samples.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 5)
    }
}
