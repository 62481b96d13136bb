import Basics
import DeviceSimulation
import Evaluation
import ScanningPolicies
import Testing

@testable import Harness
@testable import Results

@Suite struct ExperimentTests {
    @Test func aQuestionWithoutWhatItNeedsSaysSo() {
        let input = ExperimentInput(
            profiles: [],
            subjects: [],
            measurements: [],
            records: [],
            calibration: DeviceRun.calibration
        )
        for experiment in Experiment.allCases {
            let finding = input.finding(experiment)
            #expect(finding.answer.hasPrefix("Not answered: "))
            #expect(finding.decision == nil || finding.decision == .undecided)
            #expect(finding.question.hasSuffix("?"))
        }
    }
}

@Suite struct ExperimentAnswerTests {
    private static func subject(
        _ name: String,
        tier: String,
        _ variant: ScanStrategy,
        scale: Double
    ) -> AssessmentSubject {
        var plan = SessionPlan()
        plan.gate = .init(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)
        plan.strategy = variant
        plan.link = variant == .onDeviceOnly ? .none : .wifi
        let isSent = variant == .talariaOnly
        let readings = (0..<120).map { number in
            HostReading(
                image: 4 * scale,
                detection: isSent ? 0 : 5 * scale,
                recognition: isSent ? 0 : (8 + Double(number % 10)) * scale,
                wait: variant == .onDeviceOnly ? 0 : 40,
                isReadRemotely: isSent,
                bytesUp: variant == .onDeviceOnly ? 0 : isSent ? 20_000 : 400,
                bytesDown: variant == .onDeviceOnly ? 0 : 600,
                isIdentified: number % 10 != 0
            )
        }
        return AssessmentSubject(
            name: name,
            tier: tier,
            readings: readings,
            memory: 150,
            reader: "small",
            plan: plan
        )
    }

    private static func input() throws -> ExperimentInput {
        ExperimentInput(
            profiles: try [DeviceRun.profile("iPhone SE 2")],
            subjects: [
                subject("fast", tier: "fast", .onDeviceOnly, scale: 1),
                subject("accurate", tier: "accurate", .onDeviceOnly, scale: 3),
                subject("hybrid", tier: "hybrid", .hybrid, scale: 1),
                subject("talaria-only", tier: "talaria-only", .talariaOnly, scale: 1),
            ],
            measurements: [],
            records: [],
            calibration: DeviceRun.calibration,
            gating: GatingQuestionTests.trial(GatingQuestionTests.clips(passing: 9, of: 1))
        )
    }

    /// Questions modelled from readings; the others use a run's own records, and have tests of their own.
    @Test(arguments: [
        Experiment.computeOrRadio, .tenMinutes, .latencyClaims, .gating, .thermalPolicies, .deviceMatrix,
    ])
    func everyQuestionIsAnsweredTheSameWayTwiceAndWithoutANumberThatIsNone(_ experiment: Experiment) throws {
        let finding = try Self.input().finding(experiment)
        #expect(!finding.answer.hasPrefix("Not answered"), "\(finding.answer)")
        #expect(finding.answer.hasSuffix("."))
        #expect(finding.evidence == .modelled)
        let texts = [finding.answer] + finding.tables.flatMap { $0.rows.flatMap(\.self) }
        #expect(!texts.contains { $0.contains("nan") || $0.contains("inf ") })
        #expect(finding.plots.allSatisfy { $0.series.allSatisfy { $0.x.count == $0.y.count && !$0.x.isEmpty } })
        #expect(try Self.input().finding(experiment) == finding)
    }

    /// Computed by hand, with the figures of the made-up device.
    ///
    /// 10 ms of a CPU at 2 W and 20 ms of the engine at 1 W are 0.04 J. Over LTE 75,000 bytes up take 0.1 s at 2 W;
    /// the round trip of 70 ms and a tail of 10 s, shared by 5, take 1 W.
    @Test func aScansEnergyIsThatOfItsParts() throws {
        let profile = try DeviceRun.profile("A")
        let cost = ReadingCost(
            imageSeconds: 0.01,
            inferenceSeconds: 0.02,
            waitSeconds: 1,
            bytesUp: 75_000,
            bytesDown: 0
        )
        let lte = try #require(NetworkProfile.named("lte"))
        let joules = ComputeOrRadioQuestion.joules([cost], profile.values(), profile, lte, sharing: 5)
        #expect(abs(joules - (0.04 + 0.2 + 0.07 + 2)) < 1e-9)
        let local = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02)
        #expect(abs(ComputeOrRadioQuestion.joules([local], profile.values(), profile, lte, sharing: 1) - 0.04) < 1e-12)
    }
}
