import SpineDatasets
import TestSupport
import Testing

@testable import Basics
@testable import Evaluation
@testable import Statistics

/// Expected values are from hand calculation.
@Suite(.tags(.unit)) struct IdentificationTests {
    private func entry(
        _ answer: BookOutcome.Answer,
        _ rank: Int? = nil,
        catalogued: Bool = true,
        group: String? = nil
    ) -> Reading {
        var record = SampleRecord(measurement: "fast", repetition: 1, position: 0, id: "")
        record.book = BookOutcome(answer, rank: rank, isCatalogued: catalogued)
        return Reading(.made("", title: "Dune", group: group), record)
    }

    @Test func closedAndOpenSetAreToldApart() {
        let books = figures([
            entry(.right, 1), entry(.right, 1), entry(.wrong, 2), entry(.wrong), entry(.abstained, 6),
            entry(.abstained, catalogued: false), entry(.wrong, catalogued: false),
            entry(.abstained, catalogued: false),
        ])
        #expect(books.rate(.identified).proportion == Proportion(successes: 2, trials: 5))
        #expect(books.rate(.wrongBook).proportion == Proportion(successes: 2, trials: 5))
        #expect(books.rate(.abstained).proportion == Proportion(successes: 1, trials: 5))
        #expect(books.rate(.recallAt1).proportion == Proportion(successes: 2, trials: 5))
        #expect(books.rate(.recallAt5).proportion == Proportion(successes: 3, trials: 5))
        // (1 + 1 + 1/2 + 0 + 1/6) / 5
        #expect(isNear(books.values[.reciprocalRank]?.value.value, 8.0 / 15, within: 1e-12))
        #expect(books.rate(.falseMatch).proportion == Proportion(successes: 1, trials: 3))
    }

    @Test func draftsAreNoMatches() {
        let books = figures([
            entry(.right, 1), entry(.draft, 2), entry(.abstained), entry(.wrong), entry(.draft, catalogued: false),
            entry(.draft, catalogued: false), entry(.wrong, catalogued: false), entry(.abstained, catalogued: false),
        ])
        #expect(books.rate(.draft).proportion == Proportion(successes: 1, trials: 4))
        #expect(books.rate(.wrongBook).proportion == Proportion(successes: 1, trials: 4))
        #expect(books.rate(.abstained).proportion == Proportion(successes: 1, trials: 4))
        #expect(books.rate(.falseMatch).proportion == Proportion(successes: 1, trials: 4))
        #expect(books.rate(.openDraft).proportion == Proportion(successes: 2, trials: 4))
    }

    @Test func rightAnswersDoNotNeedToBeFirst() {
        // A system may name another candidate than its first one, such as one whose barcode it read.
        let books = figures([entry(.right, 3)])
        #expect(books.rate(.identified).successes == 1)
        #expect(books.rate(.recallAt1).successes == 0)
    }

    @Test func withoutBooksThereIsNothing() {
        let books = figures([])
        #expect(books.rate(.identified).rate == .absent("no samples"))
        #expect(books.rate(.falseMatch).rate == .absent("no samples"))
        #expect(books.values[.reciprocalRank]?.value == .absent("no such books"))
    }

    @Test func spinesOfOnePhotoShareAnInterval() {
        let books = figures((0..<60).map { entry($0 / 5 < 9 ? .right : .abstained, group: "photo\($0 / 5)") })
        #expect(books.rate(.identified).basis == .groups)
    }

    private func figures(_ readings: [Reading]) -> Figures {
        var fold = FigureFold()
        for reading in readings { fold.add(reading) }
        return fold.figures()
    }
}
