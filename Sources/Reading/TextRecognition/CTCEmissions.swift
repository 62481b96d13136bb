/// Emissions of a CTC network for one line: for every step along the line, a probability for each class.
///
/// Class 0 is the blank (Graves et al. 2006, "Connectionist Temporal Classification", section 3).
public struct CTCEmissions: Sendable, Equatable {
    /// Classes in each step, the blank among them.
    public let classes: Int
    /// `positions.count * classes` values in 0…1, row-major: one row a step.
    public let probabilities: [Float]
    /// The middle of each step, in pixels of the line image from its left.
    public let positions: [Double]

    /// The emissions of one line.
    ///
    /// - Parameters:
    ///   - classes: Classes in each step, the blank among them.
    ///   - probabilities: One row of `classes` values in 0…1 for each of `positions`.
    ///   - positions: The middle of each step, in pixels from the left of the line image.
    /// - Precondition: there are as many rows as positions.
    public init(classes: Int, probabilities: [Float], positions: [Double]) {
        precondition(probabilities.count == classes * positions.count, "one row of classes for each step")
        self.classes = classes
        self.probabilities = probabilities
        self.positions = positions
    }

    /// Several parts of one line, from left to right, as one; nil when there is no part.
    ///
    /// The parts have the same classes, and positions in the pixels of the whole line.
    public init?(joining parts: [CTCEmissions]) {
        guard let first = parts.first else { return nil }
        if parts.count == 1 {
            self = first
        } else {
            self.init(
                classes: first.classes,
                probabilities: parts.flatMap(\.probabilities),
                positions: parts.flatMap(\.positions)
            )
        }
    }

    /// The most probable class of a step, and its probability; the first of equals.
    func best(_ step: Int) -> (index: Int, probability: Float) {
        probabilities.withUnsafeBufferPointer { values in
            let row = step * classes
            var best = 0
            for index in 1..<classes where values[row + index] > values[row + best] { best = index }
            return (best, values[row + best])
        }
    }
}
