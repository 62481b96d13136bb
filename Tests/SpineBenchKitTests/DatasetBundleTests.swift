import Foundation
import SpineBenchKit
import TestSupport
import Testing

@Suite struct DatasetBundleTests {
    private let folder: TemporaryFolder
    private static let line = #"{"id": "p1", "image": "images/p1.jpg", "category": "vertical", "title": null}"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", "images/p1.jpg")
    }

    private func dataset(_ labels: String) throws -> DatasetBundle {
        try folder.write(labels, "samples.jsonl")
        return try DatasetBundle(folder: URL(filePath: folder.path))
    }

    @Test func labelsAndPicturesAreFound() throws {
        let dataset = try dataset(Self.line + "\n\n")
        let sample = try #require(dataset.samples.first)
        #expect(dataset.samples.count == 1)
        #expect(sample.id == "p1" && sample.category == "vertical" && sample.title == nil)
        #expect(dataset.url(of: sample).path == folder("images/p1.jpg"))
    }

    @Test(arguments: [
        ("", "has no samples"), (#"{"id": "p1"}"#, "line 1: expected JSON"),
        (line + "\n" + line, "line 2: the id p1 occurs twice"),
        (#"{"id": "p2", "image": "p2.jpg"}"#, "line 1: the picture p2.jpg is missing"),
    ])
    func aFaultHasAPlace(_ labels: String, _ reason: String) throws {
        let error = #expect(throws: DatasetBundleError.self) { try dataset(labels) }
        #expect("\(try #require(error))".contains(reason))
    }

    @Test func aMissingFolderIsExplained() throws {
        let error = #expect(throws: DatasetBundleError.self) {
            try DatasetBundle(named: "nothing-here", in: .main)
        }
        #expect("\(try #require(error))".contains("folder reference"))
    }
}
