import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Evaluation
@testable import Statistics

@Suite(.tags(.unit)) struct CalibrationTests {
    /// Results of scikit-learn and NumPy for confidences and outcomes; see Fixtures/README.md.
    struct Expected: Decodable {
        struct Case: Decodable {
            var name: String
            var confidence: [Double]
            var right: [Bool]
            /// Number of nonempty bins of equal width.
            var accuracy: [Double]
            var meanConfidence: [Double]
            var brier: Double
            var expectedError: Double
            var maximumError: Double
            var equalMassExpectedError: Double
        }
        var cases: [Case]
    }

    @Test func figuresAreThoseOfScikitLearnAndNumPy() throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/calibration", withExtension: "json"))
        let cases = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: url)).cases
        #expect(cases.count == 6)
        for row in cases {
            let calibration = Calibration(zip(row.confidence, row.right).map { (confidence: $0, isRight: $1) })
            #expect(isNear(calibration.brierScore.value, row.brier, within: 1e-12), "\(row.name)")
            #expect(isNear(calibration.expectedError.value, row.expectedError, within: 1e-12), "\(row.name)")
            #expect(isNear(calibration.maximumError.value, row.maximumError, within: 1e-12), "\(row.name)")
            #expect(
                isNear(calibration.equalMassExpectedError.value, row.equalMassExpectedError, within: 1e-12),
                "\(row.name)"
            )
            let filled = calibration.bins.filter { $0.accuracy.trials > 0 }
            #expect(filled.count == row.accuracy.count, "\(row.name)")
            for (bin, expected) in zip(filled, zip(row.accuracy, row.meanConfidence)) {
                #expect(isNear(bin.accuracy.rate.value, expected.0, within: 1e-12), "\(row.name)")
                #expect(isNear(bin.meanConfidence.value, expected.1, within: 1e-12), "\(row.name)")
            }
            #expect(calibration.equalMassBins.reduce(0) { $0 + $1.accuracy.trials } == row.confidence.count)
        }
    }

    // Computed by hand: 0.8 itself is accepted.
    @Test func theThresholdDividesWhatAPersonSees() {
        let answers = [(0.9, true), (0.8, false), (0.8, true), (0.79, false), (0.5, true), (0.1, false)]
        let review = Calibration(answers.map { (confidence: $0, isRight: $1) }).review
        #expect(review.reviewed == Proportion(successes: 3, trials: 6))
        #expect(review.acceptedRight == Proportion(successes: 2, trials: 3))
        #expect(review.errorsCaught == Proportion(successes: 2, trials: 3))
    }

    @Test func withoutAnswersEveryFigureIsAbsent() {
        let calibration = Calibration([])
        let figures = [
            calibration.expectedError, calibration.equalMassExpectedError, calibration.maximumError,
            calibration.brierScore,
        ]
        #expect(figures.allSatisfy { $0 == .absent("no answers with a confidence") })
        #expect(calibration.bins.count == 10)
        #expect(calibration.bins.allSatisfy { $0.gap.value == nil && $0.meanConfidence.reason != nil })
        #expect(calibration.equalMassBins.isEmpty)
        #expect(calibration.review.reviewed.rate.value == nil)
    }

    @Test func aConfidenceThatIsNoneIsLeftOutAndCounted() {
        let answers = [(0.5, true), (.nan, true), (1.5, true), (-0.1, false), (.infinity, false)]
        let calibration = Calibration(answers.map { (confidence: $0, isRight: $1) })
        #expect(calibration.answers == 1)
        #expect(calibration.unusable == 4)
        #expect(calibration.brierScore == .value(0.25))
    }

    @Test func itCanBeWrittenAndReadBack() throws {
        let calibration = Calibration([(confidence: 0.9, isRight: true), (confidence: 0.3, isRight: false)])
        let data = try JSONEncoder().encode(calibration)
        #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
    }
}
