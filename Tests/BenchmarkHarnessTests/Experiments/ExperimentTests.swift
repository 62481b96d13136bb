import DeviceSimulation
import Evaluation
import ScanningPolicies
import Testing

@testable import BenchmarkHarness

@Suite struct ExperimentTests {
    /// 1 − (p · 0.98 + (1 − p) · 0.05) = 0.95 − 0.93 · p: 80 % at p = 0.15 / 0.93, 60 % at p = 0.35 / 0.93.
    @Test func gatingSavesSixtyToEightyPercentOnlyForSharesBetween16And38() throws {
        let range = try #require(GatingQuestion.shares(saving: 0.6...0.8, gate: .init()))
        #expect(abs(range.lowerBound - 0.1613) < 5e-5 && abs(range.upperBound - 0.3763) < 5e-5)
        #expect(abs(GatingQuestion.saved(share: 0.4, gate: .init()) - 0.578) < 1e-12)
    }

    @Test func aGateThatTellsNothingApartSavesNoMoreForFewerSpines() {
        let blind = SessionPlan.GateRates(truePositive: 0.3, falsePositive: 0.3, seconds: 0)
        #expect(GatingQuestion.shares(saving: 0.6...0.8, gate: blind) == nil)
        #expect(abs(GatingQuestion.saved(share: 0.1, gate: blind) - 0.7) < 1e-12)
    }

    /// K-4: 108, 108, 90 and 3.6 % by the formula.
    @Test(arguments: zip(ModelTarget.neuroGuide, [108.0, 108, 90, 3.6]))
    func theSeedFormulaContradictsItsTargets(_ model: ModelTarget, _ percent: Double) {
        #expect(abs(FourModelsQuestion.seedPercent(model, .high) - percent) < 1e-9)
    }

    /// 20 · 0.03 + 10 · 0.06 + 5 · 0.1 + 0.2 · 0.1 = 1.72.
    @Test func theFourModelsNeedMoreThanOneNeuralEngine() {
        let duty = ModelTarget.neuroGuide.reduce(0) { $0 + FourModelsQuestion.duty($1, at: .high) }
        #expect(abs(duty - 1.72) < 1e-12)
    }

    private static let accurate = [ReadingCost(imageSeconds: 0.02, inferenceSeconds: 0.1)]
    private static let fast = [ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02)]

    private static func course(_ name: String) throws -> LadderQuestion.Course {
        let fault = try #require(LadderQuestion.Fault.all.first { $0.name == name })
        let target = try #require(ModelTarget.named("accurate"))
        return LadderQuestion.course(fault, accurate: accurate, fast: fast, target: target)
    }

    /// S3-23, S3-24 and K-26: above 2 times critical, above 1.5 a warning, above 1 a note.
    @Test(arguments: [
        ("P95 at 1.4 times its target", PerformanceAlert.Severity.info, ReadingQuality.high),
        ("P95 at 1.6 times its target", .warning, .high), ("P95 at 2.1 times its target", .critical, .medium),
    ])
    func aSlowDeviceGetsTheAlertOfItsSlowness(
        _ name: String,
        _ severity: PerformanceAlert.Severity,
        _ lowest: ReadingQuality
    ) throws {
        let course = try Self.course(name)
        #expect(course.severity.map { $0 >= severity } == true)
        #expect(course.lowest.map { $0 <= lowest } == true)
    }

    @Test(arguments: ["thermal state critical", "memory warning"])
    func heatAndMissingMemoryUnloadAtOnce(_ name: String) throws {
        let course = try Self.course(name)
        #expect(course.lowest == nil && course.helpedAfter == 0)
        #expect(course.recoveredAfter != nil)
    }

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
            #expect(finding.question.hasSuffix("?"))
        }
    }
}

@Suite struct ExperimentAnswerTests {
    private static func subject(
        _ name: String,
        tier: String,
        _ variant: ScanVariant,
        scale: Double
    ) -> ExperimentInput.Subject {
        var plan = SessionPlan()
        plan.variant = variant
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
        let assessed = AssessmentSubject(
            name: name,
            tier: tier,
            readings: readings,
            memory: 150,
            reader: "small",
            plan: plan
        )
        return ExperimentInput.Subject(assessed, network: nil)
    }

    private static func input() throws -> ExperimentInput {
        ExperimentInput(
            profiles: try [DeviceRun.profile("iPhone 15 Pro"), DeviceRun.profile("iPhone SE 2")],
            subjects: [
                subject("fast", tier: "fast", .onDeviceOnly, scale: 1),
                subject("accurate", tier: "accurate", .onDeviceOnly, scale: 3),
                subject("hybrid", tier: "hybrid", .hybrid, scale: 1),
                subject("talaria-only", tier: "talaria-only", .talariaOnly, scale: 1),
            ],
            measurements: [],
            records: [],
            calibration: DeviceRun.calibration
        )
    }

    /// E-14 is of cold starts, which this run has none of; E-08 and the others are of sessions.
    @Test(arguments: Experiment.allCases.filter { $0 != .coldStart })
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

    /// By hand, with the figures of the made-up device.
    ///
    /// 10 ms of a CPU at 2 W and 20 ms of the engine at 1 W are 0.04 J. Over LTE 75,000 bytes up take 0.1 s at 2 W; the round
    /// trip of 70 ms and a tail of 10 s, shared by 5, take 1 W.
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
