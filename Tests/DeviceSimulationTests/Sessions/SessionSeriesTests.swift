import Foundation
import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct SessionSeriesTests {
    @Test func aSeriesIsItsSessions() throws {
        let plan = SessionPlan.with { plan in
            (plan.seconds, plan.strategy, plan.link, plan.offlineShare) = (20, .hybrid, .wifi, 0.1)
        }
        let costs = (1...20).map {
            ReadingCost(imageSeconds: 0.002, inferenceSeconds: Double($0) * 0.003, waitSeconds: 0.2)
        }
        let simulator = try SessionSimulator(plan: plan, values: .plain(), costs: costs)
        var calls = 0
        let series = SessionSeries(simulator, sessions: 300, seed: 42, title: "a test") { calls += 1 }
        #expect(series.tally.sessions == 300)
        #expect(series.tally.unbalanced == 0)
        #expect(calls == 300)
        var tally = SessionTally()
        for number in 0..<300 {
            tally.add(simulator.run(seed: SessionSeries.seed(ofSession: number, seed: 42), pointsEvery: nil))
        }
        #expect(series.tally == tally)
    }

    @Test func seedsOfSessionsDiffer() {
        let seeds = (0..<1_000).flatMap { number in
            [UInt64(1), 2].map { SessionSeries.seed(ofSession: number, seed: $0) }
        }
        #expect(Set(seeds).count == 2_000)
    }
}
