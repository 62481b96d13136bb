import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct ImportCOCOTests {
    private let categories = """
        [{"id": 1, "name": "Book Spine"}, {"id": 2, "name": "title"}, {"id": 3, "name": "author"}, {"id": 4, "name": "cat"}, \
        {"id": 5, "name": "text"}]
        """

    private func fixture(
        _ annotations: [String],
        images: String = #"[{"id": 7, "file_name": "a.png", "width": 100, "height": 60}]"#,
        categories: String? = nil
    ) throws -> ImportFixture {
        let fixture = try ImportFixture("coco")
        try fixture.picture("images/a.png", width: 100, height: 60)
        try fixture.write(
            """
            {"images": \(images), "categories": \(categories ?? self.categories),
             "annotations": [\(annotations.joined(separator: ",\n"))]}
            """,
            "instances.json"
        )
        return fixture
    }

    @Test func boxesAndPolygonsWithTextAreLines() throws {
        let fixture = try fixture([
            #"{"id": 1, "image_id": 7, "category_id": 2, "bbox": [10, 20, 50, 8], "attributes": {"text": 1984}}"#,
            #"{"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[5, 40, 45, 40, 45, 50, 5, 50]], "caption": "Orwell"}"#,
            #"{"id": 3, "image_id": 7, "category_id": 5, "segmentation": [[60, 5, 90, 5, 90, 9, 75, 10, 60, 9]], "transcription": "x\ty"}"#,
            #"{"id": 4, "image_id": 7, "category_id": 4, "bbox": [0, 0, 5, 5]}"#,
            ####"{"id": 5, "image_id": 7, "category_id": 5, "bbox": [0, 0, 5, 5], "utf8_string": "###"}"####,
        ])
        let outcome = try fixture.imported()
        let sample = try #require(outcome.samples.first)
        #expect(sample.id == "a" && sample.image == "images/a.png" && sample.outline == nil)
        #expect(sample.title == "1984" && sample.author == "Orwell" && sample.transcription == "1984 Orwell x y")
        #expect(sample.lines?.map(\.role) == [.title, .author, nil])
        #expect(sample.lines?[0].quad == .of(10, 20, 60, 20, 60, 28, 10, 28))
        // The smallest rectangle around the five corners, by hand.
        #expect(sample.lines?[2].quad == .of(60, 5, 90, 5, 90, 10, 60, 10))
        #expect(sample.orientation == .upright && outcome.report.notes[.orientationGuessed] == 1)
        #expect(outcome.report.notes[.otherAnnotation] == 1)
        #expect(outcome.report.notes[.unreadableLine] == 1)
        #expect(outcome.report.notes[.polygonBoxed] == 1)
    }

    /// Label Studio 1.16 and X-AnyLabeling, local files and percent-encoding; the picture is images/a.png.
    @Test(
        arguments: [
            ("../../label-studio/data/media/upload/4/1a2b3c4d-a.png", 0), (#"..\\..\\media\\upload\\4\\a.png"#, 1),
            (#"images\\1/a.png"#, 1), ("data/local-files/?d=set/a.png", 1), ("images/%61.png", 0),
            ("file:///C:/set/a.png", 1), ("https://host/a.png?token=1", 0),
        ]
    )
    func pathsOfOtherMachines(_ path: String, _ displaced: Int) throws {
        let line = #"{"id": 1, "image_id": 7, "category_id": 2, "bbox": [10, 20, 50, 8], "attributes": {"text": "T"}}"#
        let outcome = try fixture([line], images: #"[{"id": 7, "file_name": "\#(path)"}]"#).imported()
        #expect(outcome.samples.map(\.title) == ["T"])
        #expect(outcome.report.notes[.displacedPicture] ?? 0 == displaced)
    }

    @Test func aPathOutOfTheFolderIsNeverOpened() throws {
        let fixture = try fixture([], images: #"[{"id": 7, "file_name": "../../../../etc/hostname"}]"#)
        #expect(
            try fixture.faults() == [
                "instances.json: image 7: picture \"../../../../etc/hostname\" is outside the source, and no picture of its name is in source"
            ]
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["source"])
    }

    @Test func oneSpineIsAnOutlineAndSeveralAreAShelf() throws {
        let spines = [
            #"{"id": 1, "image_id": 7, "category_id": 1, "bbox": [50, 0, 40, 60], "attributes": {"title": "Right", "language": "en"}}"#,
            #"{"id": 2, "image_id": 7, "category_id": 1, "segmentation": [[2, 0, 40, 0, 40, 60, 2, 60]]}"#,
        ]
        let lines = [
            #"{"id": 3, "image_id": 7, "category_id": 2, "bbox": [10, 5, 10, 50], "attributes": {"text": "Left"}}"#,
            #"{"id": 4, "image_id": 7, "category_id": 5, "bbox": [92, 5, 6, 6], "attributes": {"text": "exit"}}"#,
        ]
        let single = try fixture([spines[1]] + lines).imported()
        #expect(single.shelves.isEmpty)
        #expect(single.samples.first?.outline == .of(2, 0, 40, 0, 40, 60, 2, 60))
        #expect(single.samples.first?.lines?.count == 2)
        let outcome = try fixture(spines + lines).imported()
        #expect(outcome.samples.isEmpty && outcome.report.contents == "1 shelf with 2 spines")
        let books = try #require(outcome.shelves.first?.books)
        #expect(books.map(\.title) == ["Left", "Right"])
        #expect(books.map { $0.lines?.count } == [1, 0])
        #expect(books[1].language == "en" && books[1].transcription == "Right" && books[1].legible)
        // A shelf may omit unlabelled values.
        #expect(books[1].orientation == nil && books[1].category == nil)
        #expect(outcome.report.notes[.strayLine] == 1)
    }

    @Test func cocoTextHasObjectsForLists() throws {
        let fixture = try ImportFixture("coco")
        try fixture.picture("COCO_train2014_000000217925.png", width: 100, height: 60)
        try fixture.write(
            """
            {"cats": {}, "imgToAnns": {"217925": [45346, 45347]},
             "imgs": {"217925": {"id": 217925, "file_name": "COCO_train2014_000000217925.png", "width": 100, "height": 60}},
             "anns": {"45347": {"id": 45347, "image_id": 217925, "bbox": [1, 1, 9, 9], "legibility": "illegible"},
              "45346": {"mask": [10, 10, 60, 10, 60, 20, 10, 20], "class": "machine printed", "bbox": [10, 10, 50, 10],
               "image_id": 217925, "id": 45346, "language": "english", "utf8_string": "New", "legibility": "legible"}}}
            """,
            "cocotext.v2.json"
        )
        let outcome = try fixture.imported()
        #expect(outcome.samples.first?.lines?.map(\.text) == ["New"])
        #expect(outcome.samples.first?.title == nil)
        #expect(outcome.report.notes[.unreadableLine] == 1)
    }

    /// CVAT writes the box before its turn; by hand: (10, 20) and 40 × 8 pixels, turned clockwise around (30, 24).
    @Test(
        "a turned box is turned around its middle, and its text is read from its first corner",
        arguments: [
            ("90", Quad.of(34, 4, 34, 44, 26, 44, 26, 4), SampleOrientation.clockwise),
            ("90.0", .of(34, 4, 34, 44, 26, 44, 26, 4), .clockwise),
            ("\"90.0\"", .of(34, 4, 34, 44, 26, 44, 26, 4), .clockwise),
            ("\"90°\"", .of(34, 4, 34, 44, 26, 44, 26, 4), .clockwise),
            ("450", .of(34, 4, 34, 44, 26, 44, 26, 4), .clockwise),
            ("180", .of(50, 28, 10, 28, 10, 20, 50, 20), .inverted),
            ("\"-180\"", .of(50, 28, 10, 28, 10, 20, 50, 20), .inverted),
            ("270.0", .of(26, 44, 26, 4, 34, 4, 34, 44), .counterclockwise),
            ("-90.0", .of(26, 44, 26, 4, 34, 4, 34, 44), .counterclockwise),
            ("\"-90,0\"", .of(26, 44, 26, 4, 34, 4, 34, 44), .counterclockwise),
            ("360", .of(10, 20, 50, 20, 50, 28, 10, 28), .upright),
            ("null", .of(10, 20, 50, 20, 50, 28, 10, 28), .upright),
        ]
    )
    func turnedBoxes(_ rotation: String, _ expected: Quad, _ orientation: SampleOrientation) throws {
        for category in [2, 1] {
            let box =
                #"{"id": 1, "image_id": 7, "category_id": \#(category), "bbox": [10, 20, 40, 8], "attributes": {"text": "Title", "rotation": \#(rotation)}}"#
            let outcome = try fixture([box]).imported()
            let sample = try #require(outcome.samples.first)
            let quad = try #require(category == 1 ? sample.outline : sample.lines?.first?.quad)
            #expect(zip(quad.corners, expected.corners).allSatisfy { $0.distance(to: $1) < 1e-9 }, "\(quad)")
            #expect(sample.orientation == orientation)
            #expect((outcome.report.notes[.orientationGuessed] == nil) == (orientation != .upright))
        }
    }

    /// A polygon has its final position already; the rotation gives the corner from which its text is read.
    @Test func aTurnedPolygonIsReadFromWhereItBegins() throws {
        let line =
            #"{"id": 1, "image_id": 7, "category_id": 2, "segmentation": [[10, 20, 50, 20, 50, 28, 10, 28]], "attributes": {"text": "Title", "rotation": "180"}}"#
        let sample = try #require(try fixture([line]).imported().samples.first)
        #expect(sample.orientation == .inverted && sample.lines?.first?.quad == .of(50, 28, 10, 28, 10, 20, 50, 20))
    }

    /// COCO's "Data format": every annotation of an object has a bbox, with any segmentation.
    @Test(
        "of a run-length mask the box is taken",
        arguments: [
            #"{"size": [60, 100], "counts": [734, 28, 32, 28]}"#, #"{"counts": "abc", "size": [60, 100]}"#,
            #"[{"size": [60, 100], "counts": "abc"}]"#, #"{"size": [60, 100], "counts": []}"#,
            #"[{"size": [60, 100], "counts": [1]}, {"size": [60, 100], "counts": [2]}]"#,
        ]
    )
    func masks(_ segmentation: String) throws {
        let lines = [
            #"{"id": 1, "image_id": 7, "category_id": 2, "segmentation": \#(segmentation), "iscrowd": 1, "bbox": [10, 20, 50, 8], "text": "T"}"#,
            #"{"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[5, 40, 45, 40, 45, 50, 5, 50]], "text": "A"}"#,
            #"{"id": 3, "image_id": 7, "category_id": 5, "segmentation": [[]], "bbox": [60, 40, 20, 8], "text": "B"}"#,
        ]
        let outcome = try fixture(lines).imported()
        #expect(
            outcome.samples.first?.lines?.map(\.quad) == [
                .of(10, 20, 60, 20, 60, 28, 10, 28), .of(5, 40, 45, 40, 45, 50, 5, 50),
                .of(60, 40, 80, 40, 80, 48, 60, 48),
            ]
        )
        #expect(outcome.report.notes[.polygonBoxed] == 1)
    }

    /// Integers have any number of digits (RFC 8259, section 6).
    @Test(
        "pictures with long ids stay apart",
        arguments: [
            ("9007199254740993", "9007199254740992"), ("20241125123456789", "20241125123456790"),
            ("1312345678901234567", "1312345678901234568"), ("-9007199254740993", "-9007199254740994"),
            ("123456789012345678901234567890123456789", "123456789012345678901234567890123456780"),
            ("1" + String(repeating: "0", count: 400), "2" + String(repeating: "0", count: 400)),
        ]
    )
    func longIDs(_ first: String, _ second: String) throws {
        func line(_ id: String, _ text: String) -> String {
            #"{"id": \#(id), "image_id": \#(id), "category_id": \#(first), "bbox": [1, 1, 9, 9], "text": "\#(text)"}"#
        }
        let fixture = try fixture(
            [line(second, "B"), line(first, "A")],
            images: #"[{"id": \#(first), "file_name": "a.png"}, {"id": \#(second), "file_name": "b.png"}]"#,
            categories: #"[{"id": \#(first), "name": "title"}]"#
        )
        try fixture.picture("images/b.png")
        #expect(try fixture.imported().samples.map(\.title) == ["A", "B"])
    }

    @Test(
        "what is wrong is told with the record's id",
        arguments: [
            (
                #"{"id": 1, "image_id": 7, "category_id": 2, "segmentation": {"counts": [1], "size": [60, 100]}, "text": "T"}"#,
                "image 7: annotation 1: the segmentation is a run-length mask without corners, and bbox is missing; export"
            ),
            (
                #"{"id": 1, "image_id": 7, "category_id": 2, "bbox": [1, 1, 9, 9], "text": "T", "attributes": {"rotation": "steep"}}"#,
                "image 7: annotation 1: the rotation is \"steep\"; expected a number of degrees"
            ),
            (
                #"{"id": 1, "image_id": 7, "category_id": 2, "bbox": [1, 1, 9, 9], "text": "T", "attributes": {"rotation": true}}"#,
                "image 7: annotation 1: the rotation is true; expected a number of degrees"
            ),
            (
                #"{"id": 1, "image_id": 8, "category_id": 2, "bbox": [1, 1, 9, 9], "text": "T"}"#,
                "annotation 1 belongs to image 8, which is not in the list of images"
            ),
            (
                #"{"id": 1, "image_id": 7, "category_id": 99, "bbox": [1, 1, 9, 9], "text": "T"}"#,
                "image 7: annotation 1: category 99 is not in the list of categories"
            ),
            (#"{"id": 1, "image_id": 7, "text": "T"}"#, "image 7: annotation 1: has neither a polygon nor a bbox"),
            (
                #"{"id": 1, "image_id": 7, "text": "T", "bbox": [1, 1, 0, 9]}"#,
                "image 7: annotation 1: the bbox has no area"
            ),
            (
                #"{"id": 1, "image_id": 7, "text": "T", "segmentation": [[1, 1, 2]]}"#,
                "image 7: annotation 1: a polygon of 3 numbers; expected x, y, x, y, …"
            ),
            (
                #"{"id": 1, "image_id": 7, "text": "T", "bbox": [1, 1, 500, 9]}"#,
                "image 7: the line \"T\" is outside the picture of 100 × 60 pixels"
            ),
            (
                #"{"id": 1, "image_id": 1e30, "text": "T", "bbox": [1, 1, 5, 9]}"#,
                "annotation 1 has no image_id that is text or an exact whole number"
            ),
        ]
    )
    func faults(_ annotation: String, _ message: String) throws {
        let found = try fixture([annotation]).faults()
        #expect(found.count == 1 && found[0].hasPrefix("instances.json: \(message)"), "\(found)")
    }

    @Test func badFilesAreRefusedAsAWhole() throws {
        let fixture = try ImportFixture("coco")
        for (text, message) in [
            ("", "x.json:1: not valid JSON: column 1: "),
            ("{\"images\": [],\n \"annotations\": [NaN]}", "x.json:2: not valid JSON: column 18: "),
            ("[]", "x.json: expected an object with images and annotations, found a list"),
            ("{\"images\": []}", "x.json: expected lists named images, annotations and categories"),
            ("{\"images\": [], \"annotations\": []}", "x.json: has no records to import"),
        ] {
            try fixture.write(text, "x.json")
            let found = try fixture.faults("x.json")
            #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
        }
    }

    @Test func labelsOfAPictureOfAnotherSizeAreRefused() throws {
        let line = #"{"id": 1, "image_id": 7, "bbox": [1, 1, 9, 9], "text": "T"}"#
        let image = #"[{"id": 7, "file_name": "a.png", "width": 200, "height": 120}]"#
        let found = try fixture([line], images: image).faults()
        #expect(
            found.count == 1 && found[0].contains("expect a picture of 200 × 120 pixels, but the file has 100 × 60")
        )
    }
}
