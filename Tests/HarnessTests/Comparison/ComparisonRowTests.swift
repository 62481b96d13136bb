import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

@Suite(.tags(.unit)) struct ComparisonRowTests {
    private func row(
        _ metric: Metric = .latency,
        a: Double = 40,
        b: Double = 44,
        change: Double,
        interval: ClosedRange<Double>?,
        noise: Double? = 0.01,
        category: String = "all"
    ) -> ComparisonRow {
        ComparisonRow(
            metric,
            category: category,
            values: (.value(a), .value(b)),
            change: .value(change),
            interval: interval.map { .value($0) } ?? .absent("needs ≥ 10 groups, there are 3"),
            noise: noise.map { .value($0) } ?? .absent("no noise floor"),
            tolerances: .standard
        )
    }

    @Test func certainAndBeyondToleranceAndNoiseIsWorse() {
        let row = row(change: 0.1, interval: 0.08...0.12)
        #expect(row.status == .worse && row.gates)
        #expect(ComparisonText(row).phrase == "latency shift +10.0 % [+8.0 %, +12.0 %], accepted 5.0 %")
    }

    @Test func withinTheToleranceIsNoRegression() {
        let row = row(change: 0.04, interval: 0.03...0.05)
        #expect(row.status == .noDifference && row.gates && row.note == "worse, within the tolerance")
    }

    @Test func anIntervalThatIncludesZeroShowsNothing() {
        #expect(row(change: 0.04, interval: -0.001...0.2).status == .noDifference)
        // More than is accepted, which may be chance or not.
        let open = row(change: 0.1, interval: -0.001...0.2)
        #expect(open.status == .undecided && open.gates)
    }

    @Test func noiseAboveTheToleranceTakesTheGateOfChangesBelowIt() {
        let row = row(change: 0.06, interval: 0.05...0.07, noise: 0.071)
        #expect(row.status == .undecided && !row.gates)
        #expect(
            row.note == "noise 7.1 % exceeds the gate of 5.0 %: a change below it cannot gate on this machine"
        )
    }

    @Test(arguments: [(0.2, 0.15...0.25, 0.071), (2.5, 1.9...3.2, 0.6)])
    func beyondIntervalToleranceAndNoiseIsWorseHoweverNoisyTheMachine(
        change: Double,
        interval: ClosedRange<Double>,
        noise: Double
    ) {
        let row = row(change: change, interval: interval, noise: noise)
        #expect(row.status == .worse && row.gates)
    }

    @Test func betterByMoreThanTheNoiseIsBetterHoweverNoisyTheMachine() {
        let row = row(change: -0.4, interval: -0.5 ... -0.3, noise: 0.071)
        #expect(row.status == .better && row.gates)
    }

    @Test func aFigureThatCannotBeIsImpossible() {
        #expect(!row(change: 0.1, interval: 0.08...0.12).isImpossible)
        #expect(row(change: 0.1, interval: -6.486...7).isImpossible)
        #expect(row(change: 0.1, interval: -0.5 ... .infinity).isImpossible)
        #expect(row(change: -1, interval: nil).isImpossible)
        // A difference may well be below −1: a megabyte less is.
        #expect(!row(.memoryDelta, change: -1e6, interval: -2e6 ... -1e5).isImpossible)
    }

    @Test func withoutANoiseFloorARowDoesNotGate() {
        let row = row(change: 0.2, interval: 0.15...0.25, noise: nil)
        #expect(row.status == .undecided && !row.gates && row.note == "no noise floor, so it does not gate")
    }

    @Test func withoutAnIntervalNothingIsDecidedAndTheGateStaysOpen() {
        let row = row(change: 0.2, interval: nil)
        #expect(row.status == .undecided && row.gates && row.note == "needs ≥ 10 groups, there are 3")
    }

    @Test func fewerTitlesReadAreWorseAndMoreAreBetter() {
        #expect(row(.titleRead, a: 0.9, b: 0.85, change: -0.05, interval: -0.08 ... -0.02, noise: 0).status == .worse)
        #expect(row(.titleRead, a: 0.85, b: 0.9, change: 0.05, interval: 0.02...0.08, noise: 0).status == .better)
        #expect(row(.latency, change: -0.05, interval: -0.08 ... -0.02).status == .better)
        // Better by less than the noise is not shown.
        #expect(row(.latency, change: -0.005, interval: -0.008 ... -0.002).status == .noDifference)
    }

    @Test func memoryHasToGrowByMegabytesToo() {
        #expect(row(.peakFootprint, a: 100e6, b: 109e6, change: 0.09, interval: 0.08...0.1).status == .noDifference)
        #expect(row(.peakFootprint, a: 100e6, b: 111e6, change: 0.11, interval: 0.1...0.12).status == .worse)
    }

    @Test func rowsOfCategoriesDoNotGate() {
        let row = row(change: 0.1, interval: 0.08...0.12, category: "stylized")
        #expect(row.status == .worse && !row.gates && row.tolerance == nil)
    }
}
