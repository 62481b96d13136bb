import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Datasets in tar archives beside datasets of files.
@Suite struct ArchiveTests {
    /// Makes ten samples of six groups, two of them on one picture, a key that appears twice, a name with dots, and a
    /// shelf.
    private func made() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let samples = [
            ("a", "images/a.png", "1"), ("b", "images/b.png", nil), ("c", "images/c.png", "1"),
            ("d", "images/d.png", "2"),
            ("e", "images/a.jpg", nil), ("f", "images/f.v1.png", "3"), ("g", "images/f.v2.png", "2"),
            ("h", "images/h.png", "4"), ("i", "images/h.png", "5"), ("j", "ü/j.png", "5"),
        ]
        var lines = ""
        for (index, (id, image, group)) in samples.enumerated() {
            let picture = RasterImage(width: 9, height: 3 + index, channels: 1, filledWith: UInt8(10 * index))
            if !folder.contains(image) {
                let bytes =
                    image.hasSuffix("png")
                    ? try ImageCodec.encodePNG(picture) : try ImageCodec.encodeJPEG(picture, quality: 80)
                try folder.write(bytes, image)
            }
            let own = group.map { ", \"group\": \"\($0)\"" } ?? ""
            lines += """
                {"x": 1.50, "id": "\(id)", "image": "\(image)", "category": "vertical", "title": "T", "transcription": "T", \
                "orientation": "cw"\(own)}

                """
        }
        try folder.write(lines, "samples.jsonl")
        try folder.write("{\"image\": \"images/b.png\", \"books\": [{\"id\": \"k\", \"y\": 2}, {}]}\n", "shelves.jsonl")
        try folder.write("{\"name\": \"my set/ü\", \"version\": \"1\", \"licence\": \"MIT\"}", "dataset.json")
        return folder
    }

    private func written(_ source: TemporaryFolder, _ limit: String = "2") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let outcome = try pack(source.path, folder.path, "--most", limit)
        #expect(outcome.code == 0, "\(outcome.text)")
        return folder
    }

    private func bytes(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: folder(name))))
    }

    private func faults(of folder: TemporaryFolder) -> String {
        do throws(DatasetError) {
            _ = try DatasetLoader().load(folder.path)
            return ""
        } catch {
            return "\(error)".replacing(folder.path + "/", with: "")
        }
    }

    @Test func aDatasetInArchivesIsTheDatasetOfFiles() throws {
        let folder = try made()
        let archives = try written(folder)
        let (before, after) = (try DatasetLoader().load(folder.path), try DatasetLoader().load(archives.path))
        #expect(after.samples == before.samples && after.shelves == before.shelves && after.digest == before.digest)
        #expect(!archives.contains("images") && before.store.archives.isEmpty)
        for sample in before.samples {
            let (file, part) = (before.store.source(of: sample.image), after.store.source(of: sample.image))
            #expect(part.part != nil && file.contents() == part.contents() && file.size == part.size)
            #expect(
                try before.store.bytes(of: sample.image, limit: 20) == after.store.bytes(of: sample.image, limit: 20)
            )
        }
        #expect(DatasetStatistics(after) == DatasetStatistics(before))
    }

    @Test func whatBelongsTogetherIsInOneArchiveAndNoneIsLargerThanAsked() throws {
        let folder = try made()
        let output = try written(folder)
        let archives = try DatasetLoader().load(output.path).store.archives
        // Computed by hand: "1" has a and c, "2" d and g, and h's picture joins "4" and "5"; two pictures fit.
        #expect(
            archives.map { $0.pictures.map(\.image) } == [
                ["images/a.png", "images/c.png"], ["images/b.png"], ["images/d.png", "images/f.v2.png"],
                ["images/a.jpg", "images/f.v1.png"], ["images/h.png", "ü/j.png"],
            ]
        )
        #expect(archives.map(\.file).first == "my_set__-000000.tar")
        #expect(archives.flatMap(\.pictures).first { $0.image == "images/b.png" }?.ids == ["b", "images/b.png"])

        func sizes(_ limit: String) throws -> [Int] {
            let output = try written(folder, limit)
            return try DatasetLoader().load(output.path).store.archives.map(\.bytes)
        }
        let small = try sizes("20kB")
        #expect(small.allSatisfy { $0 <= 20_000 } && small.count > 1)
        #expect(try sizes("1GiB").count == 1)
        // A group is not parted, however little is asked.
        #expect(try sizes("1kB").count == 6)
    }

    @Test func theSameDatasetGivesTheSameBytes() throws {
        let folder = try made()
        let first = try written(folder)
        // Numbers of files, and of archives.
        for again in [try written(folder), try written(first)] {
            let names = try FileManager.default.contentsOfDirectory(atPath: first.path).sorted()
            #expect(try FileManager.default.contentsOfDirectory(atPath: again.path).sorted() == names)
            for name in names { #expect(try bytes(first, name) == bytes(again, name), "\(name)") }
        }
    }

    @Test func everyPictureHasItsLabelsBesideItUnderAKeyOfItsOwn() throws {
        let archives = try written(made(), "100")
        let archive = archives("my_set__-000000.tar")
        let list = "import sys, tarfile; print(*sorted(tarfile.open(sys.argv[1]).getnames()), sep='\\n')"
        #expect(
            try python("-c", list, archive).split(separator: "\n").map(String.init) == [
                "images/a-2.jpg", "images/a-2.json", "images/a.json", "images/a.png", "images/b.2.json",
                "images/b.json",
                "images/b.png", "images/c.json", "images/c.png", "images/d.json", "images/d.png", "images/f_v1.json",
                "images/f_v1.png", "images/f_v2.json", "images/f_v2.png", "images/h.2.json", "images/h.json",
                "images/h.png",
                "ü/j.json", "ü/j.png",
            ]
        )
        let text =
            "import sys, tarfile; sys.stdout.buffer.write(tarfile.open(sys.argv[1]).extractfile(sys.argv[2]).read())"
        #expect(try python("-c", text, archive, "images/a-2.json") == archives.lines(of: "samples.jsonl")[4])
    }

    @Test func everyCommandThatCopiesPicturesReadsArchives() throws {
        let folder = try made()
        let archives = try written(folder)
        let shares = [SplitPlan.Share(name: "train", share: 0.5), SplitPlan.Share(name: "test", share: 0.5)]
        let copies = try [folder, archives].map { source in
            let copy = try TemporaryFolder()
            _ = try DatasetSplitting.split(source.path, into: URL(filePath: copy.path), shares: shares, seed: 1)
            return copy
        }
        #expect(try bytes(copies[0], "samples.jsonl") == bytes(copies[1], "samples.jsonl"))
        #expect(try bytes(copies[0], "ü/j.png") == bytes(copies[1], "ü/j.png"))

        var merging = DatasetMerging(mayRename: true)
        let merged = try TemporaryFolder()
        let dataset = try merging.merge([folder.path, archives.path], into: URL(filePath: merged.path), name: "both")
        #expect(dataset.samples.count == 20 && dataset.store.archives.isEmpty)

        let pages = try [folder, archives].map { source in
            let page = URL(filePath: source("page.html"))
            let outcome = try ContactSheet(of: source.path, maximumSide: 100, limit: nil).write(to: page)
            #expect(outcome.faults.isEmpty)
            // The folder of files has no digest.
            return try source.lines(of: "page.html").filter { $0.hasPrefix("<script type=\"") }
        }
        #expect(pages[0].count == 22 && pages[0] == pages[1])
    }

    @Test func ourOwnArchivesAreIndexedAnew() throws {
        let archives = try written(made(), "100")
        let before = try DatasetLoader().load(archives.path)
        for name in ["shards.json", "samples.jsonl", "shelves.jsonl", "dataset.json"] {
            try FileManager.default.removeItem(atPath: archives(name))
        }
        #expect(faults(of: archives).contains("scripts/pack.py --index"))
        #expect(try pack("--index", archives.path).code == 0)
        let after = try DatasetLoader().load(archives.path)
        #expect(after.samples.sorted { $0.id < $1.id } == before.samples && after.shelves == before.shelves)
        #expect(
            after.store.archives.flatMap(\.pictures).map(\.image)
                == before.store.archives.flatMap(\.pictures).map(\.image)
        )
        let again = try pack("--index", archives.path)
        #expect(again.code == 2 && again.text.contains("samples.jsonl: already exists; remove it to recreate it"))
    }

    @Test(arguments: ["tarfile-pax", "tarfile-gnu", "tar-gnu", "tar-posix", "webdataset"])
    func archivesOfOthersAreDatasets(_ name: String) throws {
        let path = try #require(Bundle.module.path(forResource: "Fixtures/shards/\(name)", ofType: "tar"))
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: folder("x.tar"))
        #expect(try pack("--index", folder.path).code == 0)
        let dataset = try DatasetLoader().load(folder.path)
        #expect(dataset.samples.map(\.title) == (name == "webdataset" ? ["000000", "000001"] : ["A", "B", "Ü"]))
        #expect(dataset.samples.map { $0.id + ".png" } == dataset.samples.map(\.image))
        #expect(dataset.samples.allSatisfy { dataset.store.source(of: $0.image).size == 71 })
    }

    /// Members of an archive of another program's, and their faults.
    @Test(
        "archives in which pictures and labels do not go together are refused",
        arguments: [
            (["a.png"], "\"a.png\" has no a.json"), (["a.json"], "\"a.json\" has no picture of the same name"),
            (["a.left.png", "a.right.png", "a.json"], "\"a.right.png\" has no a.json of its own"),
            (["a.png", "a.json", "a.png"], "duplicate member \"a.png\""),
        ]
    )
    func unpaired(_ names: [String], _ expected: String) throws {
        let members = names.map { ($0, $0.hasSuffix("png") ? tinyPNG : Array("{}".utf8)) }
        let found = try indexed(["x.tar": members])
        #expect(found.files == ["x.tar"] && found.text.contains(expected) && found.text.contains("x.tar: byte "))
    }

    // MARK: Archives of a Mac, and of others

    private static let label = Array(
        #"{"category": "vertical", "title": "T", "transcription": "T", "orientation": "cw"}"#.utf8
    )

    /// Writes archives of members, indexes them, and returns the folder's files, and what is printed, with the ids of samples.
    private func indexed(_ archives: [String: [(String, [UInt8])]]) throws -> (files: [String], text: String) {
        let folder = try TemporaryFolder()
        for (name, members) in archives { try folder.write(TarArchive.of(members), name) }
        let outcome = try pack("--index", folder.path)
        let ids = outcome.code == 0 ? try DatasetLoader().load(folder.path).samples.map(\.id) : []
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return (files, (ids + [outcome.text]).joined(separator: "\n").replacing(folder.path + "/", with: ""))
    }

    /// The bytes of an AppleDouble file (RFC 1740) are no picture and no JSON.
    @Test(
        "what macOS adds is passed over, and said",
        arguments: [
            ["./._a.png", "./a.png", "./._a.json", "./a.json"], ["__MACOSX/._a.png", "a.png", "a.json", ".DS_Store"],
            ["a.png", "a.json", "__MACOSX/x/._a.json"], ["a.PNG", "a.JSON", "._a.JSON"],
        ]
    )
    func filesOfAMac(_ names: [String]) throws {
        let double: [UInt8] = [0, 5, 0x16, 7, 0, 2, 0, 0]
        let members = names.map { name in
            let isDouble = name.contains("._") || name.contains("DS_")
            return (name, isDouble ? double : name.lowercased().hasSuffix("png") ? tinyPNG : Self.label)
        }
        let found = try indexed(["s.tar": members, "._s.tar": [("x", [1])]])
        #expect(found.files == ["._s.tar", "s.tar", "samples.jsonl", "shards.json"])
        #expect(found.text.hasPrefix("a\ns.tar: \(names.count - 2) member"), "\(found.text)")
    }

    @Test func aByteOrderMarkBeforeLabelsIsNoFault() throws {
        let members = [("a.b.png", tinyPNG), ("a.b.json", [0xEF, 0xBB, 0xBF] + Self.label)]
        #expect(try indexed(["s.TAR": members]).text.hasPrefix("a\n"))
    }

    /// Members of two archives, and what is refused.
    @Test(
        "after a refusal nothing is left beside the archives",
        arguments: [
            (
                ["a.png", "a.json"],
                "s-1.tar: byte 512: \"a.png\" has the id \"a\", as has s-0.tar: byte 512: \"a.png\"; ids are unique in a dataset"
            ),
            (["a.jpeg", "a.json"], "has the id \"a\", as has s-0.tar"),
            (["b.png", "b.json", "bad"], "s-1.tar: byte 1536: \"b.json\": not valid JSON: "),
            (
                ["b.png", "b.json", "twice"],
                "is the second picture of the name \"a.png\", after s-0.tar: byte 512: \"a.png\""
            ),
        ]
    )
    func refusalsLeaveNothing(_ names: [String], _ expected: String) throws {
        var labels = Self.label
        if names.last == "bad" {
            labels = Array(#"{"category": "big", "#.utf8)
        }
        if names.last == "twice" {
            labels = Array(
                #"{"image": "a.png", "category": "vertical", "transcription": "T", "orientation": "cw"}"#.utf8
            )
        }
        let found = try indexed([
            "s-0.tar": [("a.png", tinyPNG), ("a.json", Self.label)],
            "s-1.tar": [(names[0], tinyPNG), (names[1], labels)],
        ])
        #expect(found.files == ["s-0.tar", "s-1.tar"])
        #expect(found.text.contains(expected), "\(found.text)")
    }

    @Test(arguments: ["s.tar.gz", "s.tgz", "s.tar.zst"]) func compressedArchivesAreRefusedByTheirName(
        _ name: String
    ) throws {
        let found = try indexed(["a.tar": [("a.png", tinyPNG), ("a.json", Self.label)], name: [("b.png", tinyPNG)]])
        #expect(found.text.contains("\(name): is compressed") && found.files == ["a.tar", name])
    }

    @Test func everyPrefixOfAnArchiveIsRefusedByItsName() throws {
        let archives = try written(made(), "3")
        let whole = try bytes(archives, "my_set__-000001.tar")
        for count in stride(from: 0, to: whole.count, by: 97) {
            try archives.write(Array(whole[..<count]), "my_set__-000001.tar")
            let found = faults(of: archives)
            #expect(found.contains("my_set__-000001.tar: SHA-256 is "), "\(count): \(found)")
            #expect(found.contains("the archive was changed or cut off"), "\(count): \(found)")
        }
    }

    @Test func everyChangedByteOfAnArchiveIsRefusedByItsName() throws {
        let archives = try written(made(), "3")
        let whole = try bytes(archives, "my_set__-000001.tar")
        for index in stride(from: 0, to: whole.count, by: 53) {
            var changed = whole
            changed[index] ^= 0x10
            try archives.write(changed, "my_set__-000001.tar")
            #expect(faults(of: archives).contains("my_set__-000001.tar: "), "byte \(index)")
        }
        try FileManager.default.removeItem(atPath: archives("my_set__-000001.tar"))
        #expect(faults(of: archives).contains("my_set__-000001.tar: cannot be read: no such file"))
        try whole.withUnsafeBytes { try Data($0).write(to: URL(filePath: archives("my_set__-000001.tar"))) }
        #expect(faults(of: archives).isEmpty)
    }

    @Test(
        "an index that does not fit is refused",
        arguments: [
            ("\"version\":1", "\"version\":2", "shards.json: unsupported version 2; expected 1"),
            ("\"version\":1", "\"version\":1,", "shards.json: invalid index of archives"),
            ("\"my_set__-000000.tar\"", "\"../x.tar\"", "the archive \"../x.tar\" is outside the folder"),
            ("\"my_set__-000000.tar\"", "\"..\"", "the archive \"..\" is outside the folder"),
            ("\"my_set__-000000.tar\"", "\"my_set__-000001.tar\"", "is outside the folder, or listed twice"),
            ("\"offset\":512,", "\"offset\":513,", "images/a.png"),
            ("\"offset\":512,", "\"offset\":-512,", "image \"images/a.png\" is not within my_set__-000000.tar"),
            ("\"offset\":512,", "\"offset\":9223372036854775807,", "image \"images/a.png\" is not within"),
            ("\"image\":\"images/b.png\"", "\"image\":\"images/a.png\"", "duplicate image \"images/a.png\""),
            ("\"image\":\"images/b.png\"", "\"image\":\"images/z.png\"", "the picture \"images/b.png\" does not exist"),
        ]
    )
    func hostileIndex(_ old: String, _ new: String, _ expected: String) throws {
        let archives = try written(made())
        let index = try archives.text(of: "shards.json")
        #expect(index.contains(old))
        try archives.write(index.replacing(old, with: new, maxReplacements: 1), "shards.json")
        #expect(faults(of: archives).contains(expected), "\(faults(of: archives))")
    }

    @Test func anArchiveThatIsALinkOutOfTheFolderIsRefused() throws {
        let archives = try written(made(), "100")
        let elsewhere = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: archives("my_set__-000000.tar"), toPath: elsewhere("x.tar"))
        try FileManager.default.createSymbolicLink(
            atPath: archives("my_set__-000000.tar"),
            withDestinationPath: elsewhere("x.tar")
        )
        #expect(faults(of: archives).contains("links outside the dataset"))
    }

    @Test func aPartThatIsNotInItsFileHasNoBytes() throws {
        let folder = try TemporaryFolder()
        try folder.write("12345", "f")
        func contents(_ offset: Int, _ length: Int) -> [UInt8]? {
            PictureSource(path: folder("f"), part: FilePart(offset: offset, length: length)).contents()
        }
        #expect(contents(1, 3) == Array("234".utf8))
        #expect(contents(5, 0) == [])
        for (offset, length) in [(0, 6), (6, 0), (-1, 2), (2, -1), (1, .max), (.max, 1), (.max, .max)] {
            #expect(contents(offset, length) == nil)
        }
        #expect(PictureSource(path: folder.path, part: FilePart(offset: 0, length: 0)).contents() == nil)
    }
}
