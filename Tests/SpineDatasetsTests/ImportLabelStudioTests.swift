import Foundation
import Imaging
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Tasks as in Label Studio's documentation of its JSON format.
@Suite struct ImportLabelStudioTests {
    private func region(_ id: String, _ value: String, text: String? = nil, label: String? = nil) -> String {
        func result(_ type: String, _ more: String) -> String {
            """
            {"id": "\(id)", "type": "\(type)", "from_name": "\(type == "textarea" ? "transcription" : "label")", \
            "to_name": "image", "original_width": 200, "original_height": 100, "image_rotation": 0, "value": {\(value)\(more)}}
            """
        }
        var results = [result("rectangle", "")]
        if let label { results.append(result("labels", ", \"labels\": [\"\(label)\"]")) }
        if let text { results.append(result("textarea", ", \"text\": [\"\(text)\"]")) }
        return results.joined(separator: ",")
    }

    private func fixture(_ tasks: String..., picture: String = "a.png") throws -> ImportFixture {
        let fixture = try ImportFixture("labelstudio")
        try fixture.picture(picture, width: 200, height: 100)
        try fixture.write("[" + tasks.joined(separator: ",\n") + "]", "export.json")
        return fixture
    }

    private func task(_ results: String, data: String = #""image": "a.png""#, more: String = "") -> String {
        #"{"id": 5, "data": {\#(data)}, "annotations": [{"result": [\#(results)]\#(more)}]}"#
    }

