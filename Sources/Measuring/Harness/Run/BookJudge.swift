package import Evaluation
package import SpineDatasets

/// Says whether a system named the right book; the program that has the catalogues supplies it.
package struct BookJudge: Sendable {
    /// What came of a sample that `variant` read; the prediction is nil when the reading did not succeed.
    ///
    /// Nil when the variant names no books, or the sample's labels do not say which book it is.
    package var judge: @Sendable (_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome?

    package init(
        _ judge:
            @escaping @Sendable (_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome?
    ) {
        self.judge = judge
    }

    /// Judges nothing.
    package static let none = BookJudge { _, _, _ in nil }
}
