/// A run of one kind in the way from a reference to a hypothesis.
package struct EditOperation: Sendable, Equatable, Codable {
    /// What happens to the run.
    package enum Kind: String, Sendable, Codable {
        /// Both sides are the same.
        case equal
        /// Each element of the reference is replaced by one of the hypothesis; both runs are equally long.
        case substitute
        /// The hypothesis lacks the run; its range there is empty.
        case delete
        /// The reference lacks the run; its range there is empty.
        case insert
    }

    package var kind: Kind
    /// Places in the reference.
    package var reference: Range<Int>
    /// Places in the hypothesis.
    package var hypothesis: Range<Int>

    package init(_ kind: Kind, reference: Range<Int>, hypothesis: Range<Int>) {
        self.kind = kind
        self.reference = reference
        self.hypothesis = hypothesis
    }
}
