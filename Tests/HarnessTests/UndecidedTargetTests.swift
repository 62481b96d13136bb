import Basics
import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// Targets and assertions that a suite asks for and that a run cannot decide: exit code 3, and a line that says why.
@Suite(.tags(.unit)) struct UndecidedTargetTests {
    private func result(
        _ targets: [Claim],
        samples: [Sample] = (0..<100).map { .made("s\($0)", title: "Title") },
        scenario: Scenario = Scenario(kind: .single),
        change: (inout RunConfiguration, inout [SampleRecord]) -> Void = { _, _ in }
    ) throws -> RunResult {
        var run = MadeRun(
            samples,
            [Variant(name: "mine", gates: true)],
            targets: targets,
            scenario: scenario,
            host: .current()
        ) { record, _ in record.prediction?.lines[0].text = "TITLE" }
        change(&run.configuration, &run.records)
        run.events.append(RunEvent(kind: .measured, time: "", measurement: run.configuration.measurements[0].id))
        return try run.result()
    }

    private func target(_ metric: Metric, category: String? = nil, gates: Bool = true) -> Claim {
        Claim(
            source: "suite s",
            metric: metric,
            category: category,
            comparator: .atLeast,
            limit: 0.5,
            gates: gates,
            isAsked: true
        )
    }

    /// Expects code 3 of run and gate, and the reason in the terminal, the report, JUnit's file and the page.
    private func expectOpen(_ result: RunResult, because reason: String) throws {
        #expect(result.verdict == .inconclusive && result.exitCode == 3 && result.verdict.exitCode == 3)
        let checks = CheckReport(result)
        let open = checks.checks.filter { $0.outcome == .open }.map(\.message)
        #expect(open.contains { $0.contains(reason) }, "\(open)")
        let junit = String(decoding: JUnitXML.bytes(checks), as: UTF8.self)
        #expect(VerdictText(result).sentence.contains(reason), "\(VerdictText(result).sentence)")
        #expect(junit.contains("skipped message=") && junit.contains("failures=\"0\""))
        #expect(RunDocument(result).markdown.contains(reason))
    }

    @Test(arguments: [Metric.titleRead, .characterErrors, .latencyP95, .identified])
    func aCategoryWithoutASampleLeavesItsTargetOpen(_ metric: Metric) throws {
        let reason = "no sample of the category inverted was read"
        try expectOpen(try result([target(metric, category: "inverted")]), because: reason)
        // Another target that is met does not cover it up.
        let both = try result([target(.titleRead), target(metric, category: "inverted")])
        #expect(both.exitCode == 3)
        // A missed one is a miss all the same.
        var missed = target(.titleRead)
        (missed.comparator, missed.limit) = (.atMost, 0.1)
        #expect(try result([missed, target(metric, category: "inverted")]).exitCode == 1)
    }

    /// A limit of the number of samples may leave a category without any.
    @Test func aCategoryThatTheLimitLeavesOutIsOpen() throws {
        let samples = [Sample.made("a", .vertical, title: "Title"), .made("b", .inverted, title: "Title")]
        let limited = try result([target(.titleRead, category: "inverted")], samples: samples) { run, records in
            run.limit = 1
            records.removeLast()
        }
        try expectOpen(limited, because: "no sample of the category inverted was read")
    }

    @Test func aTargetThatNobodyAskedForNeedsNoSample() throws {
        // The scanner's own targets name categories that a dataset need not have.
        var own = target(.titleRead, category: "inverted")
        own.isAsked = nil
        let alone = try result([target(.titleRead), own])
        #expect(alone.verdict == .pass && alone.exitCode == 0)
        // A target that does not gate leaves the rest to decide.
        let informing = try result([target(.titleRead), target(.titleRead, category: "inverted", gates: false)])
        #expect(informing.exitCode == 0)
    }

    @Test func aCategoryOfIllegibleSamplesLeavesItsTargetOpen() throws {
        let samples = (0..<30).map { Sample.made("i\($0)", .inverted, title: "Title", legible: false) }
        let open = try result([target(.titleRead, category: "inverted")], samples: samples)
        try expectOpen(open, because: "no legible sample of the category inverted was read")
        try expectOpen(try result([target(.titleRead)], samples: samples), because: "no legible sample was read")
    }

    /// A reader of spines has no books of shelves, and none of a camera's scans.
    @Test(arguments: [Metric.bookRecall, .oneScan])
    func aFigureThatTheReaderNeverHasLeavesItsTargetOpen(_ metric: Metric) throws {
        try expectOpen(try result([target(metric)]), because: "the measurement has no \(metric.id)")
        // A tier of its own is another reader's.
        var elsewhere = target(metric)
        elsewhere.tier = "shelf"
        #expect(try result([target(.titleRead), elsewhere]).exitCode == 0)
    }

    @Test func aScenarioWithoutTargetsLeavesThemOpen() throws {
        let scenario = Scenario(kind: .server, ratePerSecond: 5, seconds: 1)
        let open = try result([target(.titleRead)], scenario: scenario)
        try expectOpen(open, because: "targets are not judged in the scenario server: use assert")
    }

    @Test func anAssertionOnAnEmptySliceIsOpen() throws {
        var assertion = Claim(metric: .titleRead, comparator: .atLeast, limit: 0.5, gates: false)
        (assertion.category, assertion.gates) = ("inverted", true)
        let open = try result([]) { run, _ in run.assertions = [assertion] }
        #expect(open.verdict == .inconclusive && open.exitCode == 3)
        #expect(open.assertions?.map(\.judgement.note) == ["no sample of the category inverted was read"])
        #expect(VerdictText(open).sentence.contains("Assertions undecided"))
    }

    @Test func aGatingVariantThatWasSkippedLeavesTheRunOpen() throws {
        let open = try result([target(.titleRead)]) { run, _ in run.skipped = ["other": "command not found: ocr"] }
        #expect(open.exitCode == 3)
        #expect(VerdictText(open).sentence.contains("other gates and was skipped: command not found: ocr."))
        #expect(CheckReport(open).checks.contains { $0.suite == "other" && $0.outcome == .open })
        #expect(try result([target(.titleRead)]).exitCode == 0)
    }
}
