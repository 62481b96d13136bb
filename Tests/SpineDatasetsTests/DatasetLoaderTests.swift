import Foundation
import Raster
import SpineDatasets
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
            guard case .faults(_, let faults) = error else { return ["\(error)"] }
            return faults.map { "\($0)".replacing(folder.path + "/", with: "") }
        }
    }

    @Test func aGoodDatasetLoadsWithFieldsThatAreNotKnown() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(tinyPNG, "images/b.png")
        let more = """
            , "author": "A", "quad": [[0, 1.5], [2, 3], [4, 5], [6, 7]], "legible": false, "bbox": [1, 2, 3, 4], "isbn": null
            """
        try folder.write("\u{FEFF}" + line("a", more) + "\r\n\n" + line("b"), "samples.jsonl")
        let dataset = try DatasetLoader().load(folder.path)
        #expect(dataset.samples.map(\.id) == ["a", "b"])
        #expect(dataset.samples[0].author == "A")
        #expect(dataset.samples[0].quad?.bottomLeft.x == 6)
        #expect(dataset.samples.map(\.legible) == [false, true])
        #expect(dataset.manifest.name == URL(filePath: folder.path).lastPathComponent)
    }

    @Test func allFaultsAreToldAtOnceWithTheirLines() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "c", "quad"] { try folder.write(tinyPNG, "images/\(name).png") }
        try folder.write(Array(tinyPNG.dropLast(20)), "images/cut.png")
        try folder.write("no picture", "images/text.png")
        try folder.write(
            line("a") + "{\"id\": \"b\", \n" + "[1]\n" + "{\"id\": 5, \"title\": \"\"}\n" + line("a")
                + line("missing") + line("cut") + line("text") + line("c", category: "diagonal")
                + line("out", image: "../a.png") + line("quad", ", \"quad\": [[1, 2], [3, 4], [5, 6]]")
                + line("c", ", \"legible\": \"yes\", \"author\": 7"),
            "samples.jsonl"
        )
        try folder.write("{\"name\": 3}", "dataset.json")
        let found = faults(of: folder)
        let expected = [
            "dataset.json: \"name\": ", "samples.jsonl:2: not valid JSON: ",
            "samples.jsonl:3: expected a JSON object, found a list",
            "samples.jsonl:4: \"id\" is a number; expected text", "samples.jsonl:4: \"image\" is missing",
            "samples.jsonl:4: \"category\" is missing", "samples.jsonl:4: \"title\" is empty",
            "samples.jsonl:4: \"transcription\" is missing", "samples.jsonl:4: \"orientation\" is missing",
            "samples.jsonl:5: id \"a\" was already used in line 1",
            "samples.jsonl:6: image \"images/missing.png\" does not exist",
            "samples.jsonl:7: image images/cut.png: found a ",
            "samples.jsonl:8: image images/text.png: found ",
            "samples.jsonl:9: \"category\" is \"diagonal\"; expected one of vertical, inverted, stylized, horizontal, mixed",
            "samples.jsonl:10: \"image\" is \"../a.png\", outside the dataset",
            "samples.jsonl:11: \"quad\" has 3 points; expected four points [x, y]",
            "samples.jsonl:12: \"author\" is a number; expected text",
            "samples.jsonl:12: \"legible\" is text; expected true or false",
            "samples.jsonl:12: id \"c\" was already used in line 9",
        ]
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
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
        #expect(found.count == 1 && found[0].contains("is a link out of the dataset"), "\(found)")
    }

    @Test func anEmptyOrMissingDatasetIsAFault() throws {
        let folder = try TemporaryFolder()
        #expect(faults(of: folder) == ["samples.jsonl: missing or unreadable; expected one JSON object a line"])
        try folder.write("\n  \n", "samples.jsonl")
        #expect(faults(of: folder) == ["samples.jsonl: no samples; expected one JSON object a line"])
        #expect(throws: DatasetError.self) { try DatasetLoader().load(folder.path + "/nowhere") }
    }

    @Test func aLegibleSpineNeedsItsText() throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "images/a.png")
        try folder.write(
            line("a").replacing("\"transcription\": \"T\"", with: "\"transcription\": \"\""),
            "samples.jsonl"
        )
        #expect(faults(of: folder).first?.hasPrefix("samples.jsonl:1: \"transcription\" is empty") == true)
    }

    @Test func theDigestIsThatOfTheListingAndIsChecked() throws {
        let folder = try TemporaryFolder()
        try folder.write("abc", "images/a.png")
        try folder.write(line("a"), "samples.jsonl")
        let loader = DatasetLoader { _, _ in nil }
        let dataset = try loader.load(folder.path)
        // "abc": FIPS 180-2, appendix B.1.
        let listing = """
            ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  images/a.png
            \(SHA256.hex(of: Array(line("a").utf8)))  samples.jsonl

            """
        #expect(dataset.digest == "sha256:" + SHA256.hex(of: Array(listing.utf8)))
        try folder.write("{\"name\": \"n\", \"contentDigest\": \"\(dataset.digest)\"}", "dataset.json")
        #expect(try loader.load(folder.path).manifest.name == "n")
        try folder.write("abd", "images/a.png")
        #expect(throws: DatasetError.self) { try loader.load(folder.path) }
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
