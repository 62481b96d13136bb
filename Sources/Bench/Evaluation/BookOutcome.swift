/// Outcome of one book that was to be named.
package struct BookOutcome: Sendable, Equatable, Codable {
    package enum Answer: String, Sendable, Codable, CaseIterable {
        case right
        case wrong
        /// Draft composed from the read text, without a catalogue record.
        case draft
        case abstained
    }

    package var answer: Answer
    /// The place of the right book among the candidates, counted from 1; nil when it is not among them.
    package var rank: Int?
    /// Whether the system's catalogue has the book; if not, to abstain is all that a system can do right.
    package var isCatalogued: Bool

    package init(_ answer: Answer, rank: Int? = nil, isCatalogued: Bool = true) {
        (self.answer, self.rank, self.isCatalogued) = (answer, rank, isCatalogued)
    }
}
