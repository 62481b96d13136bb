import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

@Suite(.tags(.unit)) struct HostReadingTests {
    private func record(_ milliseconds: Double?, _ stages: StageTimes, cpu: Double? = nil) -> SampleRecord {
        var prediction = Prediction(lines: [], stages: stages)
        prediction.cpuMilliseconds = cpu
        return SampleRecord(
            measurement: "fast",
            repetition: 1,
            position: 0,
            id: "a",
            outcome: .read,
            milliseconds: milliseconds,
            prediction: prediction
        )
    }

    @Test func whatIsNeitherInferenceNorWaitingIsTheCPUs() throws {
        let stages: StageTimes = [
            .total: 20, .detectionInference.part(of: .total): 5, .recognitionInference.part(of: .total): 8,
            .decode.part(of: .total): 2,
        ]
        let reading = try #require(HostReading(record(21, stages, cpu: 21), isTitleRead: true))
        #expect(reading == HostReading(image: 8, detection: 5, recognition: 8))
    }

    @Test func waitingForTheBackEndIsApart() throws {
        let stages: StageTimes = [.reading: 15, .detectionInference: 5, .recognitionInference: 8, .enrichment: 40]
        var record = record(60, stages, cpu: 200)
        record.prediction?.traffic = Traffic(up: ["text": 100], down: ["control": 20], wireUp: 300, wireDown: 900)
        record.book = BookOutcome(.wrong)
        let reading = try #require(HostReading(record, isTitleRead: true))
        #expect((reading.image, reading.wait) == (7, 40))
        #expect((reading.bytesUp, reading.bytesDown) == (300, 900))
        #expect(!reading.isIdentified && !reading.isReadRemotely)
    }

    @Test func aPictureThatWasSentIsReadRemotely() throws {
        let reading = try #require(HostReading(record(500, [.preparation: 30, .upload: 460]), isTitleRead: false))
        #expect((reading.image, reading.wait, reading.isReadRemotely) == (30, 460, true))
    }

    @Test func timeThatNoStageExplainsIsTheProcessorsOnlyAsFarAsTheyWorked() throws {
        let stages: StageTimes = [.preparation: 30, .upload: 160]
        // 310 ms in no stage, of 500; the process computed for 42 ms, 30 of them in the stage.
        let known = try #require(HostReading(record(500, stages, cpu: 42), isTitleRead: false))
        #expect((known.image, known.wait, known.unaccounted) == (42, 160, 298))
        let unknown = try #require(HostReading(record(500, stages), isTitleRead: false))
        #expect((unknown.image, unknown.wait, unknown.unaccounted) == (30, 160, 310))
        // Several threads work at once; no more than the time that passed is theirs.
        let busy = try #require(HostReading(record(500, stages, cpu: 2_000), isTitleRead: false))
        #expect((busy.image, busy.unaccounted) == (340, 0))
    }

    @Test func sleepingIsWaiting() throws {
        let reading = try #require(
            HostReading(record(60, [.reading: 10, Stage("backOff", .sleep): 50]), isTitleRead: true)
        )
        #expect((reading.image, reading.wait, reading.unaccounted) == (10, 50, 0))
    }

    @Test func workThatWaitingHidesIsStillWork() throws {
        let reading = try #require(HostReading(record(50, [.reading: 45, .upload: 60]), isTitleRead: false))
        #expect((reading.image, reading.wait, reading.unaccounted) == (45, 5, 0))
    }

    @Test func theTextIsThereBeforeTheBackEndsAnswer() {
        var record = record(925, [:])
        #expect(record.millisecondsToText == 925)
        record.prediction?.milestones = ["text": 91]
        #expect(record.millisecondsToText == 91)
        // Due 75 ms before it was begun: 1,000 from when it was due, 925 of them its own.
        record.milliseconds = 1_000
        record.serviceMilliseconds = 925
        #expect(record.millisecondsToText == 166)
    }

    @Test func aReadingThatFailedIsNone() {
        var failed = record(nil, [:])
        #expect(HostReading(failed, isTitleRead: false) == nil)
        failed.outcome = .timedOut
        #expect(HostReading(failed, isTitleRead: false) == nil)
    }

    @Test func aScanThatIsKeptForLaterHasNoAnswer() throws {
        var record = record(200, [.upload: 180])
        #expect(try #require(HostReading(record, isTitleRead: false)).isAnswered)
        record.prediction?.isQueued = true
        #expect(try !#require(HostReading(record, isTitleRead: false)).isAnswered)
    }

    @Test func onlyTiersThatReadOneByOneAreSubjects() throws {
        let contents = GoldenRun.contents(try GoldenRun.result())
        let subjects = contents.subjects { _ in (SessionPlan(), nil) }
        #expect(subjects.map(\.name) == ["fast"])
        let fast = try #require(subjects.first)
        #expect((fast.readings.count, fast.unanswered, fast.samples) == (94, 2, 32))
        #expect(fast.memory == 171.3 && fast.plan.memory == 171.3)
        // Standard requirements: below 500 and 50 ms, and the memory.
        #expect(fast.targets.map(\.source) == ["S0-M08", "S0-T02", "S0-M04"])
        // 27 of 30 volumes in each repetition, and Dune; one volume timed out once, one failed once.
        #expect(fast.readings.count(where: \.isIdentified) == 3 * 28 - 2)
    }
}
