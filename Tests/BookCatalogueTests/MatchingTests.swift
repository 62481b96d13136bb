import Basics
import BookCatalogue
import TestSupport
import Testing

@Suite struct CatalogueMatcherTests {
    /// Enough books that words differ in rarity.
    static let shelf: [BookRecord] =
        [
            BookRecord(title: "Number the Stars", authors: ["Lois Lowry"], isbn: ISBN("9780547577098")),
            BookRecord(title: "The Giver", authors: ["Lois Lowry"]),
            BookRecord(title: "Girl in Blue", authors: ["Ann Rinaldi"]),
            BookRecord(title: "The Staircase", authors: ["Ann Rinaldi"]),
            BookRecord(title: "Finishing Becca", authors: ["Ann Rinaldi"]),
            BookRecord(title: "Island of the Blue Dolphins", authors: ["Scott O'Dell"]),
            BookRecord(title: "Sarah Bishop", authors: ["Scott O'Dell"]),
            BookRecord(title: "Nineteen Eighty-Four", authors: ["George Orwell"]),
            BookRecord(title: "L'Hivern del món", authors: ["Ken Follett"]),
            BookRecord(title: "Proteínas vegetales: alternativas saludables", authors: ["Montse Bradford"]),
            BookRecord(title: "Emma", authors: ["Jane Austen"]),
            BookRecord(title: "The Gift of the Stars", authors: ["Mary Modern"]),
            BookRecord(title: "Война и мир", authors: ["Лев Толстой"]),
        ]
        + (1...400).map {
            BookRecord(
                title: "\(words[$0 % 20]) \(words[$0 / 20 % 20]) \(number($0))",
                authors: ["\(names[$0 % 16]) \(names[$0 % 13])son"]
            )
        }

    private static let words = """
        river mountain winter garden silver shadow letter secret summer window bridge castle forest market harbour island \
        journey morning thunder village
        """.split(separator: " ")
    private static let names = """
        Alba Bruno Clara Diego Elena Fabian Greta Hugo Irene Jonas Karin Lukas Maria Nadia Oscar Petra
        """.split { $0 == " " || $0 == "\n" }

    private static func number(_ value: Int) -> String {
        String(value).map {
            ["nil", "ein", "dos", "tri", "vir", "fem", "sis", "set", "vuit", "nou"][$0.wholeNumberValue ?? 0]
        }.joined()
    }

    static func matcher(_ books: [BookRecord] = shelf) throws -> CatalogueMatcher {
        try CatalogueMatcher(catalogue: BookCatalogue(books: books, name: "shelf"))
    }

    @Test(arguments: [
        (["LOWRY", "NUMBER THE STARS", "YEARLING"], "Number the Stars"),  // with an imprint
        (["YEARLING", "NUMBER THE STARS", "LOWRY"], "Number the Stars"),  // in another order
        (["L0WRY", "NUMBER THE 5TARS"], "Number the Stars"),  // 0/O and 5/S
        (["Rinaldi", "FinishingBecca"], "Finishing Becca"),  // glued
        (["RINALDI", "FIN ISHING BE CCA"], "Finishing Becca"),  // split
        (["Ann Rinaldi", "The Staircasc"], "The Staircase"),  // misread
        (["Mary Modem", "The Gift ofthe Stars"], "The Gift of the Stars"),  // rn/m
        // a label, and cut off
        (["613.2 Bra Proteinas vegetales Montse Bradf"], "Proteínas vegetales: alternativas saludables"),
        (["KEN FOLLETT", "L'HIVERN DEL MON"], "L'Hivern del món"),  // without marks
        (["Лев Толстой", "ВОЙНА И МИР"], "Война и мир"),  // another script
    ])
    func bearsWhatReadersDo(lines: [String], title: String) throws {
        let result = try Self.matcher().match(lines)
        #expect(result.answer?.book.title == title)
        #expect(result.candidates.first?.book.title == title)
    }

    @Test(arguments: [
        [], [""], ["!!!"], ["Rinaldi"], ["LOWRY"], ["PENGUIN", "12"], ["Ann Rinaldi", "Wolf by the Ears"],
        ["qwrtzp", "xkcdvb"], ["😀😀"], ["日本語の本"], ["ملف"],
    ])
    func namesNothingWhereNothingIsSure(lines: [String]) throws {
        #expect(try Self.matcher().match(lines).answer == nil)
    }

