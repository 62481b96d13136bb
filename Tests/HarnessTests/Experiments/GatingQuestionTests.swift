import Basics
import DeviceSimulation
import Evaluation
import ScanningPolicies
import Testing

@testable import Harness
@testable import Results

@Suite struct GatingQuestionTests {
    /// Returns clips of a gate that passes a number of every ten frames, in `scenes` scenes of twenty frames of each
    /// sort.
    static func clips(passing hits: Int, of alarms: Int, scenes: Int = 20) -> [GateClip] {
        (0..<scenes).map { scene in
            func frames(_ truth: GateClip.Truth, _ passed: Int) -> [GateClip.Frame] {
                (0..<20).map { GateClip.Frame(truth, isPassed: ($0 * 3 + scene) % 10 < passed) }
            }
            return GateClip(
                kind: "made up",
                scene: "scene \(scene)",
                frames: frames(.none, alarms) + [GateClip.Frame(.part, isPassed: true)] + frames(.spine, hits)
            )
        }
    }

    static func trial(_ clips: [GateClip], milliseconds: Double = 2) -> GatingTrial {
        let time = GateMeasurement.Time(
            host: "Example CPU",
            milliseconds: [milliseconds],
            image: HostCalibration.Timing([10])
        )
        let measurement = GateMeasurement(
            gate: "made up",
            fittedOn: "nothing",
            date: "2026-01-02",
            seed: 1,
            clipsOfEach: 1,
            sources: [],
            clips: clips,
            time: time
        )
        return GatingTrial(measurement: measurement, clips: clips)
    }

    private static func finding(_ trial: GatingTrial?) throws -> Finding {
        let readings = (0..<100).map { HostReading(image: 4, detection: 5, recognition: 8 + Double($0 % 10)) }
        let assessed = AssessmentSubject(name: "fast", tier: "fast", readings: readings, reader: "small")
        let input = ExperimentInput(
            profiles: [try DeviceRun.profile("A")],
            subjects: [assessed],
            measurements: [],
            records: [],
            calibration: DeviceRun.calibration,
            gating: trial
        )
        return GatingQuestion(input: input).finding
    }

    private static let example = SessionPlan.GateRates(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)

    /// 1 − (p · 0.98 + (1 − p) · 0.05) = 0.95 − 0.93 · p: 80 % at p = 0.15 / 0.93, 60 % at p = 0.35 / 0.93.
    @Test func theFormulaIsSolvedForTheShare() throws {
        let range = try #require(GatingQuestion.shares(saving: 0.6...0.8, gate: Self.example))
        #expect(abs(range.lowerBound - 0.1613) < 5e-5 && abs(range.upperBound - 0.3763) < 5e-5)
        #expect(abs(GatingQuestion.saved(share: 0.4, gate: Self.example) - 0.578) < 1e-12)
    }

    @Test func aGateThatTellsNothingApartSavesNoMoreForFewerSpines() {
        let blind = SessionPlan.GateRates(truePositive: 0.3, falsePositive: 0.3, seconds: 0)
        #expect(GatingQuestion.shares(saving: 0.6...0.8, gate: blind) == nil)
        #expect(abs(GatingQuestion.saved(share: 0.1, gate: blind) - 0.7) < 1e-12)
    }

    /// Nine of ten and one of ten: 0.9 − 0.8 · p saved, 80 % at 12.5 % and 60 % at 37.5 %; of steps of five 15 to 35
    /// % fit.
    @Test func aGateThatTellsSpinesMeetsTheClaimAtSomeShares() throws {
        let finding = try Self.finding(Self.trial(Self.clips(passing: 9, of: 1)))
        let verdict = "Only when 15 to 35 % of the frames have a spine (12 to 38 % by the measured rates)"
        #expect(finding.answer.hasPrefix(verdict))
        #expect(finding.answer.contains("kept 10.0 % of the frames with a spine back, and 0 of 20 spines altogether"))
        #expect(finding.answer.contains("passes 90.0 %") && finding.answer.contains("of 400 frames of 20 scenes"))
        let row = try #require(finding.tables.first?.rows.first { $0[0] == "20 %" })
        // 360 of 400 frames with a spine pass, and 160 of 1,600 without.
        #expect(row[1] == "74.0 %" && row[5] == "10.0 %" && row[6] == "0 of 20")
    }

