import Basics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Splitting, merging, sealing.
@Suite struct DatasetWritingTests {
    /// Returns a folder with samples "a" and "b", each with its own picture, and a shelf.
    private func made(grey: UInt8 = 10, licence: String? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, id) in ["a", "b"].enumerated() {
            let image = RasterImage(width: 3, height: 9, channels: 1, filledWith: grey + UInt8(index))
            try folder.write(ImageCodec.encodePNG(image), "images/\(id).png")
        }
        let own = licence.map { ", \"licence\": \"\($0)\"" } ?? ""
        try folder.write(
            ["a", "b"].map {
                """
                {"x": 1.50, "id": "\($0)", "image": "images/\($0).png", "category": "vertical", "title": "T", \
                "transcription": "T", "orientation": "cw", "group": "g-\($0)"\(own)}

                """
            }.joined(),
            "samples.jsonl"
        )
        try folder.write(
            "{\"image\": \"images/a.png\", \"books\": [{\"id\": \"k\", \"y\": 2}, {}]}\n{\"id\": \"s\", \"image\": \"images/b.png\", \"books\": []}",
            "shelves.jsonl"
        )
        try folder.write("{\"name\": \"set \(grey)\", \"version\": \"1\", \"licence\": \"MIT\"}", "dataset.json")
        return folder
    }

    @Test func aSplitCopyHasEverythingAndTheOriginalIsAsItWas() throws {
        let (folder, output) = (try made(), try TemporaryFolder())
        let before = try DatasetLoader().load(folder.path).digest
        let shares = [SplitPlan.Share(name: "train", share: 0.5), SplitPlan.Share(name: "test", share: 0.5)]
        let dataset = try DatasetSplitting.split(folder.path, into: URL(filePath: output.path), shares: shares, seed: 1)
        #expect(Set(dataset.samples.map(\.split)) == ["train", "test"])
        #expect(try output.lines(of: "samples.jsonl")[0].hasPrefix("{\"x\": 1.50, \"id\": \"a\""))
        #expect(try output.text(of: "shelves.jsonl").contains("\"y\": 2"))
        #expect(try DatasetLoader().load(output.path).manifest.contentDigest == dataset.digest)
        #expect(try DatasetLoader().load(folder.path).digest == before)
    }

    @Test func picturesThatShowTheSameStayTogether() throws {
        let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
        // Eight patterns, each upside down and as it is.
        var lines = ""
        for index in 0..<16 {
            var image = RasterImage(width: 64, height: 256, channels: 1)
            for pixel in image.pixels.indices {
                let block = pixel % 64 / 8 + pixel / 64 / 8 * 8
                image.pixels[pixel] = UInt8((block * block * (3 + index / 2) + block * 17) % 251)
            }
            if index.isMultiple(of: 2) { image = image.rotated(.half) }
            try folder.write(ImageCodec.encodePNG(image), "\(index).png")
            lines += """
                {"id": "\(index)", "image": "\(index).png", "category": "vertical", "title": "T", "transcription": "T", \
                "orientation": "cw"}

                """
        }
        try folder.write(lines, "samples.jsonl")
        let shares = [SplitPlan.Share(name: "train", share: 0.5), SplitPlan.Share(name: "test", share: 0.5)]
        let dataset = try DatasetSplitting.split(folder.path, into: URL(filePath: output.path), shares: shares, seed: 1)
        for index in stride(from: 0, to: 16, by: 2) {
            #expect(dataset.samples[index].split == dataset.samples[index + 1].split)
        }
        #expect(dataset.samples.count { $0.split == "train" } == 8)
    }

    @Test func aFolderWithSomethingInItIsLeftAlone() throws {
        let (folder, output) = (try made(), try TemporaryFolder())
        try output.write("mine", "notes.txt")
        #expect(
            throws: DatasetError.operation(
                path: output.path,
                problem: "is not empty; specify a new folder"
            )
        ) {
            var merging = DatasetMerging(mayRename: true)
            _ = try merging.merge([folder.path, folder.path], into: URL(filePath: output.path), name: "n")
        }
    }

    @Test func mergedNamesThatCollideGetTheirDatasetsName() throws {
        let (one, two, output) = (try made(), try made(grey: 90, licence: "CC0-1.0"), try TemporaryFolder())
        var merging = DatasetMerging(mayRename: true)
        let dataset = try merging.merge([one.path, two.path], into: URL(filePath: output.path), name: "both")
        #expect(dataset.samples.map(\.id) == ["a", "b", "set-90-a", "set-90-b"])
        #expect(dataset.samples.map(\.image)[2] == "images/set-90-a.png")
        #expect(dataset.samples.map(\.group) == ["g-a", "g-b", "set-90-g-a", "set-90-g-b"])
        #expect(dataset.samples.map(\.licence) == ["MIT", "MIT", "CC0-1.0", "CC0-1.0"])
        #expect(dataset.samples.map(\.source) == ["set 10 1", "set 10 1", "set 90 1", "set 90 1"])
        #expect(dataset.shelves.map(\.id) == ["images/a.png", "s", "images/set-90-a.png", "set-90-s"])
        #expect(dataset.shelves.map { $0.books.map(\.id) } == [["k", nil], [], ["set-90-k", nil], []])
        #expect(try output.text(of: "shelves.jsonl").components(separatedBy: "\"y\": 2").count == 3)
        #expect(dataset.manifest.count == 8)
        #expect(merging.renamings.count == 8)
        #expect(merging.renamings.allSatisfy { $0.path == two.path })
    }

    @Test func collisionsAreRefusedOnDemand() throws {
        let (one, two, output) = (try made(), try made(grey: 90), try TemporaryFolder())
        var merging = DatasetMerging(mayRename: false)
        do throws(DatasetError) {
            _ = try merging.merge([one.path, two.path], into: URL(filePath: output("both")), name: "both")
            Issue.record("collisions went by")
        } catch {
            #expect("\(error)".contains("image \"images/a.png\" is also in an earlier dataset"))
            #expect(!output.contains("both"))
        }
    }

    @Test func aSealKeepsWhatAManifestSays() throws {
        let folder = try made()
        let dataset = try DatasetSeal.seal(URL(filePath: folder.path), as: DatasetManifest.read(from: folder.path))
        #expect(dataset.manifest.name == "set 10")
        #expect(dataset.manifest.count == 4)
        #expect(try DatasetLoader().load(folder.path).digest == dataset.digest)
    }

    @Test func aSealThatFailsLeavesTheManifest() throws {
        let folder = try made()
        try folder.write("x", "samples.jsonl")
        let before = try folder.text(of: "dataset.json")
        #expect(throws: DatasetError.self) {
            try DatasetSeal.seal(URL(filePath: folder.path), as: DatasetManifest(name: "n"))
        }
        #expect(try folder.text(of: "dataset.json") == before)
    }

    @Test func statisticsCountSamplesAndShelves() throws {
        let folder = try made()
        let statistics = DatasetStatistics(try DatasetLoader().load(folder.path))
        #expect(statistics.samples == 2 && statistics.books == 2 && statistics.shelves == 2 && statistics.groups == 2)
        #expect(statistics.counts["category"] == ["vertical": 2, "–": 2])
        #expect(statistics.spreads["picture width"]?.median == 3)
        #expect(statistics.spreads["picture height"]?.maximum == 9)
        #expect(statistics.spreads["books a shelf"]?.minimum == 0)
        #expect(statistics.spreads["text height"] == nil)
    }
}
