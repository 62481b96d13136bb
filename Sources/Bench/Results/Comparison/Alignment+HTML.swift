import Basics
package import Evaluation
import SpineDatasets

extension Alignment {
    /// The hypothesis in HTML: what it lacks is marked as deleted, and what it adds as inserted.
    package var html: String {
        chunks.map { chunk in
            let (reference, hypothesis) = (PageText.escaped(chunk.reference), PageText.escaped(chunk.hypothesis))
            return switch chunk.kind {
            case .equal: hypothesis
            case .delete: "<del>\(reference)</del>"
            case .insert: "<ins>\(hypothesis)</ins>"
            case .substitute: "<del>\(reference)</del><ins>\(hypothesis)</ins>"
            }
        }.joined()
    }
}
