/// The edits between references and hypotheses, with the length they are a share of.
///
/// Counts of several samples add up, so that a pooled (micro) rate and a mean of rates (macro) can both be had.
package struct EditCounts: Sendable, Equatable, Codable {
    package var substitutions = 0
    /// Elements of the reference that the hypothesis lacks.
    package var deletions = 0
    /// Elements of the hypothesis that the reference lacks.
    package var insertions = 0
    /// Elements in the reference.
    package var referenceLength = 0

    package init(substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0, referenceLength: Int = 0) {
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions
        self.referenceLength = referenceLength
    }

    /// Substitutions, deletions and insertions together.
    package var errors: Int { substitutions + deletions + insertions }

    /// Errors as a share of the reference, 0 or more; above 1 when the hypothesis is much longer than the reference.
    ///
    /// Absent when the reference is empty.
    package var rate: Figure { .ratio(errors, referenceLength, orAbsent: "the reference is empty") }

    package static func + (a: EditCounts, b: EditCounts) -> EditCounts {
        EditCounts(
            substitutions: a.substitutions + b.substitutions,
            deletions: a.deletions + b.deletions,
            insertions: a.insertions + b.insertions,
            referenceLength: a.referenceLength + b.referenceLength
        )
    }
}
