import Basics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct ContactSheetTests {
    /// Would end a script, an attribute or a comment, and run in a page that let it.
    private let hostile = "</script><img src=x onerror=alert(1)>\"'<!--&lt;"

    /// Writes the labels; pictures are not looked for by the sheet before it draws them.
    private func write(_ samples: [Sample], shelves: [Shelf] = [], to folder: TemporaryFolder) throws {
        func lines(_ values: [some Encodable]) throws -> [UInt8] { try values.flatMap { try JSONLine.encode($0) } }
        if !samples.isEmpty { try folder.write(lines(samples), "samples.jsonl") }
        if !shelves.isEmpty { try folder.write(lines(shelves), "shelves.jsonl") }
    }

    private func picture(_ width: Int, _ height: Int) throws -> [UInt8] {
        try ImageCodec.encodePNG(RasterImage(width: width, height: height, channels: 3, filledWith: 90))
    }

    /// Returns the text of each script of the page, by its tag.
    private func scripts(in html: String, tag: String) -> [String] {
        html.components(separatedBy: "<script\(tag)>").dropFirst().map {
            String($0.prefix(upTo: $0.range(of: "</script>")?.lowerBound ?? $0.endIndex))
        }
    }

    private func labels(in html: String) throws -> [[String: Any]] {
        try scripts(in: html, tag: " type=\"application/json\" class=\"item\"").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func pictureCount(in html: String) -> Int { html.components(separatedBy: "type=\"text/plain\"").count - 1 }

    @Test func textOfTheDatasetNeverEndsItsPlace() throws {
        let folder = try TemporaryFolder()
        try folder.write(try picture(4, 8), "a.png")
        var sample = Sample.made("a", title: hostile, author: hostile, transcription: hostile, group: hostile)
        sample.image = "a.png"
        sample.style = hostile
        sample.difficulty = [hostile: 1]
        sample.lines = [LabelledLine(text: hostile, role: .title, font: hostile)]
        try write([sample], to: folder)
        let manifest = DatasetManifest(name: hostile, description: hostile, contentDigest: hostile)
        try folder.write(Array(try JSONLine.encode(manifest)), "dataset.json")
        _ = try ContactSheet(of: folder.path, maximumSide: 100, limit: nil).write(to: URL(filePath: folder("a.html")))
        let html = try folder.text(of: "a.html")
        // The labels, the picture and the program: no other script opens or closes.
        #expect(html.components(separatedBy: "<script").count == 4)
        #expect(html.components(separatedBy: "</script").count == 4)
        #expect(!html.contains("<img") && !html.contains("<!--"))
        let spine = try #require(try labels(in: html).first?["spine"] as? [String: Any])
        #expect(spine["title"] as? String == hostile)
        #expect((spine["difficulty"] as? [String: Any])?[hostile] as? Double == 1)
        let title = try #require(html.components(separatedBy: "<title>").last?.components(separatedBy: "<").first)
        #expect(title.hasPrefix("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&lt;!--"))
    }

    @Test func everyPictureIsThereInItsOrderWithItsFullSize() throws {
        let folder = try TemporaryFolder()
        // More than are scaled at a time.
        let samples = try (0..<130).map { number -> Sample in
            try folder.write(try picture(10 + number, 400), "images/n\(number).png")
            return .made("n\(number)")
        }
        try folder.write(try picture(900, 300), "row.png")
        let shelves = [Shelf(id: "row", image: "row.png", books: [ShelfBook(title: "T")])]
        let file = URL(filePath: folder("sheet.html"))
        try folder.write("an older sheet", "sheet.html")
        var told: [Int] = []
        try write(samples, shelves: shelves, to: folder)
        let outcome = try ContactSheet(of: folder.path, maximumSide: 100, limit: nil).write(to: file) { done, total in
            told.append(done)
            #expect(total == 131)
        }
        let html = try folder.text(of: "sheet.html")
        #expect(outcome == ContactSheet.Outcome(bytes: html.utf8.count, faults: []))
        #expect(told == [64, 128, 131])
        #expect(html.hasSuffix("</html>\n"))
        #expect(!folder.contains("sheet.html.part"))
        #expect(html.contains("131 of 131 pictures"))
        let labels = try labels(in: html)
        let ids = labels.dropLast().compactMap { ($0["spine"] as? [String: Any])?["id"] as? String }
        #expect(ids == samples.map(\.id))
        let sizes = labels.dropLast().compactMap { $0["size"] as? [Int] }
        #expect(sizes == (0..<130).map { [10 + $0, 400] })
        #expect((labels.last?["shelf"] as? [String: Any])?["id"] as? String == "row")
        #expect(pictureCount(in: html) == 131)
    }

    @Test func aLimitTakesTheCategoriesInTurn() throws {
        let folder = try TemporaryFolder()
        let samples: [Sample] = [.made("v1"), .made("v2"), .made("i1", .inverted)]
        for sample in samples { try folder.write(tinyPNG, sample.image) }
        let shelf = Shelf(id: "row", image: samples[0].image, books: [])
        try write(samples, shelves: [shelf], to: folder)
        let sheet = try ContactSheet(of: folder.path + "/", maximumSide: 100, limit: 2)
        _ = try sheet.write(to: URL(filePath: folder("sheet.html")))
        let html = try folder.text(of: "sheet.html")
        let ids = try labels(in: html).map { (($0["spine"] ?? $0["shelf"]) as? [String: Any])?["id"] as? String }
        #expect(ids == ["v1", "i1", "row"])
        #expect(html.contains("3 of 4 pictures"))
    }

    @Test func aPictureThatDoesNotDecodeHasACardThatSaysSo() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/good.png")
        try folder.write(Array(tinyPNG.dropLast(20)), "images/cut.png")
        try folder.write("no picture", "row.png")
        // A link out of the folder: its target is not part of the dataset.
        let outside = try TemporaryFolder()
        try outside.write(tinyPNG, "a.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder("images/link.png"),
            withDestinationPath: outside("a.png")
        )
        try write(
            [.made("cut"), .made("good"), .made("link")],
            shelves: [Shelf(id: "row", image: "row.png", books: [])],
            to: folder
        )
        let sheet = try ContactSheet(of: folder.path, maximumSide: 100, limit: nil)
        let outcome = try sheet.write(to: URL(filePath: folder("sheet.html")))
        let told = outcome.faults.map { "\($0)".replacing(folder.path + "/", with: "") }
        #expect(told.count == 3)
        #expect(told[0].hasPrefix("samples.jsonl:1: image images/cut.png: "))
        #expect(told[1].hasPrefix("samples.jsonl:3: image \"images/link.png\" links outside the dataset"))
        #expect(told[2].hasPrefix("shelves.jsonl:1: image row.png: "))
        let html = try folder.text(of: "sheet.html")
        let faults = try labels(in: html).map { $0["fault"] as? String }
        #expect(faults[0]?.hasPrefix("images/cut.png: ") == true)
        #expect(faults.map { $0 == nil } == [false, true, false, false])
        #expect(pictureCount(in: html) == 1)
    }

    @Test func faultyLabelsAreTold() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", "samples.jsonl")
        try folder.write("[]", "dataset.json")
        #expect {
            try ContactSheet(of: folder.path, maximumSide: 100, limit: nil)
        } throws: { error in
            guard case .faults(folder.path, let faults)? = error as? DatasetError else { return false }
            return faults.map(\.file) == [folder("dataset.json"), folder("samples.jsonl")]
        }
    }

    /// Faults prevent the use of a dataset, not its display.
    @Test func anUnfinishedDatasetAndARegionOutsideItsPictureAreShown() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        var sample = Sample.made("a")
        let (near, far) = (Point(x: 0, y: 0), Point(x: 500, y: 500))
        sample.outline = Quad(
            topLeft: near,
            topRight: Point(x: 500, y: 0),
            bottomRight: far,
            bottomLeft: Point(x: 0, y: 500)
        )
        try write([sample], to: folder)
        try folder.write(
            "{\"name\": \"n\", \"unfinished\": \"killed\", \"contentDigest\": \"sha256:00\"}",
            "dataset.json"
        )
        let sheet = try ContactSheet(of: folder.path, maximumSide: 100, limit: nil)
        #expect(try sheet.write(to: URL(filePath: folder("sheet.html"))).faults.isEmpty)
        #expect(throws: DatasetError.self) { try DatasetLoader().load(folder.path) }
    }

    @Test func aPlaceThatCannotBeWrittenIsTold() throws {
        let folder = try TemporaryFolder()
        let data = try TemporaryFolder()
        try data.write(tinyPNG, "images/a.png")
        try write([.made("a")], to: data)
        let sheet = try ContactSheet(of: data.path, maximumSide: 100, limit: nil)
        for place in [folder("nowhere/sheet.html"), folder.path] {
            #expect {
                try sheet.write(to: URL(filePath: place))
            } throws: { error in
                guard case .operation(place, let problem)? = error as? DatasetError else { return false }
                return problem.hasPrefix("cannot be written: ")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// Width and height as stored, the requested longest side, and the resulting size.
    @Test(arguments: [
        (1000, 500, 480, 480, 240),
        // Not made larger.
        (100, 50, 480, 100, 50),
        // A side has at least one pixel.
        (3, 2000, 100, 1, 100),
        (1, 1, 16, 1, 1),
    ])
    func picturesAreScaledDownOnly(_ width: Int, _ height: Int, _ side: Int, _ across: Int, _ down: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(try picture(width, height), "a.png")
        let scaled = ContactSheetPicture(
            "a.png",
            in: try PictureStore(folder.path),
            maximumSide: side
        )
        #expect(scaled.size == [width, height])
        let image = try ImageCodec.decode(Array(try #require(scaled.jpeg)), name: "a.jpg").image
        #expect(image.width == across && image.height == down)
    }

    @Test func aPictureIsShownTheWayItsExifSays() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "ImagingTests/Fixtures").resolvingSymlinksInPath()
        let bytes = Array(try Data(contentsOf: fixtures.appending(path: "exif-6.jpg")))
        let header = try ImageCodec.header(of: bytes, name: "exif-6.jpg")
        let scaled = ContactSheetPicture("exif-6.jpg", in: try PictureStore(fixtures.path), maximumSide: 4_096)
        #expect(scaled.size == [header.height, header.width])
        let image = try ImageCodec.decode(Array(try #require(scaled.jpeg)), name: "a.jpg").image
        #expect(image.width == header.height && image.height == header.width)
    }

    @Test(arguments: [
        ("a < b & c", "a &lt; b &amp; c"), ("\"'>", "&quot;&#39;&gt;"), ("", ""), ("é\u{301}", "é\u{301}"),
    ])
    func markupIsEscaped(_ text: String, _ escaped: String) { #expect(PageText.escaped(text) == escaped) }
}
