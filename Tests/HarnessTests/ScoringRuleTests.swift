import Basics
import Evaluation
import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

/// A changed rule of scoring is not a changed reader.
@Suite(.tags(.unit)) struct ScoringRuleTests {
    private static let samples = (0..<40).map { Sample.made("s\($0)", title: "Conservation of Rivers") }
    private static let dataset = Dataset.made(samples)

    /// Scores as the first rule gave them, which did not find the last word.
    private static func old(_ score: SampleScore) -> SampleScore {
        var score = score
        (score.rule, score.title.found) = (nil, 2)
        return score
    }

    private static func record(_ sample: Sample, _ text: String = "CON SERVATION OF RIVERS") -> SampleRecord {
        var record = SampleRecord.made("fast", sample.id, text, milliseconds: 10)
        record.score = SampleScore(text, against: sample)
        return record
    }

    private static func run(
        _ name: String,
        unread: Int = 0,
        change: (inout SampleRecord) -> Void = { _ in }
    ) throws
        -> RunContents
    {
        var run = MadeRun(samples)
        run.records = samples.enumerated().map { index, sample in
            var record = index < unread ? record(sample, "?") : record(sample)
            change(&record)
            return record
        }
        return try run.contents(name)
    }

    /// A baseline of a run as the first rule scored it: no title was read.
    private static func firstBaseline() throws -> Baseline {
        var baseline = try Baseline(name: "rivers", runs: [run("old")])
        baseline.measurements[0].readings.scoringRule = 1
        for index in samples.indices { baseline.measurements[0].readings.entries[index].outcomes[.titleRead] = false }
        return baseline
    }

    @Test func aRecordOfAnotherRuleIsScoredAgainWhereItsTextIsKnown() throws {
        var record = Self.record(Self.samples[0])
        let own = try #require(record.score)
        #expect(own.rule == ScoringRule.current && own.title.isRead == true)
        record.score = Self.old(own)
        #expect(record.score(against: Self.samples[0]) == own)
        // A score of the present rule stays, as does one whose text is not kept.
        var changed = own
        changed.title.found = 1
        record.score = changed
        #expect(record.score(against: Self.samples[0]) == changed)
        (record.score, record.prediction) = (Self.old(own), nil)
        #expect(record.score(against: Self.samples[0]) == Self.old(own))
        // A reading that failed has read nothing.
        (record.outcome, record.problem) = (.failed, "no answer")
        #expect(record.score(against: Self.samples[0])?.title.found == 0)
    }

    @Test func aLineOfAnEarlierVersionHasTheFirstRule() throws {
        let line = try JSONLine.encode(Self.record(Self.samples[0]))
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains("\"rule\":2"))
        let earlier = text.replacing("\"rule\":2,", with: "").replacing("\"found\":3", with: "\"found\":2")
        let record = try #require(SampleRecord.decoded(earlier.utf8))
        #expect(record.score?.rule == nil && record.score?.title.found == 2)
        #expect(record.score(against: Self.samples[0])?.title.found == 3)
    }

    @Test func aRunOfAnotherRuleHasTheFiguresOfThePresentOne() throws {
        let old = try Self.run("old") { $0.score = $0.score.map(Self.old) }
        let now = try Self.run("now")
        #expect(old.result.measurements == now.result.measurements)
        let report = try ComparisonReport([old, now], tool: "test", tolerances: .standard)
        #expect(report.comparisons.allSatisfy { $0.flips.isEmpty && $0.regressions.isEmpty })
    }

    @Test func anotherRuleIsADifferenceOfConfigurations() throws {
        var configuration = try Self.run("now").result.configuration
        let digest = try configuration.digest
        #expect(configuration.scoringRule == ScoringRule.current)
        configuration.scoringRule = nil
        #expect(try configuration.digest != digest)
        #expect(
            try configuration.differences(from: Self.run("now").result.configuration) == ["scoringRule was 2, now 1"]
        )
        #expect(RunDocument(try Self.run("now").result).markdown.contains("| Scoring | rule 2 |"))
    }

    @Test("a planted moved ruler is named by the gate")
    func movedRuler() throws {
        let run = try Self.run("now")
        let same = try GateResult(
            run,
            baselines: [Baseline(name: "rivers", runs: [run])],
            usesTargets: false,
            tolerances: .standard,
            tool: "test"
        )
        #expect(same.verdict == .pass)
        let moved = try GateResult(run, baselines: [Self.firstBaseline()], usesTargets: false, tool: "test")
        #expect(moved.verdict == .inconclusive && moved.verdict.exitCode == 3)
        #expect(moved.checks.sentence.contains("title read (A was scored by rule 1, B by rule 2: not comparable)"))
        let comparison = try #require(moved.comparison)
        #expect(comparison.comparisons[0].flips.isEmpty)
        #expect(comparison.comparisons[0].rows.allSatisfy { $0.status != .better && $0.status != .worse })
        #expect(comparison.notes.contains { $0.contains("the ruler changed") && $0.contains("baseline update RUN") })
        // What no rule decides is judged as before.
        var worse = try Self.firstBaseline()
        for index in Self.samples.indices {
            let length = worse.measurements[0].readings.entries[index].characters.referenceLength
            worse.measurements[0].readings.entries[index].characters = EditCounts(referenceLength: length)
        }
        let lost = try Self.run("lost", unread: 40)
        #expect(try GateResult(lost, baselines: [worse], usesTargets: false, tool: "test").verdict != .pass)
    }

    @Test func titlesOnPhotosAreFoundAgain() throws {
        let outline = Quad(left: 0, top: 0, right: 10, bottom: 100)
        let other = Quad(left: 20, top: 0, right: 30, bottom: 100)
        let shelf = Shelf(
            id: "photo",
            image: "photo.jpg",
            books: [
                ShelfBook(title: "Conservation of Rivers", quad: outline), ShelfBook(title: "Emma", quad: other),
            ]
        )
        var record = SampleRecord(measurement: "shelf", repetition: 1, position: 0, id: "photo")
        record.prediction = Prediction(lines: [])
        record.prediction?.spines = [
            .init(row: 0, index: 0, outline: outline, text: "CON SERVATION OF RIVERS"),
            .init(row: 0, index: 1, outline: other, text: "EMMA"),
        ]
        record.shelf = ShelfScore(
            books: [outline, other],
            spines: [outline, other],
            isNamed: { _ in false },
            isRight: { _, _ in false }
        )
        #expect(record.shelf(against: Sample(shelf))?.books.map(\.isRead) == [false, false])
        record.shelf?.rule = nil
        #expect(record.shelf(against: Sample(shelf))?.books.map(\.isRead) == [true, true])
    }
}
