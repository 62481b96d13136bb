import Evaluation
import Foundation
import SpineDatasets
import Synchronization
import TestSupport
import Testing

@testable import BenchmarkHarness

/// What a run makes of variants that name books and send bytes.
@Suite struct TierResultTests {
    private func row(_ measurement: String, _ metric: Target.Metric, limit: Double? = nil) throws -> ComplianceRow {
        try #require(
            TierRun.result().compliance.first {
                $0.measurement == measurement && $0.target.metric == metric
                    && (limit == nil || $0.target.limit == limit)
            }
        )
    }

    @Test func reportsAreAsTheyWereApproved() throws {
        let files = try RunReports(TierRun.contents()).files()
        for name in ["report.md", "report.csv"] {
            try GoldenFile("tiers.\(name)").expect(String(decoding: try #require(files[name]), as: UTF8.self))
        }
    }

    @Test func thePageHasTheTablesOfTheReport() throws {
        let page = String(decoding: try #require(RunReports(TierRun.contents()).files()["report.html"]), as: UTF8.self)
        for title in ["Milestones", "Books in the catalogue", "What left the device", "right: Volume 9"] {
            #expect(page.contains(title))
        }
    }

    @Test func aScanThatNeverCameSoFarIsLaterThanAllThatDid() throws {
        let milestones = try #require(try TierRun.result().measurements[0].all.milestones)
        // 8 of 120 readings never came: more than the longest twentieth.
        #expect(milestones.enriched?.p95.value == .absent("more than 5 % of the readings never came so far"))
        // The 60th of 120 is the 56th … of those that came: 112 come, four a sample from 62 ms on.
        #expect(milestones.enriched?.p50.value.value == 76)
        #expect(milestones.enrichment?.p50.value.value == 30)
        #expect(milestones.draft?.p95.value.value == 14.8)
        #expect(milestones.completed == Proportion(successes: 112, trials: 120))
        #expect(milestones.queued == 8)
        #expect(milestones.drained == 8 && milestones.waiting == 0)
        #expect(milestones.paths == ["fast, enrich": 120])
        #expect(try row("hybrid", .timeToEnrichedP95).judgement.verdict == .fail)
        #expect(try row("hybrid", .timeToDraftP95).judgement.verdict == .pass)
    }

    @Test func booksAreJudgedOnceBySample() throws {
        let books = try #require(try TierRun.result().measurements[0].all.books)
        #expect(books.identified.proportion == Proportion(successes: 21, trials: 24))
        #expect(books.wrong.proportion == Proportion(successes: 1, trials: 24))
        #expect(books.recallAt5.proportion == Proportion(successes: 22, trials: 24))
        #expect(books.falseMatch.proportion == Proportion(successes: 1, trials: 6))
        #expect(try row("hybrid", .identified).value == .value(0.875))
        #expect(try row("upload", .identified).judgement.verdict == .pass)
    }

    @Test func anExpectedMissIsToldAndDoesNotGate() throws {
        let missed = try row("upload", .timeToEnrichedP95, limit: 500)
        #expect(missed.judgement.verdict == .fail && !missed.gates)
        #expect(ComplianceText(missed).status.hasPrefix("❌ missed, as expected; "))
        #expect(try row("upload", .timeToEnrichedP95, limit: 1_000).judgement.verdict == .pass)
    }

    @Test func timesBehindAShapedNetworkAreModelled() throws {
        #expect(try row("upload", .timeToEnrichedP95).evidence == .modelled)
        #expect(try row("upload", .titleRead).evidence == .measured)
        #expect(try row("hybrid", .timeToTextP95).evidence == .measured)
    }

    @Test func bytesAreCountedOverTheWire() throws {
        let traffic = try #require(try TierRun.result().measurements[0].traffic)
        #expect(traffic.sentPerScan == 450)
        #expect(traffic.sentPerScan(.text) == 60)
        #expect(traffic.receivedPerScan == 760)
        #expect(traffic.silent == 0)
        // 1 − 450 / 91,000
        #expect(MarkdownReport(try TierRun.result()).text.contains("99.51 % than upload"))
    }

    @Test func aVariantOnTheDeviceSendsNothing() throws {
        var record = try #require(TierRun.records.first)
        record.prediction?.traffic = Traffic(wireUp: 0, wireDown: 0)
        let traffic = try #require(TrafficSummary([record]))
        #expect(traffic.silent == 1 && traffic.sentPerScan == 0)
        #expect(
            TrafficSummary([SampleRecord(measurement: "x", repetition: 1, position: 0, id: "x", outcome: .failed)])
                == nil
        )
    }

    @Test func theHarnessStampsMilestonesByItsOwnClock() throws {
        struct Stepwise: SystemUnderTest {
            func process(_ bytes: [UInt8], name: String) throws -> Prediction { Prediction(lines: []) }

            func process(
                _ bytes: [UInt8],
                name: String,
                reached: @escaping @Sendable (Milestone) -> Void
            ) throws -> Prediction {
                reached(.draft)
                reached(.text)
                reached(.draft)
                // What a system says of the time itself does not count.
                var prediction = Prediction(lines: [])
                prediction.milestones = ["enriched": -1]
                return prediction
            }
        }
        guard
            case .result(_, let total, let prediction, _, _) = TimedReading([], name: "x", with: Stepwise())
                .message(sequence: 0)
        else {
            Issue.record("no result")
            return
        }
        let (draft, text) = (prediction.milliseconds(until: .draft), prediction.milliseconds(until: .text))
        #expect(try #require(draft) <= #require(text))
        #expect(try #require(text) <= total)
        #expect(prediction.milliseconds(until: .enriched) == nil)
    }

    @Test func readingsAreJudgedAsTheyAreWrittenDown() throws {
        let folder = try TemporaryFolder()
        let runFolder = try RunFolder.create(folder.path + "/run", TierRun.configuration)
        let recorder = MeasurementRecorder(
            TierRun.configuration.measurements[0],
            in: runFolder,
            records: [],
            total: 2,
            judge: { BookOutcome($0.outcome == .read ? .right : .abstained, rank: 1) },
            progress: { _ in }
        )
        var record = SampleRecord(measurement: "hybrid", repetition: 1, position: 0, id: "v0", outcome: .timedOut)
        try recorder.settle(record)
        (record.id, record.outcome) = ("v1", .notAttempted)
        try recorder.settle(record)
        #expect(runFolder.records().map(\.book?.answer) == [.abstained, nil])
    }

    @Test func comparisonsHaveARowOfBooks() throws {
        let records = Dictionary(grouping: TierRun.records, by: \.measurement)
        func side(_ name: String) -> ReadingSet {
            ReadingSet(name: name, samples: TierRun.samples, records: records[name] ?? [], workers: [])
        }
        let (a, b) = (side("hybrid"), side("upload"))
        #expect(a.entries.count { $0.identified == true } == 21)
        #expect(a.entries.count { $0.identified == nil } == 6)
        let rows = ComparisonRows(a: a, b: b, noise: NoiseFloor(unmeasured: a), tolerances: try .parse("")).overall
        let row = try #require(rows.first { $0.metric == .identified })
        #expect(row.note == "24 samples, 0 lost, 3 gained")
    }
}
