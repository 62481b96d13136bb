import Basics
import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct OneByOneTests {
    /// Plans and costs of all kinds, on a device that stays cold.
    @Test(arguments: 0..<60)
    func eventsComeToWhatFramesOneByOneComeTo(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var plan = SessionPlan()
        plan.seconds = 5 + 90 * random.nextDouble()
        plan.framesPerSecond = [1, 7, 24, 30, 60, 120][random.below(6)]
        plan.idleLimit = nil
        plan.gate = random.below(3) == 0 ? nil : .init(truePositive: 0.95, falsePositive: 0.1, seconds: 0.003)
        plan.minimumInterval = random.below(2) == 0 ? nil : random.nextDouble()
        plan.thermalPolicy = ThermalPolicy.allCases[random.below(4)]
        plan.user.againShare = random.nextDouble()
        plan.user.aimSeconds = 3 * random.nextDouble()
        plan.user.holdSeconds = 3 * random.nextDouble()
        plan.user.spread = random.below(2) == 0 ? .fixed : .exponential
        let slow = [0.001, 0.03, 0.3, 3][random.below(4)]
        let costs = (0..<20).map { _ in
            ReadingCost(
                imageSeconds: slow * random.nextDouble(),
                // Now and then exactly until a frame is due.
                inferenceSeconds: random.below(4) == 0 ? 1 / Double(plan.framesPerSecond) : slow * random.nextDouble(),
                isIdentified: random.below(3) > 0
            )
        }
        let outcome = try SessionSimulator(plan: plan, values: .plain([.fairAt: 79]), costs: costs).run(seed: seed)
        let reference = OneByOne(plan, costs: costs, seed: seed)
        #expect(outcome.counts == reference.counts)
        #expect(outcome.dropped == reference.dropped)
        #expect(outcome.books == reference.books.count)
        #expect(outcome.latencies == reference.latencies.map { ($0 * 1e6).rounded() / 1e6 })
        #expect(outcome.cpuSeconds == (Double(reference.cpu) * 1e-9 * 1e6).rounded() / 1e6)
        #expect(outcome.unitSeconds == (Double(reference.unit) * 1e-9 * 1e6).rounded() / 1e6)
        #expect(outcome.offered == Int((plan.seconds * Double(plan.framesPerSecond)).rounded(.up)))
    }
}