    @Test func resultsOfOneRegionAreJoined() throws {
        let results = [
            region(
                "r1",
                #""x": 10, "y": 20, "width": 50, "height": 10, "rotation": 0"#,
                text: "Das Schloß",
                label: "Title"
            ),
            region("r2", #""x": 10, "y": 50, "width": 20, "height": 10"#, text: "KAFKA", label: "Author"),
            #"{"id": "c", "type": "choices", "from_name": "category", "value": {"choices": ["stylized"]}}"#,
            #"{"id": "d", "type": "textarea", "from_name": "isbn", "value": {"text": ["978-0-306-40615-7"]}}"#,
            #"{"from_id": "r1", "to_id": "r2", "type": "relation", "direction": "right"}"#,
        ].joined(separator: ",")
        let sample = try #require(try fixture(task(results)).imported().samples.first)
        #expect(sample.title == "Das Schloß" && sample.author == "KAFKA" && sample.category == .stylized)
        #expect(sample.isbn == "978-0-306-40615-7")
        // Percent of 200 × 100 pixels.
        #expect(sample.lines?.first?.quad == .of(20, 20, 120, 20, 120, 30, 20, 30))
    }

    /// Computed by hand: 20 % of 200 and 10 % of 100 pixels, turned clockwise around (100, 50).
    @Test(
        "a turned rectangle is turned around its top left corner",
        arguments: [
            ("90", Quad.of(100, 50, 100, 90, 90, 90, 90, 50), SampleOrientation.clockwise),
            ("\"90.0\"", .of(100, 50, 100, 90, 90, 90, 90, 50), .clockwise),
            ("180", .of(100, 50, 60, 50, 60, 40, 100, 40), .inverted),
            ("270.0", .of(100, 50, 100, 10, 110, 10, 110, 50), .counterclockwise),
            ("\"-90\"", .of(100, 50, 100, 10, 110, 10, 110, 50), .counterclockwise),
        ]
    )
    func turnedRectangles(_ rotation: String, _ expected: Quad, _ orientation: SampleOrientation) throws {
        let value = #""x": 50, "y": 50, "width": 20, "height": 10, "rotation": \#(rotation)"#
        let sample = try #require(try fixture(task(region("r", value, text: "Title"))).imported().samples.first)
        let quad = try #require(sample.lines?.first?.quad)
        #expect(zip(quad.corners, expected.corners).allSatisfy { $0.distance(to: $1) < 1e-9 }, "\(quad)")
        #expect(sample.orientation == orientation)
    }

    @Test func polygonsAndSpinesMakeAShelf() throws {
        let results = [
            region("b1", #""points": [[1, 1], [40, 1], [40, 99], [1, 99]]"#, label: "Spine"),
            region("b2", #""x": 50, "y": 0, "width": 20, "height": 100"#, text: "All of it", label: "Book"),
            region("t", #""points": [[5, 5], [20, 4], [35, 5], [35, 20], [5, 20]]"#, text: "Title", label: "Title"),
        ].joined(separator: ",")
        let outcome = try fixture(task(results)).imported()
        let books = try #require(outcome.shelves.first?.books)
        #expect(books.map(\.title) == ["Title", nil])
        #expect(books.map(\.transcription) == ["Title", "All of it"])
        #expect(books[0].quad == .of(2, 1, 80, 1, 80, 99, 2, 99))
        #expect(outcome.report.notes[.polygonBoxed] == 1)
    }

    @Test func oldAndCancelledAnnotationsAreSorted() throws {
        let one = region("r", #""x": 10, "y": 20, "width": 50, "height": 10"#, text: "One")
        let two = region("r", #""x": 10, "y": 20, "width": 50, "height": 10"#, text: "Two")
        let fixture = try fixture(
            #"{"id": 1, "data": {"ocr": "a.png"}, "completions": [{"was_cancelled": true, "result": []}, {"result": [\#(one)]}]}"#,
            #"{"id": 2, "data": {"image": "a.png"}, "annotations": [{"result": [\#(one)]}, {"ground_truth": true, "result": [\#(two)]}]}"#,
            #"{"id": 3, "data": {"image": "a.png"}, "annotations": []}"#
        )
        let outcome = try fixture.imported()
        #expect(outcome.samples.map(\.transcription) == ["One", "Two"])
        #expect(outcome.report.notes[.cancelledAnnotation] == 1)
        #expect(outcome.report.notes[.furtherAnnotation] == 1)
        #expect(outcome.report.notes[.unlabelledTask] == 1)
    }

    @Test(
        "pictures are found by what Label Studio makes of their paths",
        arguments: [
            (#""image": "/data/upload/3/1f2e3d4c-my%20spine.png""#, "1f2e3d4c-my spine.png"),
            (#""image": "/data/upload/3/1f2e3d4c-spine.png""#, "spine.png"),
            (#""ocr": "/data/local-files/?d=shelf%2Fspine.png""#, "shelf/spine.png"),
            (#""id": 4, "url": "https://example.com/x/spine.png?size=2""#, "spine.png"),
            (#""picture": "s3://bucket/set/spine.png""#, "set/spine.png"),
        ]
    )
    func paths(_ data: String, _ file: String) throws {
        let results = region("r", #""x": 10, "y": 20, "width": 50, "height": 10"#, text: "T")
        #expect(try fixture(task(results, data: data), picture: file).imported().samples.count == 1)
    }

    // MARK: Several pictures in a task

    /// Returns a rectangle with a text, of a picture by its number or its tag.
    private func part(_ text: String, _ fields: String) -> String {
        region(text, #""x": 10, "y": 20, "width": 50, "height": 10"#, text: text, label: "Title")
            .replacing(#""to_name": "image""#, with: fields)
    }

    private static func index(_ number: Int) -> String { #""to_name": "image", "item_index": \#(number)"# }

    private func pages(_ data: String, _ results: [String], more: String = "") throws -> ImportFixture {
        let fixture = try fixture(task(results.joined(separator: ","), data: data, more: more))
        try fixture.picture("b.png", width: 200, height: 100)
        try fixture.picture("c.png", width: 200, height: 100)
        return fixture
    }

    /// Data of a task, the fields that say which picture the two results are of, and the titles by picture.
    @Test(
        "each picture of a task has the lines that were drawn into it",
        arguments: [
            (#""pages": ["a.png", "b.png"]"#, [index(0), index(1)], ["a": "A", "b": "B"]),
            (
                #""pages": ["https://host/a.png?x=1", "/data/upload/3/0a1b2c3d-b.png", "c.png"]"#,
                [index(2), index(1)], ["b": "B", "c": "A"]
            ),
            (#""image": ["a.png", "b.png"], "authors": ["x", "y"]"#, [index(1), index(0)], ["a": "B", "b": "A"]),
            (#""image": "c.png", "pages": ["a.png", "b.png"]"#, [index(0), index(1)], ["a": "A", "b": "B"]),
            (#""pages": ["b.png"]"#, [#""to_name": "image""#, #""to_name": "image""#], ["b": "A B"]),
            (#""pages": ["a.png", "b.png"]"#, [index(1), index(1)], ["b": "A B"]),
            // A Repeater's tags: page_{{idx}}.
            (
                #""document": [{"page": "a.png"}, {"page": "b.png"}]"#,
                [#""to_name": "page_1""#, #""to_name": "page_0""#], ["a": "B", "b": "A"]
            ),
            // Two images beside each other, named as their fields.
            (
                #""front": "a.png", "back": "b.png""#, [#""to_name": "back""#, #""to_name": "front""#],
                ["a": "B", "b": "A"]
            ),
            (#""image": "c.png", "back": "b.png""#, [#""to_name": "back""#, #""to_name": "back""#], ["b": "A B"]),
        ] as [(String, [String], [String: String])]
    )
    func pagesOfATask(_ data: String, _ places: [String], _ expected: [String: String]) throws {
        let outcome = try pages(data, zip(["A", "B"], places).map(part)).imported()
        let titles = Dictionary(uniqueKeysWithValues: outcome.samples.map { ($0.id, $0.title ?? "") })
        #expect(titles == expected)
        #expect(outcome.report.notes[.unusedPicture] == (expected.count == 3 ? nil : 3 - expected.count))
    }

    @Test func labelsOfAWholeTaskAreThoseOfEveryPage() throws {
        let whole =
            #"{"id": "k", "type": "choices", "from_name": "category", "to_name": "image", "value": {"choices": ["stylized"]}}"#
        let own =
            #"{"id": "l", "type": "choices", "from_name": "language", "item_index": 1, "value": {"choices": ["de"]}}"#
        let text = part("B", Self.index(1)).replacing(
            #""type": "textarea", "from_name": "transcription", "to_name": "image", "item_index": 1"#,
            with: #""type": "textarea", "from_name": "transcription""#
        )
        let outcome = try pages(#""pages": ["a.png", "b.png"]"#, [part("A", Self.index(0)), text, whole, own])
            .imported()
        #expect(
            outcome.samples.map(\.category) == [.stylized, .stylized] && outcome.samples.map(\.language) == [nil, "de"]
        )
        #expect(outcome.samples.map(\.title) == ["A", "B"])
    }

    @Test(
        "a result whose picture is not known refuses the task",
        arguments: [
            (
                #""pages": ["a.png", "b.png"]"#, [index(0), #""to_name": "image""#],
                "region B: no item_index, and the task has 2 pictures"
            ),
            (
                #""pages": ["a.png", "b.png"]"#, [index(0), index(2)],
                "region B: is of picture 2, counted from 0, and the task has 2 pictures"
            ),
            (
                #""image": "a.png""#, [index(0), index(1)],
                "region B: is of picture 1, counted from 0, and the task has one picture"
            ),
            (
                #""image": "a.png", "image2": "b.png""#, [#""to_name": "img1""#, #""to_name": "img2""#],
                #"regions are of the tags "img1", "img2", which "data" has no pictures for"#
            ),
            (
                #""left": ["a.png"], "right": ["b.png"]"#, [index(0), index(0)],
                #""data" has 2 lists of pictures: left, right"#
            ),
            (#""pdf": "a.pdf""#, [index(0), index(1)], #""data" names no picture"#),
        ] as [(String, [String], String)]
    )
    func unknownPages(_ data: String, _ places: [String], _ message: String) throws {
        let found = try pages(data, zip(["A", "B"], places).map(part)).faults("export.json")
        #expect(found.count == 1 && found[0].hasPrefix("export.json: task 5: \(message)"), "\(found)")
    }

    @Test func shortExportsAreRefusedByTheirName() throws {
        let fixture = try ImportFixture("labelstudio")
        try fixture.write(
            #"[{"id": 5, "image": "a.png", "label": [], "annotator": 1, "annotation_id": 3}]"#,
            "export.json"
        )
        #expect(try fixture.faults().first?.contains("export as JSON, not as JSON-MIN") == true)
    }

    @Test(
        "what is wrong is told with the task's id",
        arguments: [
            (#"{"id": 5, "image": "a.png", "label": []}"#, "has no \"data\"; export as JSON, not as JSON-MIN"),
            (#"{"id": 5, "data": {"text": "x"}, "annotations": [{"result": []}]}"#, "\"data\" names no picture"),
            (
                #"{"id": 5, "data": {"image": "a.png"}, "annotations": [{"result": [{"id": "r", "type": "brush", "value": {"rle": [1], "brushlabels": ["Title"], "labels": ["Title"]}}]}]}"#,
                "region r: drawn as brush, which has no corners; draw a rectangle or a polygon"
            ),
            (
                #"{"id": 5, "data": {"image": "a.png"}, "annotations": [{"result": [{"id": "r", "image_rotation": 90, "type": "rectangle", "value": {"x": 1, "y": 1, "width": 1, "height": 1}}]}]}"#,
                "region r: the picture was rotated by 90° during labelling"
            ),
            (
                #"{"id": 5, "data": {"image": "a.png"}, "annotations": [{"result": [{"id": "r", "type": "rectangle", "value": {"x": 1, "y": 1, "width": 0, "height": 1}}]}]}"#,
                "region r: the rectangle has no area"
            ),
            (
                #"{"id": 5, "data": {"image": "a.png"}, "annotations": [{"result": [{"id": "r", "type": "rectangle", "value": {"x": 1, "y": 1, "width": 1, "height": 1, "rotation": "a little"}}]}]}"#,
                "region r: the rotation is \"a little\"; expected a number of degrees"
            ),
            (
                #"{"id": 5, "data": {"image": "gone.png"}, "annotations": [{"result": []}]}"#,
                "picture \"gone.png\" does not exist in source"
            ),
        ]
    )
    func faults(_ task: String, _ message: String) throws {
        let found = try fixture(task).faults("export.json")
        #expect(found.count == 1 && found[0].hasPrefix("export.json: task 5: \(message)"), "\(found)")
    }
}
