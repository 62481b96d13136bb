public import Imaging

/// Tells whether there is a book's spine in a frame, so that the reader need not be asked when there is none (S0-TS1).
///
/// A spine has letters, which make the brightness go to and fro along both axes in neighbouring cells, and it has long
/// straight sides. How much of both a frame has is weighed by a logistic model.
public struct PresenceGate: Sendable, Equatable {
    /// Whether frames are examined where nothing else is set: too many spines are missed (Docs/NUMBERS.md).
    public static let isOnByDefault = false

    /// The probability from which on a frame counts as one with a spine.
    ///
    /// Low, for a spine that is missed costs the owner a scan, and a false alarm costs one reading.
    public var threshold: Double

    /// - Parameter threshold: the probability from which on a frame counts as one with a spine.
    public init(threshold: Double = 0.4) { self.threshold = threshold }

    /// What the gate says of a frame.
    public struct Finding: Sendable, Equatable {
        /// That there is a spine, 0…1.
        public var probability: Double
        /// Whether the reader should be asked.
        public var isSpine: Bool
    }

    /// Looks at a frame of any size of at least one pixel, grey or in colour, any way up.
    public func examine(_ frame: RasterImage) -> Finding {
        let probability = GateModel.probability(GateEvidence(of: frame))
        return Finding(probability: probability, isSpine: probability >= threshold)
    }
}
