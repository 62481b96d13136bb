#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The weights of the presence gate.
///
/// Fitted by logistic regression; `checks gate` measures the result, and its `--evidence` is the data for a fit.
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

func logOnePlus(_ value: Float) -> Float { log1p(value) }
