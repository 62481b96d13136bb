import Basics
import Foundation
import SpineDatasets
import Statistics
import Synchronization
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

/// Results of a run for variants that name books and send bytes.
@Suite(.tags(.unit)) struct TierResultTests {
    @Test func whatIsModelledNeverGates() throws {
        let rows = try TierRun.result().compliance
        let modelled = rows.filter { $0.evidence == .modelled }
        #expect(!modelled.isEmpty && modelled.allSatisfy { !$0.gates })
        #expect(rows.contains { $0.gates && $0.measurement == "upload" && $0.evidence == .measured })
    }

    private func row(_ measurement: String, _ metric: Metric, limit: Double? = nil) throws -> Answer {
        try #require(
            TierRun.result().compliance.first {
                $0.measurement == measurement && $0.claim.metric == metric
                    && (limit == nil || $0.claim.limit == limit)
            }
        )
    }

    @Test func reportsAreAsTheyWereApproved() throws {
        let files = try RunReports(TierRun.contents()).files()
        for name in ["report.md", "figures.csv"] {
            try GoldenFile("tiers.\(name)").expect(String(decoding: try #require(files[name]), as: UTF8.self))
        }
    }

    @Test func thePageHasTheTablesOfTheReport() throws {
        let page = String(decoding: try #require(RunReports(TierRun.contents()).files()["report.html"]), as: UTF8.self)
        for title in [
            "Milestones", "Catalogues", "fnv1a64:00", "Books in the catalogue", "What left the device",
            "right: Volume 9",
        ] {
            #expect(page.contains(title))
        }
    }

    @Test func aScanThatNeverCameSoFarIsLaterThanAllThatDid() throws {
        let hybrid = try TierRun.result().measurements[0]
        let milestones = hybrid.all
        // 8 of 120 readings never came: more than the longest twentieth.
        #expect(
            milestones.times["timeToEnriched"]?.p95.value == .absent("more than 5 % of the readings never got that far")
        )
        // The 60th of 120 is the 56th … of those that came: 112 come, four a sample from 62 ms on.
        #expect(milestones.times["timeToEnriched"]?.p50.value.value == 76)
        #expect(milestones.times["enrichment"]?.p50.value.value == 30)
        #expect(milestones.times["timeToDraft"]?.p95.value.value == 14.8)
        #expect(milestones.values[.completed] == Value(.value(112.0 / 120), count: 112, total: 120))
        #expect(milestones.values[.queued]?.value == .value(8))
        #expect(milestones.values[.drained]?.value == .value(8) && milestones.values[.waiting]?.value == .value(0))
        #expect(milestones.counts[.paths] == ["fast, enrich": 120])
        #expect(try row("hybrid", .timeToEnrichedP95).judgement.verdict == .fail)
        #expect(try row("hybrid", .timeToDraftP95).judgement.verdict == .pass)
    }

    @Test func booksAreJudgedOnceBySample() throws {
        let books = try TierRun.result().measurements[0].all
        #expect(books.rate(.identified).proportion == Proportion(successes: 21, trials: 24))
        #expect(books.rate(.wrongBook).proportion == Proportion(successes: 1, trials: 24))
        #expect(books.rate(.recallAt5).proportion == Proportion(successes: 22, trials: 24))
        #expect(books.rate(.falseMatch).proportion == Proportion(successes: 1, trials: 6))
        #expect(books.rate(.openDraft).proportion == Proportion(successes: 1, trials: 6))
        #expect(try row("hybrid", .identified).value == .value(0.875))
        #expect(try row("upload", .identified).judgement.verdict == .pass)
    }

    @Test func anExpectedMissIsToldAndDoesNotGate() throws {
        // These limits are for phones; here they decide nothing.
        let here = try row("upload", .timeToEnrichedP95, limit: 500)
        #expect(here.judgement.verdict == .inconclusive && !here.gates)
        let result = try TierRun.result()
        let upload = try #require(result.measurements.first { $0.id == "upload" })
        var phone = result.host
        phone.isPhone = true
        let rows = Judge(measurements: [upload], host: phone).compliance(with: result.configuration.targets)
            .filter { $0.metric == .timeToEnrichedP95 }
        let missed = try #require(rows.first { $0.claim.limit == 500 })
        #expect(missed.judgement.verdict == .fail && !missed.gates)
        #expect(AnswerText(missed).status.hasPrefix("missed, as expected; "))
        #expect(rows.first { $0.claim.limit == 1_000 }?.judgement.verdict == .pass)
    }

    @Test func timesBehindAShapedNetworkAreModelled() throws {
        #expect(try row("upload", .timeToEnrichedP95).evidence == .modelled)
        #expect(try row("upload", .titleRead).evidence == .measured)
        #expect(try row("hybrid", .timeToTextP95).evidence == .measured)
    }

    @Test func bytesAreCountedOverTheWire() throws {
        let traffic = try #require(try TierRun.result().measurements[0].traffic)
        #expect(traffic.sentPerScan == 450)
        #expect(traffic.sentPerScan("text") == 60)
        #expect(traffic.receivedPerScan == 760)
        #expect(traffic.silent == 0)
        // 1 − 450 / 91,000
        #expect(RunDocument(try TierRun.result()).markdown.contains("99.51 % than upload"))
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

    /// Returns the result of `upload` with traffic or lines.
    private func result(_ change: (inout SampleRecord) -> Void) throws -> RunResult {
        let records = TierRun.records.map { record in
            var record = record
            if record.measurement == "upload" { change(&record) }
            return record
        }
        let target = Claim(source: "test", metric: .bytesSent, tier: "upload", comparator: .atMost, limit: 0)
        return try TierRun.result(TierRun.configuration.targets + [target], records)
    }

    private func bytesSent(_ traffic: Traffic?) throws -> Answer {
        let result = try result { $0.prediction?.traffic = traffic }
        return try #require(
            result.compliance.first { $0.measurement == "upload" && $0.claim.metric == .bytesSent }
        )
    }

    @Test func aZeroThatNobodyCountedIsNone() throws {
        let claimed = try bytesSent(nil)
        #expect(claimed.value == .absent("sent bytes were not counted") && claimed.evidence == .claimed)
        #expect(claimed.judgement.verdict == .inconclusive && claimed.gates)
    }

    @Test func aZeroThatTheKernelSawToIsMeasured() throws {
        let counted = try bytesSent(Traffic(refusedSockets: 0))
        #expect(counted.value == .value(0) && counted.evidence == .measured)
        #expect(counted.judgement.verdict == .pass)
    }

    @Test func whoAsksForANetworkSocketDoesNotStayOnTheDevice() throws {
        let refused = try bytesSent(Traffic(refusedSockets: 3))
        #expect(refused.value == .absent("blocked from the network") && refused.judgement.verdict == .fail)
        #expect(refused.judgement.note.contains("3 network sockets"))
    }

    @Test func whatIsNotKnownToHaveBeenReadIsNotScored() throws {
        let problem = "the back end does not report the text that it read"
        let some = try result { record in
            if ["v0", "v1", "v2"].contains(record.id) { record.prediction?.linesProblem = problem }
        }
        let upload = try #require(some.measurements.first { $0.id == "upload" })
        // All 30 are read; three of them are not known to be.
        #expect(upload.all.rate(.titleRead).proportion == Proportion(successes: 27, trials: 27))
        #expect(upload.all.rate(.readInTime).trials == 27 && upload.all.scored == 27)
        #expect(upload.all.counts[.notScored] == [problem: 3])
        // The identity of the book is tested separately.
        #expect(upload.all.rate(.identified).proportion == Proportion(successes: 24, trials: 24))
        #expect(RunDocument(some).markdown.contains("Not scored for text: 3 spines, as \(problem)."))

        let none = try result { $0.prediction?.linesProblem = problem }
        let row = try #require(
            none.compliance.first { $0.measurement == "upload" && $0.claim.metric == .titleRead }
        )
        #expect(row.value == .absent(problem) && row.judgement.verdict == .inconclusive)
        #expect(!none.measurements.contains { $0.id == "upload" && $0.all.values[.characterErrors]?.total != 0 })
    }

    @Test func aComparisonLeavesOutWhatIsNotKnownToHaveBeenRead() throws {
        let records = TierRun.records.filter { $0.measurement == "upload" }.map { record in
            var record = record
            if record.id == "v0" { record.prediction?.linesProblem = "not said" }
            return record
        }
        let side = ReadingSet(name: "upload", samples: TierRun.samples, records: records)
        #expect(side.entries.count { $0.title == nil } == 1 && side.entries.count { $0.title == true } == 29)
        #expect(side.entries[0].text == nil && side.entries[0].characters.referenceLength == 0)
        #expect(side.entries[0].outcomes[.identified] == true)
    }

    @Test func aTitleIsInTimeByWhenItsTextWasThere() throws {
        let sample = TierRun.samples[0]
        func outcome(text: Double?, of whole: Double) -> Bool? {
            var prediction = Prediction(lines: [.init(text: "Volume 0")])
            prediction.milestones = text.map { ["text": $0] }
            let record = SampleRecord(
                measurement: "x",
                repetition: 1,
                position: 0,
                id: sample.id,
                outcome: .read,
                milliseconds: whole,
                prediction: prediction
            )
            let side = ReadingSet(name: "x", samples: [sample], records: [record])
            return side.entries.first?.outcomes[.readInTime]
        }
        // The book follows the text, in a comparison as in a run.
        #expect(outcome(text: 400, of: 700) == true)
        #expect(outcome(text: 501, of: 700) == false)
        #expect(outcome(text: nil, of: 700) == false && outcome(text: nil, of: 500) == true)
    }

    @Test func whatGoesWrongWithStreamsIsInTheReport() throws {
        let result = try result { record in
            record.prediction?.reconnects = record.id == "v3" ? 1 : 0
            record.prediction?.malformedEvents = record.id == "v4" ? 2 : 0
        }
        let upload = try #require(result.measurements.first { $0.id == "upload" }?.all)
        // Value of each of four repetitions.
        #expect(upload.counts[.streams] == ["reconnects": 4, "malformedEvents": 8])
        #expect(
            RunDocument(result).markdown.contains("were interrupted 4 times, and 8 events could not be read")
        )
        #expect(try TierRun.result().measurements[1].all.counts[.streams] == nil)
    }

    @Test func whatComesAfterAnAnswerIsInNoLatency() throws {
        final class Draining: SystemUnderTest {
            let isConcluded = Mutex(false)
            func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) -> Prediction {
                Prediction(lines: [])
            }
            func conclude(_ prediction: inout Prediction) {
                isConcluded.withLock { $0 = true }
                prediction.drained = 1
            }
        }
        let system = Draining()
        let reading = TimedReading([], name: "x", with: system)
        #expect(!system.isConcluded.withLock { $0 })
        guard
            // A stream's readings overlap: nothing is concluded between them.
            case .result(_, let before, let overlapping, _, _) = reading.message(sequence: 0, streamStart: .now),
            case .result(_, let after, let prediction, _, _) = reading.message(sequence: 0, concludedBy: system, .own)
        else {
            Issue.record("no result")
            return
        }
        #expect(system.isConcluded.withLock { $0 } && prediction.drained == 1 && overlapping.drained == nil)
        #expect(before == after)
        #expect(try #require(prediction.cpuMilliseconds) >= 0 && #require(prediction.concludedMilliseconds) >= 0)
        #expect(overlapping.cpuMilliseconds == nil)
    }

    @Test func workIsCountedUpToTheAnswer() throws {
        struct Counting: SystemUnderTest {
            var ownCount: Int?
            func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) -> Prediction {
                _ = concurrentMap(4) { _ in WorkMeter.count(.rowsRead, 2) }
                var prediction = Prediction(lines: [])
                prediction.work = ownCount.map { WorkCounts([.init(.rowsRead): $0]) }
                return prediction
            }
            func conclude(_ prediction: inout Prediction) { WorkMeter.count(.rowsRead, 1) }
        }
        // Its own counts, where a system states them.
        for (own, expected) in [(nil, 8), (3, 3)] as [(Int?, Double)] {
            let system = Counting(ownCount: own)
            let reading = TimedReading([], name: "x", with: system)
            guard case .result(_, _, let prediction, _, _) = reading.message(sequence: 0, concludedBy: system, .own)
            else {
                Issue.record("no result")
                return
            }
            #expect(prediction.work?[.rowsRead] == expected)
        }
    }

    @Test func theHarnessStampsMilestonesByItsOwnClock() throws {
        struct Stepwise: SystemUnderTest {
            func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
                reached(.draft)
                reached(.text)
                reached(.draft)
                // The system's own time does not count.
                var prediction = Prediction(lines: [])
                prediction.milestones = ["enriched": -1]
                return prediction
            }
        }
        guard
            case .result(_, let total, let prediction, _, _) = TimedReading([], name: "x", with: Stepwise())
                .message(sequence: 0, concludedBy: Stepwise(), .own)
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
        let judge = BookScorer { _, _, prediction in BookOutcome(prediction == nil ? .abstained : .right, rank: 1) }
        let recorder = RunRecorder(
            "hybrid",
            RunSetup(datasets: [], folder: runFolder, judge: judge),
            total: 2
        )
        let measurement = TierRun.configuration.measurements[0]
        var record = SampleRecord(measurement: "hybrid", repetition: 1, position: 0, id: "v0", outcome: .timedOut)
        try recorder.settle(record, of: measurement.variant, Sample.made("v0"))
        (record.id, record.outcome) = ("v1", .notAttempted)
        try recorder.settle(record, of: measurement.variant, Sample.made("v1"))
        #expect(runFolder.records().map(\.book?.answer) == [.abstained, nil])
    }

    @Test func comparisonsHaveARowOfBooks() throws {
        let records = Dictionary(grouping: TierRun.records, by: \.measurement)
        func side(_ name: String) -> ReadingSet {
            ReadingSet(name: name, samples: TierRun.samples, records: records[name] ?? [])
        }
        let (a, b) = (side("hybrid"), side("upload"))
        #expect(a.entries.count { $0.outcomes[.identified] == true } == 21)
        #expect(a.entries.count { $0.outcomes[.identified] == nil } == 6)
        let rows = SidePair(a, b, noise: NoiseFloor(unmeasured: a), tolerances: try .parse("")).overall
        let row = try #require(rows.first { $0.metric == .identified })
        #expect(row.note == "24 samples, 0 lost, 3 gained")
    }
}
