import DeviceSimulation
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
