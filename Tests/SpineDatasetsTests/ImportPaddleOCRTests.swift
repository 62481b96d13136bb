import Foundation
import Imaging
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Import of labels in the form of PaddleOCR's documentation of detection data.
@Suite struct ImportPaddleOCRTests {
    private func fixture(_ labels: String, width: Int = 40, height: Int = 100) throws -> ImportFixture {
        let fixture = try ImportFixture("paddleocr")
        try fixture.picture("img/a.png", width: width, height: height)
        try fixture.write(labels, "Label.txt")
        return fixture
    }

    @Test func linesBecomeLines() throws {
        let labels = """
            \u{FEFF}img/a.png\t[{"transcription": "Größe, “本”", "points": [[30, 10], [30, 60], [10, 60], [10, 10]], "difficult": false}, \
            {"transcription": "###", "points": [[5, 70], [9, 70], [9, 80], [5, 80]], "difficult": true}, \
            {"transcription": "MANN", "points": [[25, 70], [25, 90], [12.5, 90], [12.5, 70]], "key_cls": "author"}]\r

            """
        let outcome = try fixture(labels).imported()
        let sample = try #require(outcome.samples.first)
        #expect(sample.transcription == "Größe, “本” MANN")
        #expect(sample.lines?.map(\.text) == ["Größe, “本”", "MANN"])
        #expect(sample.lines?[1].quad == .of(25, 70, 25, 90, 12.5, 90, 12.5, 70))
        #expect(sample.title == nil && sample.author == "MANN" && sample.legible)
        // Upper right to lower right corner: the text runs down.
        #expect(sample.orientation == .clockwise && sample.category == .vertical)
        #expect(outcome.report.notes[.unreadableLine] == 1)
        #expect(outcome.report.notes[.orientationFromLines] == 1)
        #expect(try outcome.text(of: "samples.jsonl").contains("\"title\":null"))
    }

    @Test(arguments: ["\n", "\r\n\r\n", " \n\t\n", "\u{FEFF}\n", "\n\n\n"])
    func blankLinesBeforeTheFirstLabelAreNone(_ before: String) throws {
        let label = "img/a.png\t[{\"transcription\": \"T\", \"points\": [[1, 1], [9, 1], [9, 5], [1, 5]]}]\n\n"
        #expect(try fixture(before + label).imported().samples.map(\.transcription) == ["T"])
    }

    /// Four corners as the source has them, how the text runs, and where its reader begins then.
    @Test(
        "corners tell the direction unless they are ordered by the picture",
        arguments: [
            (Quad.of(10, 10, 30, 10, 30, 18, 10, 18), SampleOrientation.upright, 0, false),
            (Quad.of(30, 10, 30, 60, 10, 60, 10, 10), .clockwise, 0, false),
            (Quad.of(10, 60, 10, 10, 30, 10, 30, 60), .counterclockwise, 0, false),
            (Quad.of(30, 18, 10, 18, 10, 10, 30, 10), .inverted, 0, false),
            // A tall box begun at its top left: no text of that length is so narrow.
            (Quad.of(10, 10, 30, 10, 30, 60, 10, 60), .clockwise, 1, true),
        ]
    )
    func directions(_ quad: Quad, _ orientation: SampleOrientation, _ start: Int, _ isGuess: Bool) throws {
        let points = quad.corners.map { "[\($0.x), \($0.y)]" }.joined(separator: ",")
        let outcome = try fixture("img/a.png\t[{\"transcription\": \"Title\", \"points\": [\(points)]}]").imported()
        let sample = try #require(outcome.samples.first)
        #expect(sample.orientation == orientation)
        #expect(sample.lines?.first?.quad?.topLeft == quad.corners[start])
        #expect((outcome.report.notes[.orientationGuessed] != nil) == isGuess)
    }

    @Test func aPolygonBecomesTheSmallestRectangle() throws {
        let points = "[[10, 10], [20, 10], [30, 10], [30, 20], [20, 20], [10, 20]]"
        let outcome = try fixture("img/a.png\t[{\"transcription\": \"Title\", \"points\": \(points)}]").imported()
        #expect(outcome.samples.first?.lines?.first?.quad == .of(10, 10, 30, 10, 30, 20, 10, 20))
        #expect(outcome.report.notes[.polygonBoxed] == 1)
    }

    @Test func theLongestLineCanStandInForTheTitle() throws {
        let labels = """
            img/a.png\t[{"transcription": "A", "points": [[1, 1], [9, 1], [9, 9], [1, 9]]}, \
            {"transcription": "The Title", "points": [[1, 11], [30, 11], [30, 19], [1, 19]]}]
            """
        let outcome = try fixture(labels).imported("") { $0.takesLongestLineForTitle = true }
        #expect(outcome.samples.first?.title == "The Title")
        #expect(outcome.report.notes[.titleFromLongestLine] == 1)
        #expect(try outcome.text(of: "CARD.md").contains("* 1 title guessed: the longest line"))
    }

    @Test func noLinesAtAllMakeAnIllegibleSpine() throws {
        let outcome = try fixture("img/a.png\t[]\n").imported()
        let sample = try #require(outcome.samples.first)
        #expect(!sample.legible && sample.transcription.isEmpty && sample.lines == [])
        #expect(outcome.report.notes[.notLegible] == 1)
    }

    @Test func pathsFromAnotherFolderAreFound() throws {
        #expect(try fixture("train_data/set/img/a.png\t[]\n").imported().samples.count == 1)
        #expect(try fixture("a.png\t[]\n").imported().samples.count == 1)
        #expect(try fixture("img\\a.png\t[]\n").imported().samples.count == 1)
        // Of another machine's path, the one picture of that name is meant.
        #expect(try fixture("other/a.png\t[]\n").imported().samples.count == 1)
        #expect(try fixture("other/c.png\t[]\n").faults().first?.contains("does not exist") == true)
    }

    @Test(
        "bad lines are told",
        arguments: [
            ("img/a.png []", "Label.txt:1: 1 fields; expected a picture's path, a tab and a JSON list"),
            ("img/a.png\t[]\t", "Label.txt:1: 3 fields"),
            ("img/a.png\t[}", "Label.txt:1: not valid JSON: column 2: "),
            ("img/a.png\t{}", "Label.txt:1: expected a list of lines, found an object"),
            ("img/a.png\t[7]", "Label.txt:1: line of text 1: is a number; expected an object"),
            (
                "img/a.png\t[{\"points\": []}]",
                "Label.txt:1: line of text 1: \"transcription\" is missing; expected text"
            ),
            (
                "img/a.png\t[{\"transcription\": \"T\"}]",
                "Label.txt:1: line of text 1: \"points\" are not four or more pairs"
            ),
            (
                "img/a.png\t[{\"transcription\": \"T\", \"points\": [[1, 1], [2, 2], [3, 3], [4, 4]]}]",
                "Label.txt:1: line of text 1: \"points\" have no area"
            ),
            (
                "img/a.png\t[{\"transcription\": \"T\", \"points\": [[1, 1], [1e999, 1], [9, 9], [1, 9]]}]",
                "Label.txt:1: not valid JSON: "
            ),
            (
                "img/a.png\t[{\"transcription\": \"T\", \"points\": [[1, 1], [900, 1], [900, 9], [1, 9]]}]",
                "Label.txt:1: the line \"T\" is outside the picture of 40 × 100 pixels"
            ),
            ("/etc/../c.png\t[]", "Label.txt:1: picture \"/etc/../c.png\" is outside the source"),
        ]
    )
    func faults(_ line: String, _ message: String) throws {
        let found = try fixture(line).faults("Label.txt")
        #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }
}
