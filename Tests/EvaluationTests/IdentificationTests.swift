import TestSupport
import Testing

@testable import Basics
@testable import Evaluation

/// Expected values are from hand calculation.
@Suite(.tags(.unit)) struct IdentificationTests {
    private func entry(
        _ answer: BookOutcome.Answer,
        _ rank: Int? = nil,
        catalogued: Bool = true,
        group: String? = nil
    ) -> Identification.Entry {
        Identification.Entry(BookOutcome(answer, rank: rank, isCatalogued: catalogued), group: group)
    }

    @Test func closedAndOpenSetAreToldApart() {
        let books = Identification([
            entry(.right, 1), entry(.right, 1), entry(.wrong, 2), entry(.wrong), entry(.abstained, 6),
            entry(.abstained, catalogued: false), entry(.wrong, catalogued: false),
            entry(.abstained, catalogued: false),
        ])
        #expect(books.identified.proportion == Proportion(successes: 2, trials: 5))
        #expect(books.wrong.proportion == Proportion(successes: 2, trials: 5))
        #expect(books.abstained.proportion == Proportion(successes: 1, trials: 5))
        #expect(books.topOne.proportion == Proportion(successes: 2, trials: 5))
        #expect(books.recallAt5.proportion == Proportion(successes: 3, trials: 5))
        // (1 + 1 + 1/2 + 0 + 1/6) / 5
        #expect(isNear(books.meanReciprocalRank.value, 8.0 / 15, within: 1e-12))
        #expect(books.falseMatch.proportion == Proportion(successes: 1, trials: 3))
    }

    @Test func draftsAreNoMatches() {
        let books = Identification([
            entry(.right, 1), entry(.draft, 2), entry(.abstained), entry(.wrong), entry(.draft, catalogued: false),
            entry(.draft, catalogued: false), entry(.wrong, catalogued: false), entry(.abstained, catalogued: false),
        ])
        #expect(books.drafts.proportion == Proportion(successes: 1, trials: 4))
        #expect(books.wrong.proportion == Proportion(successes: 1, trials: 4))
        #expect(books.abstained.proportion == Proportion(successes: 1, trials: 4))
        #expect(books.falseMatch.proportion == Proportion(successes: 1, trials: 4))
        #expect(books.openDrafts.proportion == Proportion(successes: 2, trials: 4))
    }

    @Test func rightAnswersDoNotNeedToBeFirst() {
        // A system may name another candidate than its first one, such as one whose barcode it read.
        let books = Identification([entry(.right, 3)])
        #expect(books.identified.successes == 1)
        #expect(books.topOne.successes == 0)
    }

    @Test func withoutBooksThereIsNothing() {
        let books = Identification([])
        #expect(books.identified.rate == .absent("no samples"))
        #expect(books.falseMatch.rate == .absent("no samples"))
        #expect(books.meanReciprocalRank == .absent("no books in the catalogue"))
    }

    @Test func spinesOfOnePhotoShareAnInterval() {
        let books = Identification((0..<60).map { entry($0 / 5 < 9 ? .right : .abstained, group: "photo\($0 / 5)") })
        #expect(books.identified.basis == .groups)
    }
}

extension Identification {
    fileprivate init(_ entries: [Entry]) {
        var tally = IdentificationTally()
        for entry in entries { tally.add(entry) }
        self.init(tally)
    }
}
