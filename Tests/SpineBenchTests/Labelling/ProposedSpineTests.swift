import BookCatalogue
import Imaging
import ScanningPipeline
import SpineDatasets
import Testing
import TextRecognition

@testable import spinebench_tools

@Suite struct ProposedSpineTests {
    private static let outline = Quad(left: 0, top: 0, right: 40, bottom: 400)

    /// Proposes lines that follow each other, or at given places, in letters of 10 pixels' width.
    private func proposal(
        _ lines: [String],
        _ books: BookRecord...,
        places: [Quad]? = nil,
        confidence: Double = 0.99
    ) throws -> ProposedSpine {
        var start = 0.0
        let quads =
            places
            ?? lines.map { line in
                let end = start + 10 * Double(line.count)
                defer { start = end + 20 }
                return Quad(left: start, top: 0, right: end, bottom: 20)
            }
        let reading = SpineReading(
            lines: zip(lines, quads).map { RecognizedLine(text: $0, confidence: 1, quad: $1) },
            orientation: .counterclockwise,
            timings: StageTimings()
        )
        let matches = books.enumerated().map { BookMatch(book: $1, confidence: confidence - Double($0) / 10) }
        return ProposedSpine(
            Self.outline,
            reading,
            try NamedText(reading.lines, on: .shelf) { _ in MatchResult(candidates: matches, answer: matches.first) }
        )
    }

    @Test func withoutABookTheTextWithMostInkIsTheTitle() throws {
        let spine = try proposal(["HESSE", "4", "Includes 2", "Out of the Dust"])
        #expect(spine.lines == ["HESSE", "Includes 2", "Out of the Dust"])
        #expect(spine.title == "Out of the Dust" && spine.titleLines == [2])
        #expect(spine.author == "HESSE" && spine.authorLines == [0])
        #expect(spine.orientation == .counterclockwise && spine.category == .vertical)
    }

    /// The larger of two texts is mostly the title, but not if it is the author of a book that the text may be of.
    @Test func aKnownAuthorInLargeLettersIsNoTitle() throws {
        let other = BookRecord(id: 1, title: "A Wizard of Earthsea", authors: ["Ursula K. Le Guin"])
        let spine = try proposal(["URSULA K LE GUIN", "LAVINIA"], other, confidence: 0.2)
        #expect(spine.title == "LAVINIA" && spine.author == "URSULA K LE GUIN")
        #expect(try proposal(["URSULA K LE GUIN"], other, confidence: 0.2).title == "URSULA K LE GUIN")
    }

    @Test func candidatesOfOneMainTitleAreOne() throws {
        let titles = ["Mystery: A Novel", "Mystery", "Mystery: The Guide", "Crow"]
        let books = titles.enumerated().map { BookRecord(id: Int64($0 + 1), title: $1, authors: []) }
        #expect(try proposal(["MYSTERY"], books[0], books[1], books[2], books[3]).candidates == ["Mystery", "Crow"])
    }

    @Test func rowsOfATitleAreOneText() throws {
        // The author in small letters along the spine, then two rows of larger ones.
        let places = [
            Quad(left: 0, top: 5, right: 190, bottom: 25), Quad(left: 200, top: 0, right: 350, bottom: 30),
            Quad(left: 200, top: 34, right: 380, bottom: 64),
        ]
        let spine = try proposal(["ANN RINALDI THE WRITER", "A BREAK", "WITH CHARITY"], places: places)
        #expect(spine.title == "A BREAK WITH CHARITY" && spine.titleLines == [1, 2])
        #expect(spine.author == "ANN RINALDI THE WRITER" && spine.authorLines == [0])
    }

    @Test func aBookGivesItsMainTitleAndTheAuthorAsPrinted() throws {
        let book = BookRecord(id: 1, title: "March Toward the Thunder: A Novel", authors: ["Joseph Bruchac"])
        let spine = try proposal(["BRUCHAC", "MARCH", "TOWARO THE", "THUNDER", "Dial"], book)
        #expect(spine.title == "March Toward the Thunder" && spine.titleLines == [1, 2, 3])
        #expect(spine.author == "BRUCHAC" && spine.authorLines == [0])
        #expect(spine.candidates == ["March Toward the Thunder"])
    }

    @Test(
        arguments: [
            ("TRUE NORTH LASKY", "LASKY"), ("KATHRYN LASKY TRUE NORTH", "KATHRYN LASKY"), ("TRUE NORTH", nil),
        ] as [(String, String?)]
    )
    func aLineOfTitleAndAuthorIsSplit(_ line: String, _ author: String?) throws {
        let spine = try proposal([line], BookRecord(id: 1, title: "True North", authors: ["Kathryn Lasky"]))
        #expect(spine.title == "True North" && spine.titleLines == [0])
        #expect(spine.author == author && spine.authorLines == [])
    }

    @Test func aPrintedSubtitleIsProposed() throws {
        let book = BookRecord(id: 1, title: "Anne Frank: The Diary of a Young Girl", authors: ["Anne Frank"])
        #expect(try proposal(["ANNE FRANK: THE DIARY OF A YOUNG GIRL"], book).title == book.title)
        #expect(try proposal(["ANNE FRANK"], book).title == "Anne Frank")
    }

    @Test func aSpineWithoutTextHasOnlyItsShape() throws {
        let spine = try proposal(["|"])
        #expect(spine.title == nil && spine.author == nil && spine.lines == [])
    }
}
