import Basics
import Foundation
import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Synthetic dataset")
final class SyntheticDatasetTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "synth-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Draws small pictures, as these are many.
    private func draw(
        _ name: String,
        _ options: SynthesisOptions = SynthesisOptions(seed: 4, spines: 4, widths: 30...34),
        titles: String? = nil,
        threads: Int = 2
    ) throws -> Dataset {
        try SyntheticDataset.draw(
            into: root.appending(path: name),
            DatasetManifest(name: "set", version: "1.0.0", licence: "CC0-1.0"),
            options,
            titles: titles.map { ($0, "list.txt") },
            typefaces: [Spines.typeface],
            threads: threads
        )
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

    @Test("the same options give the same bytes, whatever the number of threads; a larger count begins with the same")
    func determinism() throws {
        var options = SynthesisOptions(seed: 4, spines: 4, shelves: 2, widths: 30...34, booksPerShelf: 0...1)
        _ = try draw("one", options, threads: 1)
        let one = try bytes("one")
        let pictures = (1...4).map { "images/spine-0000\($0).jpg" } + (1...2).map { "shelves/shelf-0000\($0).jpg" }
        #expect(Set(one.keys) == Set(["dataset.json", "samples.jsonl", "shelves.jsonl", "CARD.md"] + pictures))
        _ = try draw("three", options, threads: 3)
        #expect(try bytes("three") == one)
        options.spines = 6
        _ = try draw("more", options)
        let more = try bytes("more")
        #expect(pictures.allSatisfy { more[$0] == one[$0] })
        let (labels, longer) = (try #require(one["samples.jsonl"]), try #require(more["samples.jsonl"]))
        #expect(longer.starts(with: labels) && longer.count > labels.count)
        options.seed = 5
        _ = try draw("other", options)
        #expect(try bytes("other")["images/spine-00001.jpg"] != one["images/spine-00001.jpg"])
    }

    @Test("the labels fit the pictures")
    func labels() throws {
        let dataset = try draw("set")
        #expect(dataset.samples.map(\.id) == ["spine-00001", "spine-00002", "spine-00003", "spine-00004"])
        for sample in dataset.samples {
            let image = try ImageCodec.decode(contentsOf: root.appending(path: "set/\(sample.image)").path).image
            let lines = try #require(sample.lines)
            for point in try #require(sample.outline).corners + lines.compactMap(\.quad).flatMap(\.corners) {
                #expect((0...Double(image.width)).contains(point.x) && (0...Double(image.height)).contains(point.y))
            }
            let certain = lines.filter { ($0.size ?? 0) >= 11 }.map(\.text)
            #expect(sample.transcription == certain.joined(separator: " "))
            let title = lines.filter { $0.role == .title }.map(\.text).joined(separator: " ")
            #expect(title.lowercased() == sample.title?.lowercased())
            let difficulties = Set(Effect.allCases.map(\.rawValue) + ["contrast", "width"])
            #expect(sample.difficulty.map { Set($0.byName.keys) } == difficulties)
            #expect(sample.language != nil && sample.style != nil && sample.source == "SpineSynthesis 2")
            #expect(lines.allSatisfy { $0.font == "DejaVu Sans" })
        }
        let loaded = try DatasetLoader().load(root.appending(path: "set").path)
        #expect(loaded.digest == dataset.digest && loaded.manifest.synthesis?.seed == 4)
    }

    @Test("a user's titles are kept with the dataset")
    func titles() throws {
        let list = "Emma\tJane Austen\nBeowulf\n"
        let dataset = try draw("set", titles: list)
        #expect(Set(dataset.samples.map(\.title)) == ["Emma", "Beowulf"])
        #expect(try String(contentsOf: root.appending(path: "set/titles.txt"), encoding: .utf8) == list)
    }

    @Test("wrong input is refused before anything is written")
    func refusals() throws {
        let unwritable = "list.txt: no installed font can write “書”: remove them from the list"
        #expect(throws: SynthesisError.input(unwritable)) { try draw("set", titles: "Emma\n書\n") }
        let nameless = "1 fault in the list of titles\n  list.txt:2: no title in the first column"
        #expect(throws: SynthesisError.input(nameless)) { try draw("set", titles: "Emma\n\tJane Austen\n") }
        #expect(throws: SynthesisError.input("0 spines and 0 shelves; expected at least 1 of either")) {
            try draw("set", SynthesisOptions(spines: 0))
        }
        #expect(!FileManager.default.fileExists(atPath: root.path))
        try FileManager.default.createDirectory(at: root.appending(path: "mine"), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: root.appending(path: "mine/notes.txt"))
        let error = try #require(throws: DatasetError.self) { try draw("mine") }
        #expect("\(error)".contains("is not empty"))
        #expect(try bytes("mine").count == 1)
    }

    @Test("what cannot be written is reported, and the dataset is rejected as unfinished")
    func unwritableFolder() throws {
        let folder = root.appending(path: "set")
        // A file where the pictures' folder is to be.
        let error = try #require(throws: DatasetError.self) {
            try SyntheticDataset.draw(
                into: folder,
                DatasetManifest(name: "set"),
                SynthesisOptions(spines: 2, widths: 30...34),
                typefaces: [Spines.typeface],
                threads: 1
            ) { _, done, _ in
                guard done == 1 else { return }
                try? FileManager.default.removeItem(at: folder.appending(path: "images"))
                try? Data().write(to: folder.appending(path: "images"))
            }
        }
        #expect("\(error)".contains("cannot be"))
        let unfinished = try #require(throws: DatasetError.self) { try DatasetLoader().load(folder.path) }
        #expect("\(unfinished)".contains("the dataset is unfinished: "))
    }
}

