package import Basics

/// What became of one book that was to be named.
package struct BookOutcome: Sendable, Equatable, Codable {
    /// What a system said.
    package enum Answer: String, Sendable, Codable, CaseIterable {
        case right
        case wrong
        /// It put a book together from what it had read: no record of a catalogue is behind it.
        case draft
        /// It named no book.
        case abstained
    }

    package var answer: Answer
    /// The place of the right book among the candidates, counted from 1; nil when it is not among them.
    package var rank: Int?
    /// Whether the system's catalogue has the book.
    ///
    /// If it has not, to abstain is all that a system can do right.
    package var isCatalogued: Bool

    package init(_ answer: Answer, rank: Int? = nil, isCatalogued: Bool = true) {
        self.answer = answer
        self.rank = rank
        self.isCatalogued = isCatalogued
    }
}

/// How well books were named: those that the catalogue has (closed set) and those that it has not (open set).
package struct Identification: Sendable, Equatable, Codable {
    /// A book's outcome with where its spine comes from.
    package struct Entry: Sendable {
        package var outcome: BookOutcome
        /// The photo that the spine was cut from; nil for one of its own.
        package var group: String?

        package init(_ outcome: BookOutcome, group: String? = nil) {
            self.outcome = outcome
            self.group = group
        }
    }

    /// Of the books that the catalogue has: the right one was named.
    package var identified: RateEstimate
    /// Of the same: another one was named.
    package var wrong: RateEstimate
    /// Of the same: a draft was put together from the text, and no book of the catalogue was named.
    package var drafts: RateEstimate
    /// Of the same: none was named.
    package var abstained: RateEstimate
    /// Of the same: the right one is the first candidate, named or not.
    package var topOne: RateEstimate
    /// Of the same: the right one is among the first five candidates.
    package var recallAt5: RateEstimate
    /// Of the same: the right one is among the first twenty candidates.
    package var recallAt20: RateEstimate
    /// Of the same: the mean of 1 / rank of the right one, 0 where it is not among the candidates.
    ///
    /// Source: Voorhees, "The TREC-8 question answering track report", 1999.
    package var meanReciprocalRank: Figure
    /// Of the books that the catalogue has not: one of it was named all the same.
    package var falseMatch: RateEstimate
    /// Of the same: a draft was put together from the text.
    package var openDrafts: RateEstimate

    /// `entries`: One for each spine whose book is known.
    package init(_ entries: [Entry]) {
        var tally = IdentificationTally()
        for entry in entries { tally.add(entry) }
        self.init(tally)
    }

    /// Of what was counted.
    package init(_ tally: IdentificationTally) {
        func share(_ question: Int) -> RateEstimate { tally.closed.estimate(question) }
        (identified, wrong, drafts, abstained) = (share(0), share(1), share(2), share(3))
        (topOne, recallAt5, recallAt20) = (share(4), share(5), share(6))
        meanReciprocalRank = tally.reciprocalRanks.mean.map { .value($0) } ?? .absent("no books in the catalogue")
        (falseMatch, openDrafts) = (tally.open.estimate(0), tally.open.estimate(1))
    }
}

/// Books that were to be named, counted as they come: in any order it comes to the same.
package struct IdentificationTally: Sendable {
    /// Of books that the catalogue has.
    fileprivate var closed = GroupedCounts(questions: 7)
    /// Of those that it has not.
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
