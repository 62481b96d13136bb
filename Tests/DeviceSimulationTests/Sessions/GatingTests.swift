import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct GatingTests {
    /// The share of examined frames that the gate keeps from the reader, over 300 spines.
    private func saved(_ share: Double) throws -> Double {
        var plan = SessionPlan()
        plan.user = UserScript(spineShare: share)
        plan.user.spread = .fixed
        plan.seconds = 300 * 2 / share
        plan.idleLimit = nil
        let cost = ReadingCost(imageSeconds: 0.001, inferenceSeconds: 0.001)
        let outcome = try SessionSimulator(plan: plan, values: .plain(), costs: [cost]).run(seed: 11, pointsEvery: nil)
        #expect(outcome.dropped == 0)
        return 1 - Double(outcome.counts.read) / Double(outcome.counts.examined)
    }

    /// E-07's formula: 1 − (p·TPR + (1 − p)·FPR), at a true positive rate of 0.98 and a false one of 0.05.
    @Test(arguments: [0.05, 0.2, 0.5, 0.8, 0.95])
    func readingsAreSavedByTheFormula(share: Double) throws {
        // The standard error over some 20,000 frames and more is below 0.0015.
        #expect(abs(try saved(share) - (1 - (share * 0.98 + (1 - share) * 0.05))) < 0.005)
    }

    @Test(arguments: [(0.155, false), (0.165, true), (0.25, true), (0.37, true), (0.385, false)])
    func sixtyToEightyPercentAreSavedOnlyBetweenSharesOf16And38Percent(share: Double, holds: Bool) throws {
        // The formula is 80 % at p = 0.161 and 60 % at 0.376.
        #expect((0.6...0.8).contains(try saved(share)) == holds)
    }
}
