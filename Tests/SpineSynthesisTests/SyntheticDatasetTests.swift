import Foundation
import Imaging
import Synchronization
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Synthetic dataset")
struct SyntheticDatasetTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "synth-\(UUID().uuidString)")
    /// Small pictures, as these are many.
    private let options = SynthesisOptions(seed: 4, spines: 4, widths: 30...34)

    private func begin(
        _ name: String,
        _ options: SynthesisOptions? = nil,
        titles: String? = nil
    ) throws -> SyntheticDataset {
        try SyntheticDataset.begin(
            in: root.appending(path: name),
            DatasetManifest(name: "set", version: "1.0.0", licence: "CC0-1.0"),
            options ?? self.options,
            titles: titles.map { ($0, "list.txt") },
            typefaces: [Spines.typeface]
        )
    }

    private func resume(_ name: String) throws -> SyntheticDataset {
        try SyntheticDataset.resume(in: root.appending(path: name), typefaces: [Spines.typeface])
    }

    private func bytes(_ name: String) throws -> [String: Data] {
        let folder = root.appending(path: name)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: files.compactMap { file in
                FileManager.default.contents(atPath: folder.appending(path: file).path).map { (file, $0) }
            }
        )
    }

    /// Returns a function that answers yes from the `count`-th question.
    private func stopping(after count: Int) -> @Sendable () -> Bool {
        let left = Mutex(count)
        return {
            left.withLock { left in
                left -= 1
                return left < 0
            }
        }
    }

    @Test("what was stopped, torn and damaged is completed to the same bytes, whatever the number of threads")
    func resumed() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        _ = try begin("whole").draw(threads: 3)
        let whole = try bytes("whole")
        #expect(
            Set(whole.keys) == [
                "dataset.json", "samples.jsonl", "CARD.md", "images/spine-00001.jpg",
                "images/spine-00002.jpg",
                "images/spine-00003.jpg", "images/spine-00004.jpg",
            ]
        )

        var done: [Int] = []
        let stopped = try begin("cut").draw(
            threads: 1,
            isStopped: stopping(after: 2),
            progress: { done.append($0.done) }
        )
        #expect(stopped == nil)
        #expect(done == [0, 1, 2])
        let message = try #require(throws: DatasetError.self) {
            try DatasetLoader().load(root.appending(path: "cut").path)
        }
        #expect("\(message)".contains("the dataset is unfinished: "))
        #expect("\(message)".contains("--resume --out"))

        // The state after a kill: half a line, half a picture under another name; and a lost picture.
        let labels = root.appending(path: "cut/samples.jsonl")
        try (Data(contentsOf: labels) + Data("{\"id\": \"spine-00003\", ".utf8)).write(to: labels)
        try Data([0xFF, 0xD8]).write(to: root.appending(path: "cut/images/spine-00003.jpg.part"))
        try Data([0xFF, 0xD8]).write(to: root.appending(path: "cut/images/spine-00001.jpg"))
        var resumedAt: Int?
        let drawn = try resume("cut").draw(threads: 2, progress: { resumedAt = resumedAt ?? $0.done })
        #expect(resumedAt == 1)
        #expect(drawn?.samples.count == 4)
        #expect(try bytes("cut") == whole)
        #expect(try resume("cut").isFinished)
    }

    @Test("the labels fit the pictures")
    func labels() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let dataset = try #require(try begin("set").draw(threads: 2))
        #expect(dataset.samples.map(\.id) == ["spine-00001", "spine-00002", "spine-00003", "spine-00004"])
        for sample in dataset.samples {
            let path = root.appending(path: "set/\(sample.image)").path
            let image = try ImageCodec.decode(contentsOf: path).image
            let lines = try #require(sample.lines)
            for point in try #require(sample.outline).corners + lines.compactMap(\.quad).flatMap(\.corners) {
                #expect((0...Double(image.width)).contains(point.x), "\(sample.id)")
                #expect((0...Double(image.height)).contains(point.y), "\(sample.id)")
            }
            let certain = lines.filter { ($0.size ?? 0) >= 11 }.map(\.text)
            #expect(sample.transcription == certain.joined(separator: " "))
            let title = lines.filter { $0.role == .title }.map(\.text).joined(separator: " ")
            #expect(title.lowercased() == sample.title?.lowercased())
            #expect(sample.difficulty?["blurSigma"] != nil && sample.difficulty?["contrast"] != nil)
            #expect(sample.language != nil && sample.style != nil)
            #expect(lines.allSatisfy { $0.font == "DejaVu Sans" })
        }
    }

    @Test("a user's titles are kept with the dataset, and drawing goes on only with the same ones")
    func titles() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let list = "Emma\tJane Austen\nBeowulf\n"
        #expect(try begin("set", titles: list).draw(threads: 1, isStopped: { true }) == nil)
        #expect(try String(contentsOf: root.appending(path: "set/titles.txt"), encoding: .utf8) == list)
        _ = try resume("set")
        try Data("Emma\n".utf8).write(to: root.appending(path: "set/titles.txt"))
        let error = try #require(throws: DatasetError.self) { try resume("set") }
        #expect("\(error)".contains("titles.txt: is missing or was changed"))
    }

    @Test("what no font can write is told before anything is drawn")
    func unwritable() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(throws: SynthesisError.unwritable(file: "list.txt", texts: ["書"])) {
            try begin("set", titles: "Emma\n書\n")
        }
        #expect(
            throws: SynthesisError.titles([
                DatasetFault(file: "list.txt", line: 2, message: "no title in the first column")
            ])
        ) {
            try begin("set", titles: "Emma\n\tJane Austen\n")
        }
        #expect(!FileManager.default.fileExists(atPath: root.appending(path: "set").path))
    }

    @Test("other fonts or libraries than at the beginning are noticed")
    func mixture() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(try begin("set").draw(threads: 1, isStopped: stopping(after: 1)) == nil)
        // A picture that is whole, and not the one that these fonts and libraries give.
        let other = try ImageCodec.encodeJPEG(RasterImage(width: 9, height: 9, channels: 3, filledWith: 9), quality: 80)
        try Data(other).write(to: root.appending(path: "set/images/spine-00001.jpg"))
        let error = try #require(throws: DatasetError.self) { try resume("set").draw(threads: 1) }
        #expect("\(error)".contains("spine-00001.jpg: would differ now"))
    }

    @Test(
        "shards, in any order, are put together to the bytes of one piece; one that has no pictures need not be there"
    )
    func shards() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let options = SynthesisOptions(seed: 4, spines: 4, shelves: 1, widths: 30...34, booksPerShelf: 0...1)
        _ = try begin("whole", options).draw(threads: 2)
        var folders: [String] = []
        for shard in Shard.all(of: 6) {
            var part = options
            part.shard = shard
            guard part.hasPictures(in: shard) else { continue }
            _ = try begin("part \(shard.number)", part).draw(threads: 2)
            folders.append(root.appending(path: "part \(shard.number)").path)
        }
        #expect(folders.count < 6 && folders.count > 1)
        let merged = root.appending(path: "merged")
        _ = try SyntheticDataset.merge(folders.reversed(), into: merged, name: "set")
        #expect(try bytes("merged") == bytes("whole"))

        for (paths, problem) in [
            (Array(folders.dropFirst()), "is missing: none of the"),
            (folders + [folders[0]], "remove one of them"),
            ([root.appending(path: "whole").path], "is not a shard"),
        ] {
            let target = root.appending(path: UUID().uuidString)
            let error = try #require(throws: DatasetError.self) {
                try SyntheticDataset.merge(paths, into: target, name: "set")
            }
            #expect("\(error)".contains(problem), "\(error)")
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
        var other = options
        (other.seed, other.shard) = (5, Shard(number: 1, of: 6))
        let stranger = try #require(Shard.all(of: 6).first { other.hasPictures(in: $0) })
        other.shard = stranger
        _ = try begin("stranger", other).draw(threads: 2)
        let mixed = folders.filter { !$0.hasSuffix(" \(stranger.number)") } + [root.appending(path: "stranger").path]
        let error = try #require(throws: DatasetError.self) {
            try SyntheticDataset.merge(mixed, into: root.appending(path: "mixed"), name: "set")
        }
        #expect("\(error)".contains("seed 5, not 4"), "\(error)")
    }

    @Test("a folder with something in it, or without a beginning, is left alone")
    func wrongFolder() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: root.appending(path: "notes.txt"))
        #expect(throws: SynthesisError.notEmpty(path: root.path)) {
            try SyntheticDataset.begin(in: root, DatasetManifest(name: "x"), options, typefaces: [Spines.typeface])
        }
        let error = try #require(throws: DatasetError.self) {
            try SyntheticDataset.resume(in: root, typefaces: [Spines.typeface])
        }
        #expect("\(error)".contains("nothing to resume"))
        #expect(throws: SynthesisError.options("0 spines and 0 shelves; expected at least 1 of either")) {
            try begin("set", SynthesisOptions(spines: 0))
        }
    }

    @Test("what cannot be written is told, and what was drawn goes on from there")
    func unwritableFolder() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let dataset = try begin("set")
        // A file where the pictures' folder is to be.
        let images = root.appending(path: "set/images")
        try Data().write(to: images)
        let error = try #require(throws: DatasetError.self) { try dataset.draw(threads: 2) }
        #expect("\(error)".contains("cannot be written"))
        try FileManager.default.removeItem(at: images)
        #expect(try resume("set").draw(threads: 2)?.samples.count == 4)
    }
}