@Suite("Dataset card")
struct DatasetCardTests {
    private let sample = Sample(
        id: "a",
        image: "a.jpg",
        category: .stylized,
        title: "Emma",
        author: nil,
        transcription: "EMMA",
        orientation: .clockwise,
        outline: Quad(left: 1, top: 1, right: 41, bottom: 301),
        lines: [
            LabelledLine(text: "EMMA", role: .title, font: "Lato", size: 21),
            LabelledLine(text: "x", role: .publisher, font: "Nobody's", size: 6),
        ],
        legible: false,
        language: "en",
        style: "hollow"
    )

    private func text(_ options: SynthesisOptions, _ samples: [Sample], _ shelves: [Shelf] = []) -> String {
        let manifest = DatasetManifest(name: "set", version: "2.0", licence: "CC0-1.0")
        return DatasetCard(
            Dataset(path: "set", manifest: manifest, digest: "", samples: samples, shelves: shelves),
            options
        ).text
    }

    @Test("it counts what the labels say")
    func counts() {
        let card = text(SynthesisOptions(seed: 7, spines: 1, widths: 30...50), [sample])
        for line in [
            "# set", "1 synthetic pictures of book spines, with labels, licence CC0-1.0.",
            "    spinebench dataset synth --out set --seed 7 --count 1 --width 30...50 --version 2.0",
            "| stylized | 1 | 0 | lettering or a surface that is hard to read, see `style` |",
            "| Lato | 1 | `fonts-lato` | OFL-1.1 |", "| Nobody's | 1 | – | see the font |", "## Unsuitable uses",
        ] {
            #expect(card.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(!card.contains("| vertical") && !card.contains("{"))
    }

    @Test("shelves are counted with their books")
    func shelves() {
        let shelf = Shelf(id: "s", image: "s.jpg", books: [ShelfBook(title: "Emma", category: .mixed)])
        let options = SynthesisOptions(spines: 0, shelves: 2, booksPerShelf: 0...3, titlesDigest: "00")
        let card = text(options, [], [shelf, Shelf(id: "t", image: "t.jpg", books: [])])
        for part in [
            "2 synthetic pictures of whole shelves with 1 books, with labels",
            "--shelves 2 --books-per-shelf 0...3 --titles titles.txt",
            "| mixed | 0 | 1 |", "No text was drawn.",
        ] {
            #expect(card.contains(part))
        }
    }

    @Test("every package of fonts has a licence that the card can name")
    func licences() {
        for typeface in Typeface.all { #expect(!typeface.licence.isEmpty, "\(typeface.package)") }
    }
}
