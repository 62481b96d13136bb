import BookCatalogue
import Evaluation
import Harness
import SpineDatasets
import TestSupport
import Testing

@testable import Systems

/// Books that count as the labelled one of a spine; expected values are by hand.
@Suite struct CatalogueJudgeTests {
    private static func label(accepted: [String]? = nil, isbn: String? = nil) throws -> LabelledBook {
        var sample = Sample.made("a", title: "L'Étranger", author: "Albert Camus")
        (sample.acceptedTitles, sample.isbn) = (accepted, isbn)
        return try #require(LabelledBook(sample))
    }

    @Test(
        "an edition counts under the printed title, and a translation does not",
        arguments: [
            ("L'étranger", "Camus", "9782070360024", true), ("L'Étranger: roman", "Albert Camus", nil, true),
            ("The Stranger", "Albert Camus", nil, false), ("The Outsider", "Albert Camus", nil, false),
            ("La Peste", "Albert Camus", nil, false), ("L'Étranger", "Kamel Daoud", nil, false),
        ] as [(String, String, String?, Bool)]
    )
    func withoutAWord(title: String, author: String, isbn: String?, isRight: Bool) throws {
        let book = BookCandidate(title: title, authors: [author], isbn: isbn)
        #expect(try Self.label().isNamed(by: book) == isRight)
    }

    @Test func aTranslationCountsWhereTheLabelSaysSo() throws {
        let label = try Self.label(accepted: ["The Stranger", "Der Fremde"])
        #expect(label.isNamed(by: BookCandidate(title: "The Stranger", authors: ["Albert Camus"])))
        #expect(label.isNamed(by: BookCandidate(title: "L'Étranger", authors: ["Albert Camus"])))
        #expect(!label.isNamed(by: BookCandidate(title: "The Stranger", authors: ["Harlan Coben"])))
        #expect(!label.isNamed(by: BookCandidate(title: "The Plague", authors: ["Albert Camus"])))
    }

    @Test func theLabelsNumberIsTheBook() throws {
        let label = try Self.label(isbn: "978-0-679-72020-1")
        #expect(label.isNamed(by: BookCandidate(title: "The Stranger", authors: ["A. Camus"], isbn: "0679720200")))
        #expect(!label.isNamed(by: BookCandidate(title: "The Stranger", authors: ["A. Camus"], isbn: "9780141182506")))
    }

    @Test func aCatalogueHasWhatCountsAsTheBook() throws {
        let translated = try BookCatalogue(
            books: [BookRecord(title: "The Stranger", authors: ["Albert Camus"])],
            name: "translated"
        )
        #expect(try !Self.label().isListed(in: translated))
        #expect(try Self.label(accepted: ["The Stranger"]).isListed(in: translated))
        // The article and the subtitle do not matter.
        let stranger = try #require(LabelledBook(Sample.made("b", title: "The Stranger", author: "Camus")))
        let other = try BookCatalogue(
            books: [BookRecord(title: "Stranger: A Novel", authors: ["Albert Camus"])],
            name: "other"
        )
        #expect(try stranger.isListed(in: other))
    }

    @Test func aDraftIsNeitherRightNorWrong() throws {
        let judge = try CatalogueScorer([ComposedVariant("upload")]).judge.judge
        let variant = Variant(name: "upload", tier: "upload", settings: [:])
        // Neither is held out (HeldOutBooks) nor is the second one in any list.
        let known = Sample.made("a", title: "Dune", author: "Frank Herbert")
        let unknown = Sample.made("b", title: "A Book That Nobody Wrote", author: "Nobody")
        func prediction(_ title: String, _ author: String, isDraft: Bool?) -> Prediction {
            var prediction = Prediction(lines: [])
            prediction.answer = BookCandidate(title: title, authors: [author])
            prediction.answer?.isDraft = isDraft
            return prediction
        }
        let draft = prediction("Dune", "Frank Herbert", isDraft: true)
        #expect(judge(variant, known, draft) == BookOutcome(.draft, isCatalogued: true))
        #expect(judge(variant, unknown, draft) == BookOutcome(.draft, isCatalogued: false))
        let answer = prediction("Dune", "Frank Herbert", isDraft: nil)
        #expect(judge(variant, known, answer) == BookOutcome(.right, isCatalogued: true))
        #expect(judge(variant, unknown, answer) == BookOutcome(.wrong, isCatalogued: false))
        #expect(judge(variant, unknown, Prediction(lines: [])) == BookOutcome(.abstained, isCatalogued: false))
    }

    /// A reader's catalogue is not known: from its first answer about a book on, each labelled book is asked of it.
    @Test func booksOfAReaderAreScored() throws {
        let judge = try CatalogueScorer([ComposedVariant(system: "mine=true")]).judge.judge
        let variant = Variant(name: "mine", tier: nil, settings: [:])
        var sample = Sample.made("a", title: "Dune", author: "Frank Herbert")
        sample.isbn = "9780441013593"
        func prediction(_ books: [BookCandidate]?) -> Prediction {
            var prediction = Prediction(lines: [])
            (prediction.books, prediction.answer) = (books, books?.first)
            return prediction
        }
        #expect(judge(variant, sample, nil) == nil)
        #expect(judge(variant, sample, prediction(nil)) == nil)
        #expect(judge(variant, sample, prediction([])) == BookOutcome(.abstained))
        #expect(judge(variant, sample, nil) == BookOutcome(.abstained))
        for book in [
            BookCandidate(title: "DUNE"), BookCandidate(title: "Dune", authors: ["F. Herbert"]),
            BookCandidate(title: "Der Wüstenplanet", isbn: "978-0-441-01359-3"),
        ] { #expect(judge(variant, sample, prediction([book])) == BookOutcome(.right, rank: 1)) }
        for book in [BookCandidate(title: "Emma"), BookCandidate(title: "Dune", authors: ["Jane Austen"])] {
            #expect(judge(variant, sample, prediction([book])) == BookOutcome(.wrong))
        }
    }
}
