import DeviceSimulation
import Evaluation
import Testing

@testable import BenchmarkHarness

@Suite struct HostReadingTests {
    private func record(_ milliseconds: Double?, _ stages: [String: Double]) -> SampleRecord {
        SampleRecord(
            measurement: "fast",
            repetition: 1,
            position: 0,
            id: "a",
            outcome: .read,
            milliseconds: milliseconds,
            prediction: Prediction(lines: [], stageMilliseconds: stages)
        )
    }

    @Test func whatIsNeitherInferenceNorWaitingIsTheCPUs() throws {
        let stages = ["detectionInference": 5.0, "recognitionInference": 8, "decode": 2, "total": 20]
        let reading = try #require(HostReading(record(21, stages), isTitleRead: true))
        #expect(reading == HostReading(image: 8, detection: 5, recognition: 8))
    }

    @Test func waitingForTheBackEndIsApart() throws {
        let stages = ["reading": 15.0, "detectionInference": 5, "recognitionInference": 8, "enrichment": 40]
        var record = record(60, stages)
        record.prediction?.traffic = Traffic(up: ["text": 100], down: ["control": 20], wireUp: 300, wireDown: 900)
        record.book = BookOutcome(.wrong)
        let reading = try #require(HostReading(record, isTitleRead: true))
        #expect((reading.image, reading.wait) == (7, 40))
        #expect((reading.bytesUp, reading.bytesDown) == (300, 900))
        #expect(!reading.isIdentified && !reading.isReadRemotely)
    }

    @Test func aPictureThatWasSentIsReadRemotely() throws {
        let reading = try #require(HostReading(record(500, ["preparation": 30, "upload": 460]), isTitleRead: false))
        #expect((reading.image, reading.wait, reading.isReadRemotely) == (40, 460, true))
    }

    @Test func stagesThatOverlapLeaveNothingNegative() throws {
        let reading = try #require(HostReading(record(50, ["reading": 45, "upload": 60]), isTitleRead: false))
        #expect(reading.image == 0)
    }

    @Test func aReadingThatFailedIsNone() {
        var failed = record(nil, [:])
        #expect(HostReading(failed, isTitleRead: false) == nil)
        failed.outcome = .timedOut
        #expect(HostReading(failed, isTitleRead: false) == nil)
    }

    @Test func onlyTiersThatReadOneByOneAreSubjects() throws {
        let contents = GoldenRun.contents(try GoldenRun.result())
        let subjects = contents.subjects { _ in (SessionPlan(), nil) }
        #expect(subjects.map(\.name) == ["fast"])
        let fast = try #require(subjects.first)
        #expect((fast.readings.count, fast.timeouts, fast.samples) == (94, 1, 32))
        #expect(fast.memory == 171.3 && fast.plan.memory == 171.3)
        // Of the standard ones: below 500 and 50 ms, and the memory.
        #expect(fast.targets.map(\.source) == ["S0-M08", "S0-T02", "S0-M04"])
        // 27 of 30 volumes in each repetition, and Dune; one volume timed out once, one failed once.
        #expect(fast.readings.count(where: \.isIdentified) == 3 * 28 - 2)
    }
}
