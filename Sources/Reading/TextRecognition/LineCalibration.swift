internal import Foundation

/// Map from what a recogniser says of a line to the probability that the line is right.
public struct LineCalibration: Sendable, Equatable {
    /// Of PP-OCRv6 small.
    public static let ppOCRv6Small = LineCalibration(intercept: 0, meanLogit: 1)

    var intercept: Double
    var meanLogit: Double

    package func probability(of recognition: LineRecognition) -> Double? {
        guard !recognition.characters.isEmpty else { return nil }
        return recognition.characters.map(\.confidence).min()
    }
}
