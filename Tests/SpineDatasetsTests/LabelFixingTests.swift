import Basics
import Foundation
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct LabelFixingTests {
    private static let now = "2026-03-01T12:00:00Z"

    private func made() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "a.png")
        let lines = ["a", "b"].map {
            """
            {"x": 1.50, "id": "\($0)", "image": "a.png", "category": "vertical", "title": "Hobit", \
            "author": "Tolkien", "transcription": "Hobit", "orientation": "cw"}

            """
        }
        try folder.write(lines.joined(), "samples.jsonl")
        return folder
    }

    private func fix(
        _ id: String,
        in folder: TemporaryFolder,
        _ texts: [LabelFixing.Field: String?]
    ) throws -> (mend: LabelMend, dataset: Dataset) {
        try LabelFixing.fix(id, in: URL(filePath: folder.path), texts: texts, why: "typing error", at: Self.now)
    }

    @Test func oneLabelChangesAndBothDigestsAreRecorded() throws {
        let folder = try made()
        let before = try DatasetLoader().load(folder.path)
        let (mend, dataset) = try fix("b", in: folder, [.title: "The Hobbit", .author: nil])
        #expect(dataset.samples[1].title == "The Hobbit" && dataset.samples[1].author == nil)
        #expect(try folder.lines(of: "samples.jsonl")[1].hasPrefix("{\"x\": 1.50, \"id\": \"b\""))
        #expect(mend.from == before.digest && mend.to == dataset.digest && mend.samples == ["b"])
        let loaded = try DatasetLoader().load(folder.path)
        #expect(loaded.digest == dataset.digest && loaded.samples[0] == before.samples[0])
        #expect(loaded.mends(since: before.digest) == [mend])
        #expect(loaded.mends(since: loaded.digest) == [])
        #expect(loaded.mends(since: "sha256:other") == nil)
    }

    @Test func correctionsFormAChainToTheCurrentDigest() throws {
        let folder = try made()
        let first = try fix("a", in: folder, [.title: "The Hobbit"]).mend
        let second = try fix("b", in: folder, [.title: "The Hobbit"]).mend
        let dataset = try DatasetLoader().load(folder.path)
        #expect(dataset.mends(since: first.from) == [first, second])
        #expect(dataset.mends(since: second.from) == [second])
        // Labels changed by hand after the last correction are not one.
        var other = dataset
        other.digest = "sha256:by-hand"
        #expect(other.mends(since: first.from) == nil)
    }

    @Test func anInvalidLabelLeavesTheDatasetAsItWas() throws {
        let folder = try made()
        let before = try folder.text(of: "samples.jsonl")
        #expect(throws: DatasetError.self) { try fix("a", in: folder, [.orientation: "sideways"]) }
        #expect(throws: DatasetError.self) { try fix("c", in: folder, [.title: "T"]) }
        #expect(throws: DatasetError.self) { try fix("a", in: folder, [.title: "Hobit"]) }
        #expect(try folder.text(of: "samples.jsonl") == before)
        #expect(try DatasetLoader().load(folder.path).manifest.mended == nil)
    }

    /// A process that is killed between the writing of the labels and of `dataset.json`.
    @Test(arguments: [false, true]) func anInterruptedCorrectionIsCompletedByItsRepetition(
        labelsAreWritten: Bool
    ) throws {
        let (folder, whole) = (try made(), try made())
        let expected = try fix("a", in: whole, [.title: "The Hobbit"])
        var manifest = DatasetManifest(namedAfter: folder.path)
        manifest.unfinished = "the correction of a label was interrupted; repeat 'spinebench dataset fix'"
        manifest.mended = [
            LabelMend(from: expected.mend.from, to: "", samples: ["a"], why: "typing error", at: Self.now)
        ]
        try DatasetSeal.write(manifest, to: URL(filePath: folder("dataset.json")))
        if labelsAreWritten { try folder.write(whole.text(of: "samples.jsonl"), "samples.jsonl") }
        #expect(throws: DatasetError.self) { try DatasetLoader().load(folder.path) }
        let (mend, dataset) = try fix("a", in: folder, [.title: "The Hobbit"])
        #expect(mend == expected.mend && dataset.digest == expected.dataset.digest)
        #expect(try DatasetLoader().load(folder.path).mends(since: mend.from) == [mend])
    }
}
