import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Labels as a format's program prints them; `Tests/formats` tests the programs.
@Suite struct ImportRecordTests {
    private func fixture(_ records: String..., width: Int = 100, height: Int = 60) throws -> ImportFixture {
        let fixture = try ImportFixture(records: records)
        try fixture.picture("images/a.png", width: width, height: height)
        return fixture
    }

    private func imported(
        _ record: String,
        width: Int = 100,
        height: Int = 60,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportFixture.Outcome {
        try fixture(#"{"image": "a.png", \#(record)}"#, width: width, height: height).imported("", change)
    }

    private static func region(_ points: String, _ more: String = "") -> String { "{\"points\": \(points)\(more)}" }

    private static func box(_ x: Int, _ y: Int, _ right: Int, _ bottom: Int, _ more: String = "") -> String {
        region("[[\(x), \(y)], [\(right), \(y)], [\(right), \(bottom)], [\(x), \(bottom)]]", more)
    }

    @Test func linesMakeTheTextsOfASpine() throws {
        let lines = [
            Self.box(10, 20, 60, 28, #", "text": "1984", "role": "title""#),
            Self.box(5, 40, 45, 50, #", "text": "Orwell", "role": "author""#),
            Self.region("[[60, 5], [90, 5], [90, 9], [75, 10], [60, 9]]", #", "text": "x  y""#),
            Self.box(0, 0, 5, 5, #", "text": null"#),
        ]
        let outcome = try imported(#""lines": [\#(lines.joined(separator: ","))]"#)
        let sample = try #require(outcome.samples.first)
        #expect(sample.id == "a" && sample.image == "images/a.png" && sample.outline == nil)
        #expect(sample.title == "1984" && sample.author == "Orwell" && sample.transcription == "1984 Orwell x y")
        #expect(sample.lines?.map(\.role) == [.title, .author, nil])
        #expect(sample.lines?[0].quad == .of(10, 20, 60, 20, 60, 28, 10, 28))
        // The smallest rectangle around the five corners, by hand.
        #expect(sample.lines?[2].quad == .of(60, 5, 90, 5, 90, 10, 60, 10))
        #expect(sample.orientation == .upright)
        let notes = outcome.report.notes
        #expect(
            [notes[.orientationGuessed], notes[.unreadableLine], notes[.polygonBoxed], notes[.titleFromRoles]] == [
                1, 1, 1, 1,
            ]
        )
    }

    @Test func oneSpineIsAnOutlineAndSeveralAreAShelf() throws {
        let left = Self.region("[[2, 0], [40, 0], [40, 60], [2, 60]]")
        let right = Self.box(50, 0, 90, 60, #", "fields": {"title": "Right", "language": "en"}, "text": "All of it""#)
        let lines =
            #""lines": [\#(Self.box(10, 5, 20, 55, #", "text": "Left", "role": "title""#)), \#(Self.box(92, 5, 98, 11, #", "text": "exit""#))]"#
        let single = try imported(#""spines": [\#(left)], \#(lines)"#)
        #expect(single.shelves.isEmpty)
        #expect(single.samples.first?.outline == .of(2, 0, 40, 0, 40, 60, 2, 60))
        #expect(single.samples.first?.lines?.count == 2)
        let outcome = try imported(#""spines": [\#(right), \#(left)], \#(lines)"#)
        #expect(outcome.samples.isEmpty && outcome.report.contents == "1 shelf with 2 spines")
        let books = try #require(outcome.shelves.first?.books)
        #expect(books.map(\.title) == ["Left", "Right"] && books.map(\.transcription) == ["Left", "All of it"])
        #expect(books.map { $0.lines?.count } == [1, 0])
        #expect(books[1].language == "en" && books[1].legible)
        // A shelf may omit unlabelled values.
        #expect(books[1].orientation == nil && books[1].category == nil)
        #expect(outcome.report.notes[.strayLine] == 1)
    }

    /// Percent of 200 × 100 pixels, in hundredths of a pixel.
    @Test func sharesOfThePictureBecomePixels() throws {
        let line = Self.region("[[0.1, 0.2], [0.6, 0.2], [0.6, 0.3], [0.10001, 0.3]]", #", "text": "Das Schloß""#)
        let outcome = try imported(#""relative": true, "size": [9, 9], "lines": [\#(line)]"#, width: 200, height: 100)
        #expect(outcome.samples.first?.lines?.first?.quad == .of(20, 20, 120, 20, 120, 30, 20, 30))
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
        let line = Self.region("[\(points)]", #", "text": "Title", "role": "author", "ordered": true"#)
        let outcome = try imported(#""lines": [\#(line)]"#, width: 40, height: 100)
        let sample = try #require(outcome.samples.first)
        #expect(sample.title == nil && sample.author == "Title" && sample.orientation == orientation)
        #expect(sample.lines?.first?.quad?.topLeft == quad.corners[start])
        #expect((outcome.report.notes[.orientationGuessed] != nil) == isGuess)
        #expect((outcome.report.notes[.orientationFromLines] != nil) != isGuess)
        // An outline that begins where the text does tells it, too.
        let outline = try imported(#""spines": [\#(line)]"#, width: 40, height: 100)
        #expect(outline.samples.first?.orientation == orientation && outline.samples.first?.outline == quad)
    }

    /// A turned shape has its final position already; the turn gives the corner from which its text is read.
    @Test func aStatedTurnTellsWhereTheTextBegins() throws {
        let line = Self.box(10, 20, 50, 28, #", "text": "Title", "turn": 180"#)
        let sample = try #require(try imported(#""lines": [\#(line)]"#).samples.first)
        #expect(sample.orientation == .inverted && sample.lines?.first?.quad == .of(50, 28, 10, 28, 10, 20, 50, 20))
    }

    @Test func theLongestLineCanStandInForTheTitle() throws {
        let lines = [Self.box(1, 1, 9, 9, #", "text": "A""#), Self.box(1, 11, 30, 19, #", "text": "The Title""#)]
        let outcome = try imported(#""lines": [\#(lines.joined(separator: ","))]"#) {
            $0.takesLongestLineForTitle = true
        }
        #expect(outcome.samples.first?.title == "The Title")
        #expect(outcome.report.notes[.titleFromLongestLine] == 1)
        #expect(try outcome.text(of: "CARD.md").contains("* 1 title guessed: the longest line"))
        #expect(try imported(#""lines": []"#).text(of: "samples.jsonl").contains("\"title\":null"))
    }

    @Test func noLinesAtAllMakeAnIllegibleSpine() throws {
        let outcome = try imported(#""lines": []"#)
        let sample = try #require(outcome.samples.first)
        #expect(!sample.legible && sample.transcription.isEmpty && sample.lines == [])
        #expect(outcome.report.notes[.notLegible] == 1)
    }

    @Test(
        "what is wrong has the record's place",
        arguments: [
            (Self.box(1, 1, 500, 9, #", "text": "T""#), "", "the line \"T\" is outside the picture of 100 × 60 pixels"),
            (
                Self.box(1, 1, 9, 9), #", "size": [200, 120]"#,
                "the labels expect a picture of 200 × 120 pixels, but the file has 100 × 60"
            ),
        ]
    )
    func faults(_ line: String, _ more: String, _ message: String) throws {
        let record = #"{"image": "a.png", "file": "x.json", "record": "image 7", "lines": [\#(line)]\#(more)}"#
        let found = try fixture(record).faults()
        #expect(found.count == 1 && found[0].hasPrefix("x.json: image 7: \(message)"), "\(found)")
    }

    /// Label Studio 1.16 and X-AnyLabeling, local files and percent-encoding; the picture is images/a.png.
    @Test(
        arguments: [
            ("../../label-studio/data/media/upload/4/1a2b3c4d-a.png", 0), (#"..\\..\\media\\upload\\4\\a.png"#, 1),
            (#"images\\1/a.png"#, 1), ("data/local-files/?d=set/a.png", 1), ("images/%61.png", 0),
            ("file:///C:/set/a.png", 1), ("https://host/a.png?token=1", 0), ("other/a.png", 1), ("a.png", 0),
        ]
    )
    func picturesFoundByNameAloneAreCounted(_ path: String, _ displaced: Int) throws {
        let fixture = try fixture(#"{"image": "\#(path)", "lines": [\#(Self.box(1, 1, 9, 5, #", "text": "T""#))]}"#)
        try fixture.picture("images/b.png")
        let outcome = try fixture.imported()
        #expect(outcome.samples.map(\.transcription) == ["T"] && outcome.report.notes[.unusedPicture] == 1)
        #expect(outcome.report.notes[.displacedPicture] ?? 0 == displaced)
    }

    /// Labels of a picture that is stored as 40 × 20 pixels and seen as 20 × 40, one box, and its position.
    @Test(
        "the stated size tells what coordinates refer to",
        arguments: [
            ("[20, 40]", [2, 4, 12, 24], nil, Quad.of(2, 4, 12, 4, 12, 24, 2, 24)),
            ("[40, 20]", [4, 2, 24, 12], nil, .of(8, 4, 18, 4, 18, 24, 8, 24)),
            // Label Studio states the stored size; this box is not in it.
            ("[40, 20]", [2, 4, 12, 34], nil, .of(2, 4, 12, 4, 12, 34, 2, 34)),
            ("[40, 20]", [2, 4, 12, 16], CoordinateFrame.upright, .of(2, 4, 12, 4, 12, 16, 2, 16)),
            ("[20, 40]", [4, 2, 24, 12], .stored, .of(8, 4, 18, 4, 18, 24, 8, 24)),
        ] as [(String, [Int], CoordinateFrame?, Quad)]
    )
    func frames(_ size: String, _ box: [Int], _ frame: CoordinateFrame?, _ expected: Quad) throws {
        let line = Self.box(box[0], box[1], box[2], box[3], #", "text": "Title""#)
        let fixture = try ImportFixture(records: [#"{"image": "a.jpg", "size": \#(size), "lines": [\#(line)]}"#])
        try fixture.folder.write(ImportFixture.jpeg(orientation: 6), "source/a.jpg")
        let outcome = try fixture.imported("") { $0.frame = frame }
        let quad = try #require(outcome.samples.first?.lines?.first?.quad)
        #expect(Set(quad.corners) == Set(expected.corners))
        #expect(quad.direction == outcome.samples.first?.orientation)
    }

    /// The width and height of a mask are those of the pixels it was made of, whatever the picture's record states.
    ///
    /// The file is stored as 40 × 20 pixels. Of a mask at another size, the record's counts.
    @Test(
        "a mask states what coordinates refer to",
        arguments: [
            (6, "[20, 40]", "[40, 20]", [4, 2, 24, 12], Quad.of(8, 4, 18, 4, 18, 24, 8, 24)),
            (6, "[40, 20]", "[40, 20]", [4, 2, 24, 12], .of(8, 4, 18, 4, 18, 24, 8, 24)),
            (6, "[40, 20]", "[20, 40]", [4, 2, 20, 12], .of(4, 2, 20, 2, 20, 12, 4, 12)),
            (6, "[20, 40]", "[20, 40]", [4, 2, 20, 12], .of(4, 2, 20, 2, 20, 12, 4, 12)),
            (8, "[20, 40]", "[40, 20]", [4, 2, 20, 12], .of(2, 20, 12, 20, 12, 36, 2, 36)),
            (8, "[40, 20]", "[20, 40]", [4, 2, 20, 12], .of(4, 2, 20, 2, 20, 12, 4, 12)),
            (6, "[20, 40]", "[256, 256]", [4, 2, 20, 12], .of(4, 2, 20, 2, 20, 12, 4, 12)),
        ] as [(UInt8, String, String, [Int], Quad)]
    )
    func masks(_ orientation: UInt8, _ size: String, _ mask: String, _ box: [Int], _ expected: Quad) throws {
        let line = Self.box(box[0], box[1], box[2], box[3], #", "text": "Title""#)
        let fixture = try ImportFixture(records: [
            #"{"image": "a.jpg", "size": \#(size), "mask": \#(mask), "lines": [\#(line)]}"#
        ])
        try fixture.folder.write(ImportFixture.jpeg(orientation: orientation), "source/a.jpg")
        let quad = try #require(try fixture.imported().samples.first?.lines?.first?.quad)
        #expect(Set(quad.corners) == Set(expected.corners))
    }
}
