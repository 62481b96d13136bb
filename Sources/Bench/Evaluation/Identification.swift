package import Basics

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

/// Accuracy of named books: those in the catalogue (closed set) and those missing from it (open set).
package struct Identification: Sendable, Equatable, Codable {
    /// Outcome of a book with the origin of its spine.
    package struct Entry: Sendable {
        package var outcome: BookOutcome
        /// Photo that the spine was cut from; nil for its own.
        package var group: String?

        package init(_ outcome: BookOutcome, group: String? = nil) { (self.outcome, self.group) = (outcome, group) }
    }

    /// Rate of catalogue books with the right name.
    package var identified: RateEstimate
    /// Rate of catalogue books with another book's name.
    package var wrong: RateEstimate
    /// Rate of catalogue books answered with a draft from the text instead of a catalogue book.
    package var drafts: RateEstimate
    /// Rate of catalogue books without a name.
    package var abstained: RateEstimate
    /// Rate of catalogue books whose first candidate is right, named or not.
    package var topOne: RateEstimate
    /// Rate of catalogue books with the right one among the first five candidates.
    package var recallAt5: RateEstimate
    /// Rate of catalogue books with the right one among the first twenty candidates.
    package var recallAt20: RateEstimate
    /// Mean of 1 / rank of the right candidate over catalogue books, 0 where it is missing (Voorhees, TREC-8, 1999).
    package var meanReciprocalRank: Figure
    /// Rate of books outside the catalogue that got a catalogue book's name.
    package var falseMatch: RateEstimate
    /// Rate of books outside the catalogue answered with a draft from the text.
    package var openDrafts: RateEstimate

    package init(_ tally: IdentificationTally) {
        func share(_ question: Int) -> RateEstimate { tally.closed.estimate(question) }
        (identified, wrong, drafts, abstained) = (share(0), share(1), share(2), share(3))
        (topOne, recallAt5, recallAt20) = (share(4), share(5), share(6))
        meanReciprocalRank = tally.reciprocalRanks.mean.map { .value($0) } ?? .absent("no books in the catalogue")
        (falseMatch, openDrafts) = (tally.open.estimate(0), tally.open.estimate(1))
    }
}

/// Tally of books that were to be named; the result does not depend on their order.
package struct IdentificationTally: Sendable {
    fileprivate var closed = GroupedCounts(questions: 7)
    fileprivate var open = GroupedCounts(questions: 2)
    fileprivate var reciprocalRanks = OrderFreeSum()
    package private(set) var count = 0

    package init() {}

    package mutating func add(_ entry: Identification.Entry) {
        let (outcome, answer) = (entry.outcome, entry.outcome.answer)
        count += 1
        guard outcome.isCatalogued else {
            open.add([answer == .right || answer == .wrong, answer == .draft], group: entry.group)
            return
        }
        let rank = outcome.rank ?? .max
        closed.add(
            [
                answer == .right, answer == .wrong, answer == .draft, answer == .abstained, rank == 1, rank <= 5,
                rank <= 20,
            ],
            group: entry.group
        )
        reciprocalRanks.add(outcome.rank.map { 1 / Double($0) } ?? 0)
    }
}
