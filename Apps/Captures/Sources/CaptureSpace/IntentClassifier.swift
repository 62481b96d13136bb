import Foundation

/// Intents of texts by a linear classifier of their vectors in one space.
///
/// A multinomial logistic regression over MiniLM's vectors, with the texts of no intent as a class of their own. Its
/// weights and its least probability are those of `intent-weights.tsv`, which `research/intents.py` fits.
package struct IntentClassifier: Sendable {
    private struct Class: Sendable {
        var intent: Intent?
        var bias: Float
        var weights: [Float]
    }

    private let classes: [Class]
    /// Minimum probability of an intent that is reported.
    package let leastProbability: Float

    /// Creates the classifier of MiniLM's vectors.
    ///
    /// - Throws: ``CaptureSpaceError/weightsDamaged(line:)``.
    package init() throws(CaptureSpaceError) {
        let weights = String(decoding: PackageResources.intent_weights_tsv, as: UTF8.self)
        try self.init(weights: weights, dimensions: MiniLM.dimensions)
    }

    /// `weights`: a line of the space's name and the least probability, then a line per class with its name, its
    /// bias and a weight per dimension, in hundredths.
    init(weights text: String, dimensions: Int) throws(CaptureSpaceError) {
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t") }
        guard let head = lines.first, head.count == 2, let least = Float(head[1]) else {
            throw .weightsDamaged(line: 1)
        }
        var classes: [Class] = []
        for (number, line) in lines.enumerated().dropFirst() {
            let values = line.dropFirst().compactMap { Float($0) }.map { $0 / 100 }
            guard line.count == values.count + 1, values.count == dimensions + 1 else {
                throw .weightsDamaged(line: number + 1)
            }
            let intent = Intent(rawValue: String(line[0]))
            classes.append(Class(intent: intent, bias: values[0], weights: Array(values.dropFirst())))
        }
        (self.classes, leastProbability) = (classes, least)
    }

    /// Least probability of the intent of a text that was read off a photo: receipts of groceries have "Dining" with
    /// up to 0.82, menus and bills of restaurants mostly with more than 0.98.
    private static let leastOfPhoto: Float = 0.9

    /// Returns the intent of a text's vector; nil for none, or one that is not sure enough.
    package func intent(of vector: [Float], isPhotographed: Bool = false) -> Intent? {
        guard let best = ranked(vector).first,
            best.probability >= (isPhotographed ? Self.leastOfPhoto : leastProbability)
        else { return nil }
        return best.intent
    }

    /// Returns the classes of a vector with their probabilities, the likeliest first; nil for texts without an intent.
    func ranked(_ vector: [Float]) -> [(intent: Intent?, probability: Float)] {
        let scores = classes.map { $0.bias + VectorMath.dot($0.weights, vector) }
        let most = scores.max() ?? 0
        let powers = scores.map { exp($0 - most) }
        let sum = powers.reduce(0, +)
        return zip(classes, powers).map { ($0.intent, $1 / sum) }.sorted { $0.probability > $1.probability }
    }
}
