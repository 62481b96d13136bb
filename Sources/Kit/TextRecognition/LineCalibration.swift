internal import Basics
internal import Foundation

/// Map from a recogniser's result for a line to the probability that all of the line is right: a logistic regression.
///
/// It rises with the confidence and with the probability of the text.
public struct LineCalibration: Sendable, Equatable {
    /// Calibration of PP-OCRv6 small with its word lists, in the passes of `fast` and `accurate`.
    ///
    /// Fitted by research/calibrate.py on 5,933 lines that both read off 800 drawn spines (seeds 20261 and 20262; the
    /// data set spines-1 has seed 1); 78.1 % of them were right. The log loss, cross-validated by spine in ten parts,
    /// is 0.283, and 0.679 with the raw confidence; the expected calibration error in ten bins is 0.020, and 0.183.
    /// On spines-1, which it was not fitted on, the error is 0.032 (`fast`; 0.186 raw) and 0.030 (`accurate`; 0.198),
    /// on 692 lines of 221 photographed spines 0.045 to 0.065 and on the 758 of `accurate` 0.033 to 0.058, by data
    /// set (0.131 to 0.298 raw). Each term reduces the log loss by more than three standard errors.
    public static let ppOCRv6Small = LineCalibration(
        intercept: -4.301,
        confidence: 0.478,
        text: 0.290,
        length: 0.922,
        words: 1.194
    )

    /// Calibration of PP-OCRv6 tiny, with the lines of its own detector.
    ///
    /// Fitted likewise on 6,028 lines of the same spines, of which 74.5 % were right: log loss 0.327 (0.731 raw), expected
    /// calibration error 0.017 (0.210 raw); 0.034 on spines-1, and 0.036 to 0.058 on lines of 221 photographed spines.
    public static let ppOCRv6Tiny = LineCalibration(
        intercept: -3.729,
        confidence: 0.489,
        text: 0.360,
        length: 0.638,
        words: 1.516
    )

    var intercept: Double
    /// Coefficient of the log odds of the mean probability of the characters.
    var confidence: Double
    /// Coefficient of the log odds of the text among the line's alternatives.
    var text: Double
    /// Coefficient of the natural logarithm of the number of characters.
    var length: Double
    /// Coefficient of the share of the characters that are letters of words in the word lists, without spaces.
    var words: Double

    /// Minimum probability, and one less the maximum: a more extreme one has no further information.
    static let leastProbability = 0.001

    /// Returns the probability that the line is right, 0…1; `lexicon` are the word lists that it was read with.
    ///
    /// - Precondition: the text is not empty.
    package func probability(of line: RecognizedLine, lexicon: Lexicon) -> Double {
        let sum =
            intercept + confidence * Self.logOdds(line.confidence)
            + text * Self.logOdds(line.alternatives.first?.probability ?? 1)
            + length * log(Double(line.text.count)) + words * Self.shareInWords(line.text, lexicon)
        return 1 / (1 + exp(-sum))
    }

    private static func logOdds(_ probability: Double) -> Double {
        let bounded = min(max(probability, leastProbability), 1 - leastProbability)
        return log(bounded / (1 - bounded))
    }

    /// Returns the share of a text's characters, without spaces, that are in words of the lexicon.
    static func shareInWords(_ text: String, _ lexicon: Lexicon) -> Double {
        let words = text.split { !$0.unicodeScalars.allSatisfy(\.properties.isAlphabetic) }
        let known = words.reduce(0) { $0 + (lexicon.contains($1) ? $1.count : 0) }
        return Double(known) / Double(max(1, text.count { $0 != " " }))
    }
}
