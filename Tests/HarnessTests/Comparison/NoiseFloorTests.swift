import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct NoiseFloorTests {
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
        let (a, control) = MadeSides.latencies(stints: [1.02, 1 / 1.02, 1.02, 1 / 1.02])
        let noise = NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 / 10 } }
        // |ln 1.02| = 0.0198026, times t(0.975, 4)/√4 = 1.388222.
        #expect(isNear(noise.processSpread, 0.0274905, within: 1e-6))
        #expect((noise[.latency].value ?? 0) > 0.027)
        #expect(noise.origin == "A/A run of 4 pairs of processes")
    }

    @Test func onePairOfProcessesKnowsNoNoiseOfSpeed() {
        let (a, control) = MadeSides.latencies(stints: [1])
        let noise = NoiseFloor(a: a, control: control) { _, _ in 0 }
        #expect(noise[.latency].reason == "one pair of processes shows no spread; use --rounds 2 or more")
        #expect(noise[.titleRead] == .value(0))
        // Nor does any latency have an interval then.
        let rows = SidePair(a, control, noise: noise, tolerances: .standard).overall
        let latency = rows.first { $0.metric == .latency }
        #expect(latency?.interval.reason == noise[.latency].reason)
        #expect(latency?.status == .undecided)
    }

    @Test func runsThatDifferAreComparedByRatios() {
        func run(_ factor: Double) -> ReadingSet {
            ReadingSet(
                name: "run",
                entries: (0..<10).map { MadeSides.entry("s\($0)", milliseconds: [(30 + Double($0)) * factor]) },
                workers: [.init(figures: [.peakFootprint: 300e6 * factor])]
            )
        }
        let noise = NoiseFloor(runs: [run(1), run(1.1)])
        // ln 1.1 = 0.0953102; s = 0.0673945, s √1.5 = 0.0825411, times t(0.975, 1) = 12.7062: 1.048784; e^1.048784 − 1.
        #expect(isNear(noise[.latency].value, 1.854178, within: 1e-4))
        #expect(isNear(noise[.peakFootprint].value, 1.854178, within: 1e-4))
        #expect(isNear(noise.processSpread, 1.048784, within: 1e-4))
        // ln 3 = 1.098612 makes 12.0891: a factor of 177,000.
        let wild = NoiseFloor(runs: [run(1), run(3)])
        #expect(wild[.peakFootprint].reason == "2 runs differ too much for a noise estimate; use more runs")
        #expect(wild.processSpread == nil)
    }

    @Test func twoPairsOfProcessesThatDifferTooMuchBoundNothing() {
        func set(_ peaks: [Double]) -> ReadingSet {
            ReadingSet(
                name: "",
                entries: [],
                workers: peaks.enumerated().map { .init(stint: $0, figures: [.peakFootprint: $1]) }
            )
        }
        let noise = NoiseFloor(floors: [.peakFootprint: .value(0.01)], processSpread: 0, origin: "")
        func memory(_ a: [Double], _ b: [Double]) -> ComparisonRow? {
            SidePair(set(a), set(b), noise: noise, tolerances: .standard).overall
                .first { $0.metric == .peakFootprint }
        }
        // The first process of B compiled: ln(380/272) = 0.334359 and 0; half of it, and 12.7062 × 0.236428/√2 =
        // 2.1242.
        let wild = memory([272e6, 272e6], [380e6, 272e6])
        #expect(wild?.interval.reason == "2 pairs of processes differ too much for a bound; use more --rounds")
        #expect(wild?.status == .undecided)
        // ln 1.01 = 0.00995 and 0: 0.004975 ± 12.7062 × 0.007036/√2 = 0.063217.
        let tame = memory([300e6, 300e6], [303e6, 300e6])
        #expect(isNear(tame?.interval.value?.lowerBound, -0.056573, within: 1e-5))
        #expect(isNear(tame?.interval.value?.upperBound, 0.070567, within: 1e-5))
    }

    /// Three and a half times as long, in few readings by processes that differ by 15 %: no noise hides that.
    @Test func aPlantedSlowdownOf250PercentIsFound() {
        let (a, control) = MadeSides.latencies(stints: [1.15, 1 / 1.1])
        var b = control
        for index in b.entries.indices {
            b.entries[index].readings = b.entries[index].readings.map {
                .init(round: $0.round, milliseconds: $0.milliseconds * 3.5)
            }
        }
        let noise = NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 / 10 } }
        let floor = noise[.latency].value ?? 0
        #expect(floor > 0.05 && floor < 2.5)
        let comparison = Comparison.made(a, b, noise)
        #expect(comparison.verdict == .fail)
        #expect(comparison.regressions.map(\.metric).contains(.latency))
        // Differences of a system from itself are not a regression.
        let same = Comparison.made(a, control, noise)
        #expect(same.verdict == .inconclusive)
    }

    @Test func oneReadingOfASampleShowsNoNoiseOfAccuracy() throws {
        let once = ReadingSet(name: "A", entries: [MadeSides.entry("s0"), MadeSides.entry("s1")])
        let unknown = NoiseFloor(unmeasured: once)
        #expect(unknown[.titleRead] == .absent("each sample was read once"))
        // One of the two that were read twice was read differently; the third cannot differ.
        var twice = ReadingSet(
            name: "A",
            entries: ["s0", "s1"].map { MadeSides.entry($0, milliseconds: [40, 41]) } + [MadeSides.entry("s2")]
        )
        twice.entries[0].varies = true
        #expect(NoiseFloor(unmeasured: twice)[.titleRead] == .value(0.5))
        // Accuracy gates all the same.
        let right = ReadingSet(name: "A", entries: (0..<40).map { MadeSides.entry("s\($0)") })
        let wrong = ReadingSet(name: "B", entries: (0..<40).map { MadeSides.entry("s\($0)", title: false) })
        func row(_ b: ReadingSet) throws -> ComparisonRow {
            let noise = NoiseFloor(unmeasured: right)
            let rows = SidePair(right, b, noise: noise, tolerances: .standard).overall
            return try #require(rows.first { $0.metric == .titleRead })
        }
        let (worse, same) = (try row(wrong), try row(right))
        #expect(worse.gates && worse.status == .worse)
        #expect(same.gates && same.status == .noDifference)
    }

    @Test func storedRunsAreToldOfBaselinesAndNotOfRounds() {
        func side(_ peak: Double, stint: Int?) -> ReadingSet {
            ReadingSet(name: "", entries: [], workers: [.init(stint: stint, figures: [.peakFootprint: peak])])
        }
        func reason(stint: Int?) -> String? {
            let (a, b) = (side(300e6, stint: stint), side(310e6, stint: stint))
            let noise = NoiseFloor(unmeasured: a)
            return SidePair(a, b, noise: noise, tolerances: .standard).overall
                .first { $0.metric == .peakFootprint }?.interval.reason
        }
        #expect(reason(stint: nil) == "one process each shows no spread; use a baseline of several runs")
        #expect(reason(stint: 0) == "one process each shows no spread; use more --rounds")
    }

    @Test func titlesThatAReadsDifferentlyAreTheNoiseOfAccuracy() {
        var (a, control) = MadeSides.latencies(stints: [1, 1])
        control.entries[3].outcomes[.titleRead] = false
        a.entries[5].varies = true
        let noise = NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 / 10 } }
        #expect(noise[.titleRead] == .value(0.1))
    }
}
