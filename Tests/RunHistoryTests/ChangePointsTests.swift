import Basics
import Foundation
import TestSupport
import Testing

@testable import RunHistory

struct ChangePointsTests {
    /// 9 %: the first limit; 7.15 %: five runs of tesseract in Reports/baseline.
    ///
    /// The rate of false steps does not depend on
    /// the noise. A step of 10 % is 3.4 and 4.2 standard deviations, and one of 30 looks may have a chance of 0.2 %.
    @Test(
        "of histories without a step, 5 % show one over 30 looks; 98 % none after 30 runs",
        arguments: [0.09, 0.0715]
    )
    func latency(_ reach: Double) {
        let trial = PlantedHistory.trial(.latency(step: 0.1, reach: reach), count: 500 * TestSize.factor, seed: 1)
        #expect(trial.inLooks <= 0.05 && trial.false <= 0.02, "\(trial.text)")
        withKnownIssue("missed since looks are counted") {
            #expect(trial.found[0] >= 0.95, "with two runs: \(trial.text)")
        }
        withKnownIssue("missed at the first limit") {
            #expect(trial.found[2] >= 0.95, "with four runs: \(trial.text)")
        } when: {
            reach > 0.08
        }
    }

    @Test("with two runs after it a loss of 3 points is found in 95 % of histories; of those without, 98 % have none")
    func titles() {
        let trial = PlantedHistory.trial(.titles(step: 0.03), count: 200 * TestSize.factor, seed: 1)
        #expect(trial.found[0] >= 0.95 && trial.false <= 0.02 && trial.inLooks <= 0.05, "\(trial.text)")
    }

    @Test("a step has the place, the change and Student's chance, divided by the weight of its place")
    func figures() throws {
        // SciPy: ttest_ind([1, 2, 1, 2, 1], [9, 10]) has t = −16.6034, p = 1.4474e-05, of which 0.4 is the weight.
        let step = try #require(ChangePoints([1, 2, 1, 2, 1, 9, 10], resolution: 1e-6).steps.first)
        #expect(step.first == 5 && step.after == 2)
        #expect(abs(step.change - 8.1) < 1e-9)
        #expect(abs(step.chance / (1.4474e-05 / 0.4) - 1) < 0.01, "\(step.chance)")
    }

    @Test("a step that is taken back is found, although the means of both sides of each are alike")
    func stepAndBack() {
        let noise = [0.1, -0.2, 0.15, -0.1, 0.05, 0.2, -0.15, -0.05, 0.1, -0.1]
        let values = noise + noise.map { $0 + 3 } + noise
        #expect(ChangePoints(values, resolution: 0.01).steps.map(\.first) == [10, 20])
    }

    @Test("one outlier is not a step, wherever it is", arguments: 0..<14)
    func outlier(_ place: Int) {
        var values = [0.1, -0.2, 0.15, -0.1, 0.05, 0.2, -0.15, -0.05, 0.1, -0.1, 0.12, -0.08, 0.03, -0.14]
        values[place] += 4
        #expect(ChangePoints(values, resolution: 0.01).steps.isEmpty)
    }

    @Test(
        "short and constant series have no step",
        arguments: [[], [1], [1, 1, 9, 9], [Double](repeating: 3, count: 50)]
    )
    func none(_ values: [Double]) { #expect(ChangePoints(values, resolution: 0.1).steps.isEmpty) }

    @Test("one sample of 240 that is lost for two runs is below the resolution; five are not")
    func resolution() {
        let before = [Double](repeating: 80, count: 12)
        let one = 100.0 / 240
        #expect(ChangePoints(before + [80 - one, 80 - one], resolution: one).steps.isEmpty)
        #expect(ChangePoints(before + [80 - 5 * one, 80 - 5 * one], resolution: one).steps.map(\.first) == [12])
    }

    @Test("levels compare each sample with itself, so that a run with other samples has the same level")
    func levels() {
        let rows: [[Double?]] = [[1, 10, 100], [nil, 10, 100], [2, 11, 101], [1, nil, nil]]
        // The middles of the columns are 1, 10 and 100.
        #expect(ChangePoints.levels(rows, isMean: false) == [0, 0, 1, 0])
        #expect(ChangePoints.levels([[nil]], isMean: false) == [nil])
    }

    @Test("a thousand runs take less than a second")
    func size() {
        var random = SplitMix64(state: 5)
        let values = (0..<1_000).map { _ in random.nextNormal() }
        let steps = ChangePoints(values, resolution: 0.01).steps
        #expect(steps.count <= 2)
    }
}
