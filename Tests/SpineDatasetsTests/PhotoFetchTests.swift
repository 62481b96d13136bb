import Basics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Recipes: photos from a repository on this machine, or from a folder of copies.
@Suite struct PhotoFetchTests {
    /// `o/shelf.git` in it has a photo of a black left and a white right half, and `gone.png`, which its newest commit
    /// removed.
    private let folder: TemporaryFolder
    private let (photo, gone): (String, String)

    init() throws {
        folder = try TemporaryFolder()
        var image = RasterImage(width: 40, height: 60, channels: 1, filledWith: 255)
        for pixel in image.pixels.indices where pixel % 40 < 20 { image.pixels[pixel] = 0 }
        let work = "o/shelf.git"
        try folder.write(ImageCodec.encodePNG(image), "\(work)/photo.png")
        try folder.write(tinyPNG, "\(work)/gone.png")
        photo = try Self.git(folder(work), "hash-object", "photo.png")
        gone = try Self.git(folder(work), "hash-object", "gone.png")
        try Self.git(folder(work), "init", "--quiet")
        for (change, message) in [(["add", "."], "a"), (["rm", "--quiet", "gone.png"], "b")] {
            try Self.git(folder(work), change)
            let author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            try Self.git(folder(work), author + ["commit", "--quiet", "--message", message])
        }
    }

    @discardableResult
    private static func git(_ folder: String, _ arguments: String...) throws -> String { try git(folder, arguments) }

    @discardableResult
    private static func git(_ folder: String, _ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try Process.start("/usr/bin/env", ["git", "-C", folder] + arguments, output: output)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func line(
        _ id: String,
        _ blob: String,
        _ path: String = "photo.png",
        quad: String = "",
        image: String? = nil
    ) -> String {
        let (picture, place) = (image ?? "images/\(id).png", quad.isEmpty ? "" : "\"quad\": \(quad), ")
        return """
            {"id": "\(id)", "image": "\(picture)", "category": "vertical", "title": "T", \
            "transcription": "T", "orientation": "cw", \(place)"own": 1.50, \
            "photo": {"repository": "o/shelf", "path": "\(path)", "blob": "\(blob)"}}

            """
    }

    private func fetch(_ lines: [String], mirror: String? = nil, at server: String? = nil) throws -> PhotoFetch {
        try folder.write("{\"name\": \"r\", \"unfinished\": \"fetch it\"}", "recipe/dataset.json")
        try folder.write(lines.joined(), "recipe/samples.jsonl")
        return try PhotoFetch(
            folder("recipe"),
            mirror: mirror,
            into: URL(filePath: folder("out")),
            server: server ?? "file://\(folder.path)/"
        )
    }

    private func image(_ id: String) throws -> RasterImage {
        try ImageCodec.decode(contentsOf: folder("out/images/\(id).png")).image
    }

    private let left = "[[2, 10], [18, 10], [18, 50], [2, 50]]"

    @Test func photosOfARepositoryAreCutAndThoseThatAreGoneAreNamed() throws {
        let nowhere = String(repeating: "1", count: 40)
        let lost = line("lost", nowhere, "x.png")
        let fetch = try fetch([line("crop", photo, quad: left), line("whole", gone, "gone.png"), lost])
        let dataset = try #require(fetch.dataset)
        #expect(dataset.samples.map(\.id) == ["crop", "whole"])
        #expect(fetch.gone.map(\.line) == [3])
        #expect(fetch.gone.first?.problem.hasPrefix("lost: x.png of o/shelf: git: fatal: ") == true)
        #expect(dataset.manifest.description == "without 1 of 3 spines, whose photos could not be had")
        #expect(dataset.manifest.unfinished == nil)
        #expect(dataset.manifest.canary?.hasSuffix(dataset.digest.suffix(32)) == true)
        let crop = try image("crop")
        #expect((crop.width, crop.height) == (16, 40) && crop.pixels.allSatisfy { $0 == 0 })
        #expect(try image("whole").width == 2)
        #expect(try folder.lines(of: "out/samples.jsonl")[0] + "\n" == line("crop", photo, quad: left))
        #expect(try DatasetLoader().load(folder("out")).digest == dataset.digest)
    }

    @Test func copiesAreFoundByTheirDigestUnderAnyName() throws {
        let copy = try Data(contentsOf: URL(filePath: folder("o/shelf.git/photo.png")))
        try folder.write(Array(copy), "copies/a/any name.bin")
        try folder.write(tinyPNG + [0], "copies/gone.png")
        let fetch = try fetch(
            [line("crop", photo, quad: left), line("other", gone, "below/gone.png")],
            mirror: folder("copies"),
            at: "file://\(folder.path)/nowhere/"
        )
        #expect(fetch.dataset?.samples.map(\.id) == ["crop"])
        let problem = try #require(fetch.gone.first?.problem)
        #expect(problem.contains("its gone.png has the digest ") && problem.contains("not \(gone); git: "))
        #expect(fetch.gone.count == 1)
    }

    @Test func aRecipeWithoutAnyPhotoWritesNothing() throws {
        let fetch = try fetch([line("a", photo)], at: "file://\(folder.path)/nowhere/")
        #expect(fetch.dataset == nil && fetch.gone.count == 1)
        #expect(!folder.contains("out"))
    }

    @Test(arguments: [
        ("[[2, 10], [58, 10], [58, 50], [2, 50]]", "a.png", "not convex, or outside the photo of 40 × 60 pixels"),
        ("", "../a.png", "image: invalid value \"../a.png\", outside the dataset"),
        ("", "samples.jsonl", "\"image\" is samples.jsonl; expected a file .jpg or .png"),
        ("", "/a.png", "outside the dataset"),
    ]) func aFaultyRecipeWritesNothing(_ quad: String, _ image: String, _ expected: String) throws {
        let error = #expect(throws: DatasetError.self) { try fetch([line("a", photo, quad: quad, image: image)]) }
        #expect(error?.description.contains(expected) == true)
        #expect(!folder.contains("out") && !folder.contains("a.png"))
    }

    @Test(arguments: [
        ("o/shelf", "--upload-pack=x/y", "repository"), ("o/shelf", "o/../../etc", "repository"),
        ("\"blob\": \"", "\"blob\": \"-", "blob"), ("\"blob\": \"", "\"commit\": \"HEAD\", \"blob\": \"", "commit"),
        ("\"photo\"", "\"other\"", "\"photo\" is missing"),
    ]) func originsAreChecked(_ part: String, _ hostile: String, _ key: String) throws {
        let line = line("a", photo).replacing(part, with: hostile)
        let error = #expect(throws: DatasetError.self) { try fetch([line]) }
        #expect(error?.description.contains(key) == true)
    }

    @Test func twoSpinesOfOnePictureAreAFault() throws {
        let error = #expect(throws: DatasetError.self) {
            try fetch([line("a", photo), line("b", photo, image: "images/a.png")])
        }
        #expect(error?.description.contains("images/a.png is another spine's, too") == true)
    }
}