    @Test(arguments: ["978-0-547-57709-8", "ISBN 0547577095 SARAH BISHOP SCOTT O'DELL", "9780547577098"])
    func anISBNWins(text: String) throws {
        let answer = try Self.matcher().match([text]).answer
        #expect(answer?.book.title == "Number the Stars")
        #expect((answer?.confidence ?? 0) > 0.99)
    }

    @Test func anISBNThatIsNotThereChangesNothing() throws {
        let answer = try Self.matcher().match(["978-0-306-40615-7", "SARAH BISHOP", "SCOTT O'DELL"]).answer
        #expect(answer?.book.title == "Sarah Bishop")
    }

    @Test func aBookThatIsTakenOutIsNotReplacedByItsAuthorsOtherBooks() throws {
        let rest = Self.shelf.filter { $0.title != "Girl in Blue" }
        #expect(try Self.matcher(rest).match(["RINALDI", "Girl in Blue"]).answer == nil)
    }

    @Test func theAuthorsNameInATitleNamesNoBook() throws {
        let rest =
            Self.shelf.filter { $0.title != "Girl in Blue" }
            + [BookRecord(title: "Ann Rinaldi: Five Stories", authors: ["Ann Rinaldi"])]
        #expect(try Self.matcher(rest).match(["ANN RINALDI", "Girl in Blue"]).answer == nil)
        let answer = try Self.matcher(rest).match(["ANN RINALDI", "FIVE STORIES"]).answer
        #expect(answer?.book.title == "Ann Rinaldi: Five Stories")
    }

    /// "wan" is "war" with one letter misread, "sea" is another title's word.
    @Test(arguments: [("WAN", true), ("SEA", false)])
    func aShortWordThatIsMisreadIsNoOtherTitles(word: String, isMisread: Bool) throws {
        let books =
            Self.shelf + [
                BookRecord(title: "Civil War Spies", authors: ["Camilla Wilson"]),
                BookRecord(title: "Wan Faces", authors: ["Petra Moor"]),
                BookRecord(title: "Sea Faces", authors: ["Petra Moor"]),
            ]
        let found = try Self.matcher(books).explain([("WILSON", 1), ("CIVIL \(word) SPIES", 1)], limit: 1)
        #expect(found.result.candidates.first?.book.title == "Civil War Spies")
        #expect((try #require(found.evidence.first).replacedBits == 0) == isMisread)
    }

    @Test func candidatesComeBestFirstAndNoMoreThanAsked() throws {
        let matcher = try Self.matcher()
        let result = try matcher.match(["RINALDI", "THE STAIRCASE"], limit: 3)
        #expect(result.candidates.count == 3)
        #expect(result.candidates.map(\.confidence) == result.candidates.map(\.confidence).sorted(by: >))
        #expect(try matcher.match(["RINALDI"], limit: 0).candidates.isEmpty)
    }

    @Test func editionsAreNoRivals() throws {
        let twice = Self.shelf + [BookRecord(title: "Girl in Blue", authors: ["Ann Rinaldi"], publisher: "Scholastic")]
        #expect(try Self.matcher(twice).match(["RINALDI", "Girl in Blue"]).answer?.book.title == "Girl in Blue")
    }

    @Test func hugeTextIsBorne() throws {
        let noise = Array(repeating: "winter garden castle 123 zzz", count: 3000)
        _ = try Self.matcher().match(noise + [String(repeating: "a", count: 100_000)])
    }

    /// Taken apart at every letter, and both parts hashed to their ends, it would take hours.
    @Test(.endsWhatHangs) func aHugeWordIsNotTakenApart() throws {
        _ = try Self.matcher().match([String(repeating: "abcdefgh", count: 250_000)])
    }

    @Test func whatNobodyWaitsForIsGivenUp() async throws {
        let matcher = try Self.matcher()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try matcher.match(["RINALDI", "THE STAIRCASE"])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func catalogueOfOneBookAndOfNone() throws {
        let one = try Self.matcher([BookRecord(title: "Dune", authors: ["Frank Herbert"])])
        #expect(try one.match(["DUNE", "FRANK HERBERT"]).candidates.first?.book.title == "Dune")
        #expect(try Self.matcher([]).match(["DUNE"]).candidates.isEmpty)
    }

    @Test func theSameTextGivesTheSameEachTime() throws {
        let (first, second) = (try Self.matcher(), try Self.matcher())
        for text in ["silver window", "Clara Diegoson", "THE STARS"] {
            #expect(try first.match([text]) == second.match([text]))
        }
    }
}
