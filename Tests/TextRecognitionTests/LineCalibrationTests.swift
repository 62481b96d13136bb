import Basics
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct LineCalibrationTests {
    private let lexicon = Lexicon(text: "the\nart\nof")

    private func line(_ text: String, _ confidence: Double, chosen: Double? = nil) -> RecognizedLine {
        var line = RecognizedLine(text: text, confidence: confidence, quad: box(0, 0, 1, 1))
        line.alternatives =
            chosen.map { [.init(text: text, probability: $0), .init(text: "?", probability: 0.1)] } ?? []
        return line
    }

    /// Expected: scipy.special.expit and logit (SciPy 1.17.1) of the regression's sum, bounded at 0.001, with shares
    /// in words of 1, ½, 0 and 5/6.
    @Test(
        arguments: [
            ("the art", 0.9, nil, 0.850732963050),
            ("the xyz", 0.7, 0.25, 0.139019214653),
            ("1", 0.5, 0.5, 0.013373716544),
            ("of the 2", 1.0, 0.9999999, 0.980461428551),
        ] as [(String, Double, Double?, Double)]
    )
    func probabilityIsTheRegressions(text: String, confidence: Double, chosen: Double?, expected: Double) {
        let found = LineCalibration.ppOCRv6Small.probability(
            of: line(text, confidence, chosen: chosen),
            lexicon: lexicon
        )
        #expect(abs(found - expected) < 1e-9)
    }

    @Test func itRisesWithTheConfidenceAndTheTextsProbability() {
        let calibration = LineCalibration.ppOCRv6Small
        let values = [0, 0.2, 0.5, 0.9, 0.99, 1]
        let byConfidence = values.map { calibration.probability(of: line("word", $0), lexicon: lexicon) }
        #expect(byConfidence == byConfidence.sorted())
        let byText = values.map { calibration.probability(of: line("word", 0.8, chosen: $0), lexicon: lexicon) }
        #expect(byText == byText.sorted())
        #expect((byConfidence + byText).allSatisfy { $0 > 0 && $0 < 1 })
    }

    @Test(
        arguments: [
            ("the art", 1), ("the xyz", 0.5), ("THE, of", 5 / 6), ("1984", 0), ("the2", 0.75), (" ", 0),
        ] as [(String, Double)]
    )
    func wordsOfTheListsCountByTheirLetters(text: String, share: Double) {
        #expect(abs(LineCalibration.shareInWords(text, lexicon) - share) < 1e-12)
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func withoutWordListsOrCalibrationThereIsNoProbability(hasLists: Bool, isCalibrated: Bool) {
        let read = LineRecognition(text: "the", confidence: 0.9)
        let decoder = CTCDecoder(alphabet: [""], lexicon: hasLists ? lexicon : nil)
        let line = decoder.line(of: read, at: box(0, 0, 1, 1), calibration: isCalibrated ? .ppOCRv6Small : nil)
        #expect((line.probability != nil) == (hasLists && isCalibrated))
    }
}
