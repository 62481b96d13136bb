import Foundation
public import Imaging

/// Detects a book's spine in a frame, so that the reader is not called without one (S0-TS1).
///
/// A spine has letters, which make the brightness alternate along both axes in neighbouring cells, and it has long
/// straight sides. A logistic model weighs the amount of both in a frame.
public struct PresenceGate: Sendable, Equatable {
    /// Whether frames are examined where nothing else is set: too many spines are missed (Docs/NUMBERS.md).
    public static let isOnByDefault = false

    /// The probability from which on a frame counts as one with a spine.
    ///
    /// Low, for a spine that is missed costs the owner a scan, and a false alarm costs one reading.
    public var threshold: Double

    /// - Parameter threshold: the probability from which on a frame counts as one with a spine.
    public init(threshold: Double = 0.4) { self.threshold = threshold }

    /// The gate's result for a frame.
    public struct Finding: Sendable, Equatable {
        /// Probability of a spine, 0…1.
        public var probability: Double
        /// Whether the reader should be asked.
        public var isSpine: Bool
    }

    /// Examines a frame of any size of at least one pixel, grey or in colour, any way up.
    public func examine(_ frame: RasterImage) -> Finding {
        let probability = GateModel.probability(GateEvidence(of: frame))
        return Finding(probability: probability, isSpine: probability >= threshold)
    }
}

/// The weights of the presence gate.
///
/// Fitted by logistic regression on frames of panning sequences; `gate.json` has the rates that were measured.
package enum GateModel {
    /// Weights in the order of ``GateEvidence/names``.
    package static let weights: [Double] = [2.381, 1.658, -3.236, 1.381, 1.205, 1.833, -1.69, 1.197]
    package static let bias = -20.748

    /// Data of the fit: a measurement on the same pictures is too favourable.
    package static let fittedOn =
        "labelled spines framed as a phone frames them, parts of photographs of shelves, and frames without books, "
        + "photographed and drawn; the list of pictures was not recorded"

    static func probability(_ evidence: GateEvidence) -> Double {
        let sum = zip(weights, evidence.features).reduce(bias) { $0 + $1.0 * Double($1.1) }
        return 1 / (1 + exp(-sum))
    }
}
