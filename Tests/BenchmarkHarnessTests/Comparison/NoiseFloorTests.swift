import Evaluation
import Testing

@testable import BenchmarkHarness

@Suite struct NoiseFloorTests {
    @Test func spreadOfValuesAboutZeroIsStudentsByHand() {
        // Σδ²/S = 10⁻⁴, so √(10⁻⁴/4) = 0.005, times t(0.975, 4) = 2.776445 (table).
        #expect(isNear(NoiseFloor.spread(ofZeroMean: [0.01, -0.01, 0.01, -0.01]), 0.013882, within: 1e-6))
        #expect(NoiseFloor.spread(ofZeroMean: []) == 0)
    }

    @Test func reachOfRunsIsThePredictionIntervalByHand() {
        // s² = 2·10⁻⁴, √(s² · 1.5) = 0.0173205, times t(0.975, 1) = 12.7062 (table).
        #expect(isNear(NoiseFloor.reach(ofRuns: [0, 0.02]), 0.220078, within: 1e-5))
        #expect(NoiseFloor.reach(ofRuns: [0.3, 0.3, 0.3]) == 0)
    }

    @Test func processesThatDifferWidenTheFloor() {
        // 4 stints of 10 samples; in each, A′ is 2 % slower or faster than A throughout.
        let (a, control) = Sides.latencies(stints: [1.02, 1 / 1.02, 1.02, 1 / 1.02])
        let noise = NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 / 10 } }
        // |ln 1.02| = 0.0198026, times t(0.975, 4)/√4 = 1.388222.
        #expect(isNear(noise.processSpread, 0.0274905, within: 1e-6))
        #expect((noise[.latency].value ?? 0) > 0.027)
        #expect(noise.origin == "A/A run of 4 pairs of processes")
    }

    @Test func onePairOfProcessesKnowsNoNoiseOfSpeed() {
        let (a, control) = Sides.latencies(stints: [1])
        let noise = NoiseFloor(a: a, control: control) { _, _ in 0 }
        #expect(noise[.latency].reason == "one pair of processes cannot show how much they differ")
        #expect(noise[.titleRead] == .value(0))
    }

    @Test func titlesThatAReadsDifferentlyAreTheNoiseOfAccuracy() {
        var (a, control) = Sides.latencies(stints: [1, 1])
        control.entries[3].title = false
        a.entries[5].varies = true
        let noise = NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 / 10 } }
        #expect(noise[.titleRead] == .value(0.1))
    }
}

/// Sides of comparisons made up by hand.
enum Sides {
    static func entry(
        _ id: String,
        group: String? = nil,
        category: String = "vertical",
        title: Bool? = true,
        text: String? = nil,
        milliseconds: [Double] = [40]
    ) -> ReadingSet.Entry {
        ReadingSet.Entry(
            id: id,
            group: group ?? id,
            category: category,
            title: title,
            author: nil,
            characters: EditCounts(substitutions: title == true ? 0 : 5, referenceLength: 10),
            text: text,
            readings: milliseconds.enumerated().map { .init(round: $0.offset + 1, milliseconds: $0.element) },
            varies: false
        )
    }

    /// A and A′ with ten samples a stint, read in 30 ms and more; A′ takes so many times as long in each stint.
    static func latencies(stints: [Double]) -> (a: ReadingSet, control: ReadingSet) {
        let ids = (0..<(stints.count * 10)).map { "s\($0)" }
        func set(_ name: String, _ factor: (Int) -> Double) -> ReadingSet {
            ReadingSet(
                name: name,
                entries: ids.enumerated().map { index, id in
                    entry(id, milliseconds: [(30 + Double(index)) * factor(index / 10)])
                }
            )
        }
        return (set("A") { _ in 1 }, set("A′") { stints[$0] })
    }
}
