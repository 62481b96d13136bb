import Basics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import SpineDatasets

@Suite struct DatasetLoaderTests {
    private func line(_ id: String, _ more: String = "", image: String? = nil, category: String = "vertical") -> String
    {
        """
        {"id": "\(id)", "image": "\(image ?? "images/\(id).png")", "category": "\(category)", "title": "T", \
        "transcription": "T", "orientation": "cw"\(more)}

        """
    }

    private func faults(of folder: TemporaryFolder) -> [String] {
        do throws(DatasetError) {
            _ = try DatasetLoader().load(folder.path)
            return []
        } catch {
            return error.faults.map { "\($0)".replacing(folder.path + "/", with: "") }
        }
    }

    @Test func aGoodDatasetLoadsWithFieldsThatAreNotKnown() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(tinyPNG, "images/b.png")
        let more = """
            , "author": "A", "quad": [[0, 1.5], [20, 3], [14, 50], [6, 47]], "legible": false, "bbox": [1, 2, 3, 4], "isbn": null
            """
        try folder.write("\u{FEFF}" + line("a", more) + "\r\n\n" + line("b"), "samples.jsonl")
        let dataset = try DatasetLoader().load(folder.path)
        #expect(dataset.samples.map(\.id) == ["a", "b"])
        #expect(dataset.samples[0].author == "A")
        #expect(dataset.samples[0].quad?.bottomLeft.x == 6)
        #expect(dataset.samples.map(\.legible) == [false, true])
        #expect(dataset.manifest.name == URL(filePath: folder.path).lastPathComponent)
    }

    @Test func digestsOfPartsMakeTheDigestOfTheWhole() throws {
        let folder = try TemporaryFolder()
        let lines = try (0..<6).map { number in
            try folder.write(tinyPNG, "images/\(number).png")
            return line("\(number)", ", \"group\": \"photo \(number / 2)\"")
        }
        try folder.write(lines.joined(), "samples.jsonl")
        let whole = try DatasetLoader().load(folder.path).digest
        var looked = 0
        for part in Part.all(of: 3) {
            let found = try DatasetLoader(lookingAt: .checked(part)).survey(folder.path)
            #expect(found.dataset.samples.count == 6)
            looked += found.digests.byPath.count
            try folder.write(found.digests.text, "\(part.number).sha256")
        }
        #expect(looked == 6)
        var digests = PictureDigests()
        for number in [3, 1, 2] { try digests.add(listing: folder("\(number).sha256")) }
        try digests.check(folder.path)
        #expect(try digests.contentDigest(withLabelsOf: folder.path) == whole)

        let twice = try #require(throws: DatasetError.self) { try digests.add(listing: folder("1.sha256")) }
        #expect("\(twice)".contains("1.sha256:1: images/") && "\(twice)".contains("is listed twice"), "\(twice)")
        var some = PictureDigests()
        try some.add(listing: folder("2.sha256"))
        let missing = try #require(throws: DatasetError.self) { try some.check(folder.path) }
        #expect("\(missing)".contains("is missing in all listings"))
        try folder.write(String(repeating: "0", count: 64) + "  images/9.png\n", "stranger")
        try digests.add(listing: folder("stranger"))
        let stranger = try #require(throws: DatasetError.self) { try digests.check(folder.path) }
        #expect("\(stranger)".contains("images/9.png is listed, but has no label"))
        try folder.write("abc  images/1.png\n", "bad")
        let bad = try #require(throws: DatasetError.self) { try some.add(listing: folder("bad")) }
        #expect("\(bad)".contains("bad:1: is not a line of SHA-256"))
    }

    @Test func aPartOpensItsOwnPicturesWhereTheDigestIsStated() throws {
        let folder = try TemporaryFolder()
        let names = (0..<8).map { "\($0)" }
        for name in names { try folder.write(tinyPNG, "images/\(name).png") }
        try folder.write(names.map { line($0) }.joined(), "samples.jsonl")
        let parts = Part.all(of: 2)
        try DatasetSeal.seal(URL(filePath: folder.path), as: DatasetManifest(name: "set"))
        let digest = try DatasetLoader().load(folder.path).digest
        let victim = try #require(names.first { parts[0].holds(group: $0) })
        try folder.write([UInt8]("no picture".utf8), "images/\(victim).png")
        #expect(try DatasetLoader(lookingAt: .read(parts[1])).load(folder.path).digest == digest)
        #expect(throws: DatasetError.self) { try DatasetLoader(lookingAt: .read(parts[0])).load(folder.path) }
        #expect(throws: DatasetError.self) { try DatasetLoader(lookingAt: .checked(parts[0])).load(folder.path) }
        // All are opened without a stated digest: the read contents have to be known.
        try FileManager.default.removeItem(atPath: folder("dataset.json"))
        #expect(throws: DatasetError.self) { try DatasetLoader(lookingAt: .read(parts[1])).load(folder.path) }
    }

    @Test func allFaultsOfTheLabelsAreToldAtOnceWithTheirLines() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "c", "quad"] { try folder.write(tinyPNG, "images/\(name).png") }
        try folder.write(
            line("a") + "{\"id\": \"b\", \n" + "[1]\n" + "{\"id\": 5, \"title\": \"\"}\n" + line("a")
                + line("missing") + line("c", category: "diagonal") + line("out", image: "../a.png")
                + line("quad", ", \"quad\": [[1, 2], [3, 4], [5, 6]]")
                + line("c", ", \"legible\": \"yes\", \"author\": 7"),
            "samples.jsonl"
        )
        try folder.write("{\"books\": []}\n{\"image\": \"images/a.png\", \"books\": [7]}", "shelves.jsonl")
        try folder.write("{\"name\": 3}", "dataset.json")
        let found = faults(of: folder)
        let expected = [
            "dataset.json:1:10: name: invalid value 3; expected text",
            "samples.jsonl:2:13: invalid JSON: expected a key",
            "samples.jsonl:3:1: invalid value a list; expected a mapping",
            "samples.jsonl:4:1: image: the key is missing", "samples.jsonl:4:1: category: the key is missing",
            "samples.jsonl:4:1: transcription: the key is missing",
            "samples.jsonl:4:1: orientation: the key is missing",
            "samples.jsonl:4:8: id: invalid value 5; expected text", "samples.jsonl:4:20: title: empty text",
            "samples.jsonl:5:8: id: duplicate id \"a\", first used in line 1",
            "samples.jsonl:6:28: image: the picture \"images/missing.png\" does not exist",
            "samples.jsonl:7:50: category: invalid value \"diagonal\"; expected vertical, inverted, stylized, horizontal, mixed",
            "samples.jsonl:8:24: image: invalid value \"../a.png\", outside the dataset",
            "samples.jsonl:9:133: quad: a quad has four corners, not 3",
            "samples.jsonl:10:8: id: duplicate id \"c\", first used in line 7",
            "samples.jsonl:10:130: legible: invalid value \"yes\"; expected true or false",
            "samples.jsonl:10:147: author: invalid value 7; expected text",
            "shelves.jsonl:1:1: image: the key is missing",
            "shelves.jsonl:2:37: books[0]: invalid value 7; expected a mapping",
        ]
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected), "\(found)") }
    }

    @Test func allFaultsOfThePicturesAreToldAtOnceWithTheirLines() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(Array(tinyPNG.dropLast(20)), "images/cut.png")
        try folder.write("no picture", "images/text.png")
        try FileManager.default.createDirectory(atPath: folder("images/folder.png"), withIntermediateDirectories: true)
        let far = "[[0, 0], [9, 0], [9, 2], [0, 2]]"
        try folder.write(
            line("cut") + line("text")
                + line("a", ", \"outline\": \(far), \"lines\": [{\"text\": \"T\", \"quad\": \(far)}]")
                + line("folder") + line("again", image: "images/cut.png"),
            "samples.jsonl"
        )
        try folder.write(
            """
            {"image": "images/a.png", "width": 2, "height": 2, "books": []}
            {"image": "images/a.png", "width": 3, "height": 2, "books": [{"quad": \(far)}], "id": "b"}
            """,
            "shelves.jsonl"
        )
        let found = faults(of: folder)
        let expected = [
            "samples.jsonl:1: image images/cut.png: found a ", "samples.jsonl:2: image images/text.png: found ",
            "samples.jsonl:3: \"outline\" reaches to [9.0, 0.0], outside the picture of 2 × 2 pixels",
            "samples.jsonl:3: \"lines[0].quad\" reaches to [9.0, 0.0]",
            "samples.jsonl:4: image \"images/folder.png\" cannot be read",
            "shelves.jsonl:2: \"width\" and \"height\" are 3 × 2, the picture has 2 × 2 pixels",
            "shelves.jsonl:2: \"books[0].quad\" reaches to [9.0, 0.0]",
        ]
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected), "\(found)") }
    }

    @Test func everyFieldOfASampleIsRead() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        let quad = "[[0, 0], [2, 0], [2, 2], [0, 2]]"
        let more = """
            , "author": "A", "isbn": "0-306-40615-2", "acceptedTitles": ["U", "V"], "group": "g", "quad": \(quad), "outline": \(quad), "lines": ["One", \
            {"text": "Two", "role": "title", "quad": \(quad), "font": "F", "size": 12.5}], "language": "de", "style": "foil", \
            "difficulty": {"blurSigma": 1.5, "word": "hard"}, "split": "train", "source": "S", "licence": "CC0-1.0"
            """
        try folder.write(line("a", more), "samples.jsonl")
        let box = Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: 2, y: 0),
            bottomRight: Point(x: 2, y: 2),
            bottomLeft: Point(x: 0, y: 2)
        )
        let expected = Sample(
            id: "a",
            image: "images/a.png",
            category: .vertical,
            title: "T",
            author: "A",
            transcription: "T",
            orientation: .clockwise,
            isbn: "0-306-40615-2",
            acceptedTitles: ["U", "V"],
            group: "g",
            quad: box,
            outline: box,
            lines: [
                LabelledLine(text: "One"), LabelledLine(text: "Two", role: .title, quad: box, font: "F", size: 12.5),
            ],
            language: "de",
            style: "foil",
            difficulty: ["blurSigma": 1.5],
            split: "train",
            source: "S",
            licence: "CC0-1.0"
        )
        #expect(try DatasetLoader().load(folder.path).samples == [expected])
    }

    @Test func shelvesLoadAloneAndABookMayLackEverything() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "shelves/a.png")
        try folder.write(
            """
            {"image": "shelves/a.png", "books": [{"title": "T", "crop": "x"}, {}, {"lines": ["T"], "legible": false}], "x": 1}
            {"id": "empty", "image": "shelves/a.png", "books": []}
            """,
            "shelves.jsonl"
        )
        let dataset = try DatasetLoader().load(folder.path)
        #expect(dataset.samples.isEmpty)
        #expect(
            dataset.shelves == [
                Shelf(
                    id: "shelves/a.png",
                    image: "shelves/a.png",
                    books: [
                        ShelfBook(title: "T"), ShelfBook(title: nil),
                        ShelfBook(title: nil, lines: [LabelledLine(text: "T")], legible: false),
                    ]
                ), Shelf(id: "empty", image: "shelves/a.png", books: []),
            ]
        )
    }

    @Test func aGroupInTwoSplitsIsAFault() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c", "d"] { try folder.write(tinyPNG, "images/\(name).png") }
        func grouped(_ id: String, _ split: String) -> String { line(id, ", \"group\": \"g\"\(split)") }
        try folder.write(
            grouped("a", ", \"split\": \"train\"") + grouped("b", "") + grouped("c", ", \"split\": \"train\"")
                + grouped("d", ", \"split\": \"test\""),
            "samples.jsonl"
        )
        #expect(
            faults(of: folder) == [
                "samples.jsonl:4:142: split: group \"g\" is in splits train (line 1) and test; samples of one photo must be in "
                    + "one split"
            ]
        )
    }

    @Test func theFirstFaultsAreListedAndTheOthersCounted() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x\n", count: 1_000), "samples.jsonl")
        do throws(DatasetError) {
            _ = try DatasetLoader().load(folder.path)
            Issue.record("a thousand faults went by")
        } catch {
            #expect(error.faults.map(\.line) == Array(1...1_000))
            #expect("\(error)".split(separator: "\n").count == 202)
            #expect("\(error)".hasPrefix("\(folder.path): 1000 faults in the dataset\n"))
            #expect("\(error)".hasSuffix("\n  … and 800 more"))
        }
    }

    @Test func anUnfinishedDatasetIsToldAsSuchAndAsNothingElse() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"name\": \"n\", \"unfinished\": \"3 of 9 spines; go on with --resume\"}", "dataset.json")
        try folder.write(line("a") + "{\"id\"", "samples.jsonl")
        #expect(
            faults(of: folder) == ["dataset.json: the dataset is unfinished: 3 of 9 spines; go on with --resume"]
        )
    }

    @Test func smallCategoriesAreWarnedOf() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(
            (0..<22).map { line("v\($0)", image: "images/a.png") }.joined()
                + line("i", image: "images/a.png", category: "inverted"),
            "samples.jsonl"
        )
        let warnings = try DatasetLoader().load(folder.path).warnings.map(\.text)
        #expect(warnings.count == 23)
        #expect(warnings.first == "image \"images/a.png\" equals that of line 1")
        #expect(
            warnings.last
                == "category inverted has 1 legible spine; its target can only be met with 22 or more; with fewer it can only be missed, by an interval wholly below the target"
        )
    }

    @Test func aPictureThatSaysWhereItWasTakenIsAWarning() throws {
        let folder = try TemporaryFolder()
        let jpeg = try ImageCodec.encodeJPEG(RasterImage(width: 8, height: 8, channels: 3, filledWith: 90), quality: 90)
        let packet = Array("http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude='52,31.2N'/>".utf8)
        let segment = [0xFF, 0xE1, 0, UInt8(packet.count + 2)] + packet
        try folder.write(jpeg[..<2] + segment + jpeg[2...], "images/a.jpg")
        try folder.write(line("a", image: "images/a.jpg"), "samples.jsonl")
        let warnings = try DatasetLoader().load(folder.path).warnings.map { "\($0)" }
        #expect(warnings.contains { $0.contains("samples.jsonl:1: image \"images/a.jpg\" contains its GPS location") })
    }

    @Test func aLinkOutOfTheFolderIsAFault() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try outside.write(tinyPNG, "a.png")
        try folder.write(line("a"), "samples.jsonl")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/images",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/images/a.png",
            withDestinationPath: outside.path + "/a.png"
        )
        let found = faults(of: folder)
        #expect(found.count == 1 && found[0].contains("links outside the dataset"), "\(found)")
    }

    @Test func anEmptyOrMissingDatasetIsAFault() throws {
        let folder = try TemporaryFolder()
        #expect(
            faults(of: folder) == [
                "samples.jsonl: missing or unreadable, and shelves.jsonl is missing; expected one JSON object per line"
            ]
        )
        try folder.write("\n  \n", "samples.jsonl")
        #expect(faults(of: folder) == ["samples.jsonl: no samples; expected one JSON object per line"])
        #expect(throws: DatasetError.self) { try DatasetLoader().load(folder.path + "/nowhere") }
    }

    @Test func aLegibleSpineNeedsItsText() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(
            line("a").replacing("\"transcription\": \"T\"", with: "\"transcription\": \"\""),
            "samples.jsonl"
        )
        #expect(faults(of: folder).first?.contains("transcription: empty text; label the legible spine") == true)
    }

    @Test func theDigestIsThatOfTheListingAndIsChecked() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(line("a"), "samples.jsonl")
        try folder.write("{\"image\": \"images/a.png\", \"books\": []}", "shelves.jsonl")
        try folder.write("not named in any label", "notes.txt")
        let dataset = try DatasetLoader().load(folder.path)
        let listing = """
            \(SHA256.hex(of: tinyPNG))  images/a.png
            \(SHA256.hex(of: Array(line("a").utf8)))  samples.jsonl
            \(SHA256.hex(of: Array("{\"image\": \"images/a.png\", \"books\": []}".utf8)))  shelves.jsonl

            """
        #expect(dataset.digest == "sha256:" + SHA256.hex(of: Array(listing.utf8)))
        try folder.write("{\"name\": \"n\", \"contentDigest\": \"\(dataset.digest)\"}", "dataset.json")
        #expect(try DatasetLoader().load(folder.path).manifest.name == "n")
        try folder.write("{\"image\": \"images/a.png\", \"books\": [{}]}", "shelves.jsonl")
        #expect(faults(of: folder).first?.hasPrefix("dataset.json: \"contentDigest\" is sha256:") == true)
    }

    @Test func aLimitTakesTheCategoriesInTurn() {
        let samples = [
            Sample.made("v1"), .made("v2"), .made("v3"), .made("i1", .inverted), .made("s1", .stylized),
            .made("s2", .stylized),
        ]
        let dataset = Dataset.made(samples)
        #expect(dataset.limited(to: 4).map(\.id) == ["v1", "v2", "i1", "s1"])
        #expect(dataset.limited(to: 100) == samples)
        #expect(dataset.limited(to: nil) == samples)
    }
}
