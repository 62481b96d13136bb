import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct GatingTests {
    /// Returns the share of examined frames that a gate keeps from the reader, over 300 spines.
    private func saved(_ share: Double, truePositive: Double = 0.98, falsePositive: Double = 0.05) throws -> Double {
        var plan = SessionPlan()
        plan.gate = .init(truePositive: truePositive, falsePositive: falsePositive, seconds: 0.002)
        plan.user = UserScript(spineShare: share)
        plan.user.spread = .fixed
        plan.seconds = 300 * 2 / share
        plan.idleLimit = nil
        let cost = ReadingCost(imageSeconds: 0.001, inferenceSeconds: 0.001)
        let outcome = try SessionSimulator(plan: plan, values: .plain(), costs: [cost]).run(seed: 11, pointsEvery: nil)
        #expect(outcome.dropped == 0)
        // Frames of a moving camera are not read even if they pass the gate.
        return Double(outcome.counts.noSpine) / Double(outcome.counts.examined)
    }

    /// E-07's formula: 1 − (p·TPR + (1 − p)·FPR), at a true positive rate of 0.98 and a false one of 0.05.
    @Test(arguments: [0.05, 0.2, 0.5, 0.8, 0.95])
    func readingsAreSavedByTheFormula(share: Double) throws {
        // The standard error over some 20,000 frames and more is below 0.0015.
        #expect(abs(try saved(share) - (1 - (share * 0.98 + (1 - share) * 0.05))) < 0.005)
    }

    @Test(arguments: [(0.155, false), (0.165, true), (0.25, true), (0.37, true), (0.385, false)])
    func thisGateSavesSixtyToEightyPercentOnlyBetweenSharesOf16And38Percent(share: Double, holds: Bool) throws {
        // The formula is 80 % at p = 0.161 and 60 % at 0.376.
        #expect((0.6...0.8).contains(try saved(share)) == holds)
    }

    /// 1 − (0.2 · 0.5 + 0.8 · 0.3) = 0.66, and 1 − (0.9 · 0.5 + 0.1 · 0.3) = 0.52.
    @Test(arguments: [(0.2, 0.66), (0.9, 0.52)])
    func anotherGateSavesWhatItsOwnRatesSay(share: Double, expected: Double) throws {
        #expect(abs(try saved(share, truePositive: 0.5, falsePositive: 0.3) - expected) < 0.01)
    }

    /// A plan names its gate: none by default.
    @Test func withoutRatesEveryFrameIsRead() {
        #expect(SessionPlan().gate == nil)
    }

    /// A check of 20 ms on an A15 takes 40 ms on a CPU of half its speed: 25 frames are checked in a second.
    @Test(arguments: [(1.0, 30), (0.5, 25)])
    func aLookTakesAsLongAsTheDevicesCPUIsSlow(speed: Double, examined: Int) throws {
        var plan = SessionPlan()
        (plan.seconds, plan.idleLimit) = (1, nil)
        plan.gate = .init(truePositive: 0, falsePositive: 0, seconds: 0.02)
        let simulator = try SessionSimulator(plan: plan, values: .plain([.cpuSpeed: speed]), costs: [.quick])
        #expect(simulator.run(seed: 1).counts.examined == examined)
    }

    @Test func boundsAreThoseOfABetterAndAWorseGate() {
        let gate = SessionPlan.GateRates(
            truePositive: 0.9,
            falsePositive: 0.1,
            seconds: 0.003,
            range: .init(truePositive: 0.8...0.95, falsePositive: 0.05...0.2, seconds: 0.002...0.005)
        )
        #expect(gate.at(.nominal) == gate)
        #expect(gate.at(.favourable) == .init(truePositive: 0.95, falsePositive: 0.05, seconds: 0.002))
        #expect(gate.at(.adverse) == .init(truePositive: 0.8, falsePositive: 0.2, seconds: 0.005))
        let exact = SessionPlan.GateRates(truePositive: 0.9, falsePositive: 0.1, seconds: 0)
        #expect(exact.at(.adverse) == exact)
    }
}
