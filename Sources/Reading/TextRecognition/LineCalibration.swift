internal import Basics
internal import Foundation

/// Map from what a recogniser says of a line to the probability that all of the line is right: a logistic regression.
///
/// It rises with the confidence and with the probability of the text.
public struct LineCalibration: Sendable, Equatable {
    /// Of PP-OCRv6 small with its word lists, in the looks that `fast` and `accurate` had on 22 November 2026: before lines
    /// were read side by side and at nine tenths of their length.
    ///
    /// The figures are of then, too. Fitted by Training/calibrate.py on 5,903 lines that both read off 800 drawn spines
    /// (seeds 20261 and 20262; the data set spines-1 has seed 1), of which 78.8 % were right. The log loss,
    /// cross-validated by spine in ten parts, is 0.283, and 0.670 with the confidence as it is; the expected
    /// calibration error in ten bins is 0.006, and 0.179. On spines-1, which it was not fitted on, the error is 0.039
    /// (`fast`; 0.184 as it is) and 0.030 (`accurate`; 0.190), on 688 lines of 221 photographed spines 0.016 to 0.061
    /// and on the 790 of `accurate` 0.038 to 0.068, by data set (0.145 to 0.300 as it is). Each term takes away more
    /// than three standard errors of log loss; the least probable character's confidence took nothing away beside them.
    public static let ppOCRv6Small = LineCalibration(
        intercept: -4.571,
        confidence: 0.586,
        text: 0.227,
        length: 0.849,
        words: 1.150
    )

    var intercept: Double
    /// Of the log odds of the mean probability of the characters.
    var confidence: Double
    /// Of the log odds of the text among the line's alternatives.
    var text: Double
    /// Of the natural logarithm of the number of characters.
    var length: Double
    /// Of the share of the characters that are letters of words in the word lists, without spaces.
    var words: Double

    /// Beyond this, and one less this, a probability says no more.
    static let leastProbability = 0.001

    /// Probability that the line is right, 0…1; `lexicon` are the word lists that it was read with.
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

    /// Share of a text's characters, spaces left out, that are in words of the lexicon.
    static func shareInWords(_ text: String, _ lexicon: Lexicon) -> Double {
        let words = text.split { !$0.unicodeScalars.allSatisfy(\.properties.isAlphabetic) }
        let known = words.reduce(0) { $0 + (lexicon.contains($1) ? $1.count : 0) }
        return Double(known) / Double(max(1, text.count { $0 != " " }))
    }
}
