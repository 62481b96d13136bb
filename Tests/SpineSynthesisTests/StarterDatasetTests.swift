import Foundation
import ImageCodec
import Raster
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Starter data set")
struct StarterDatasetTests {
    private struct Sample: Decodable {
        struct Line: Decodable {
            let text: String
            let role: String
            let quad: Quad
            let size: Double
        }

        let id: String
        let image: String
        let title: String
        let author: String
        let transcription: String
        let orientation: String
        let outline: Quad
        let legible: Bool
        let lines: [Line]
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "starter-\(UUID().uuidString)")

    @Test("seventy-eight spines have the shares of the categories, and no book comes twice")
    func plans() {
        let plans = StarterDataset.plans(seed: 1, count: 78)
        let counts = Dictionary(grouping: plans, by: \.brief.category).mapValues(\.count)
        #expect(counts == [.vertical: 24, .inverted: 24, .stylized: 24, .horizontal: 4, .mixed: 2])
        #expect(Set(plans.map(\.book)).count == 78)
        #expect(plans.allSatisfy { $0.brief.suits($0.book) })
    }

    @Test("any number of spines can be asked for")
    func counts() {
        #expect(StarterDataset.plans(seed: 1, count: 0).isEmpty)
        #expect(StarterDataset.plans(seed: 1, count: 500).count == 500)
    }

    @Test("the labels fit the pictures, and the same seed writes the same bytes")
    func write() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let dataset = try StarterDataset(typefaces: [Spines.typeface])
        let (first, second) = (folder.appending(path: "a/set"), folder.appending(path: "b/set"))
        var done: [Int] = []
        var asked: [String] = []
        let digest = { (folder: URL) -> String? in
            asked = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return "sha256:of these"
        }
        try dataset.write(to: first, seed: 4, count: 2, digest: digest) { done.append($0) }
        try dataset.write(to: second, seed: 4, count: 2, digest: digest)
        // The digest is of labels and pictures, and what states it comes after.
        #expect(asked == ["images", "samples.jsonl"])
        let card = try String(contentsOf: first.appending(path: "dataset.json"), encoding: .utf8)
        #expect(card.contains("\"contentDigest\" : \"sha256:of these\""))
        #expect(done == [1, 2])
        let words = try String(contentsOf: first.appending(path: "CARD.md"), encoding: .utf8)
        #expect(words.hasPrefix("# set\n"))
        #expect(words.contains("Samples by category: 1 vertical, 1 "))
        for file in ["dataset.json", "samples.jsonl", "CARD.md", "images/synth-001.jpg", "images/synth-002.jpg"] {
            let bytes = try Data(contentsOf: first.appending(path: file))
            #expect(try Data(contentsOf: second.appending(path: file)) == bytes, "\(file)")
        }

        let lines = try String(contentsOf: first.appending(path: "samples.jsonl"), encoding: .utf8).split(
            separator: "\n"
        )
        #expect(lines.count == 2)
        for line in lines {
            let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
            let image = try decode(first.appending(path: sample.image))
            for point in sample.outline.corners + sample.lines.flatMap(\.quad.corners) {
                #expect((0...Double(image.width)).contains(point.x))
                #expect((0...Double(image.height)).contains(point.y))
            }
            let read = sample.lines.filter { $0.size >= 11 }
            #expect(sample.transcription == read.map(\.text).joined(separator: " "))
            #expect(sample.lines.allSatisfy { !["title", "author"].contains($0.role) || $0.size >= 13 })
            let printed = sample.lines.filter { $0.role == "title" }.map(\.text).joined(separator: " ")
            #expect(printed.lowercased() == sample.title.lowercased())
            #expect(sample.transcription.lowercased().contains(sample.author.lowercased()))
            #expect(["cw", "ccw", "upright", "inverted"].contains(sample.orientation))
            #expect(sample.legible)
        }
    }

    @Test("a folder with something in it is left alone")
    func notEmpty() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
        let dataset = try StarterDataset(typefaces: [Spines.typeface])
        #expect(throws: SynthesisError.notEmpty(path: folder.path)) {
            try dataset.write(to: folder, seed: 1, count: 1)
        }
    }

    private func decode(_ file: URL) throws -> RasterImage {
        try ImageCodec.decode(contentsOf: file.path).image
    }
}