    /// All frames with a spine and half of the others: 0.5 − 0.5 · p at most is saved.
    @Test func aGateWithManyFalseAlarmsDoesNot() throws {
        let finding = try Self.finding(Self.trial(Self.clips(passing: 10, of: 5)))
        #expect(finding.answer.hasPrefix("No: whatever share of the frames has a spine, it keeps 2.4 % to 47.5 %"))
    }

    @Test func aBlindGateSavesAllAndMissesAll() throws {
        let finding = try Self.finding(Self.trial(Self.clips(passing: 0, of: 0)))
        #expect(finding.answer.hasPrefix("No: the gate does not tell frames with a spine from those without"))
        #expect(finding.answer.contains("kept 100.0 % of the frames with a spine back, and 20 of 20 spines altogether"))
        let rows = try #require(finding.tables.first?.rows)
        #expect(rows.count == 19)
        for row in rows { #expect([row[1], row[3], row[5], row[6]] == ["100.0 %", "100.0 %", "100.0 %", "20 of 20"]) }
    }

    /// The gate saves 70 %, as claimed, and is random.
    @Test func aGateThatIsACoinIsNoAnswerToTheClaim() throws {
        let finding = try Self.finding(Self.trial(Self.clips(passing: 3, of: 3)))
        #expect(finding.answer.hasPrefix("No: the gate does not tell"))
    }

    /// Twice as slow as a frame: 20 ms · 9.48 / 10 on an A15, and twice that at half the speed.
    @Test(arguments: [(2.0, true), (20.0, false)])
    func theBudgetOfAFrameIsJudged(milliseconds: Double, isKept: Bool) throws {
        let finding = try Self.finding(Self.trial(Self.clips(passing: 9, of: 1), milliseconds: milliseconds))
        #expect(finding.answer.contains("within 16.7 ms") == isKept)
        #expect(finding.answer.contains("16.7 ms are not kept everywhere") != isKept)
    }

    @Test func withoutTheGateThereIsNoAnswer() throws {
        #expect(try Self.finding(nil).answer.hasPrefix("Not answered: "))
        let noSpine = GateClip(kind: "k", scene: "s", frames: [.init(.none, isPassed: false)])
        #expect(try Self.finding(Self.trial([noSpine])).answer.hasPrefix("Not answered: "))
    }

    /// Two spines of three frames, half of all frames with one, and a reader that takes one and a half frames' time.
    @Test func aSequenceIsReadFrameByFrame() throws {
        let frames: [(GateClip.Truth, Bool)] = [
            (.spine, false), (.spine, false), (.spine, false), (.none, true), (.none, false), (.part, true),
            (.none, false),
        ]
        let others: [(GateClip.Truth, Bool)] = [(.spine, true), (.spine, true), (.spine, true)]
        let clips = [frames, others].enumerated().map { number, frames in
            GateClip(kind: "k", scene: "\(number)", frames: frames.map { .init($0.0, isPassed: $0.1) })
        }
        let trial = Self.trial(clips)
        let sequence = try #require(trial.sequence(share: 0.5, gateSeconds: 0, readingSeconds: 0.05))
        // Missed, missed, missed, alarm, –, –, passed, passed, passed, alarm, –, –.
        #expect(sequence.frames == 12 && sequence.withSpine == 6)
        #expect(sequence.passed == 5 && sequence.missed == 3)
        #expect(sequence.spines == 2 && sequence.missedSpines == 1)
        // Frames 4, 7 and 9 are read with the gate; 8 and 10 arrive while it reads. Every other frame is read without
        // it.
        #expect(sequence.readings == 3 && sequence.ungatedReadings == 6)
        #expect(sequence.unreadSpines == 1 && sequence.ungatedUnreadSpines == 0)
    }
}
