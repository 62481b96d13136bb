import Foundation
import Imaging
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// import(export(x)) = x.
@Suite struct ExportRoundTripTests {
    @Test(
        "a dataset comes back as it was",
        arguments: ExportFormat.allCases.flatMap { format in (1...20).map { (format, UInt64($0)) } }
    )
    func roundTrip(_ format: ExportFormat, _ seed: UInt64) throws {
        var random = RandomLabels(seed: seed)
        let folder = try TemporaryFolder()
        let dataset = try random.dataset(in: folder)
        let export = folder("export")
        _ = try DatasetExporter.run(dataset, as: format, to: URL(filePath: export))
        let imported = folder("imported")
        let report = try DatasetImporter(options: ImportOptions(date: "2026-01-31"))
            .run(export, to: URL(filePath: imported))
        #expect(report.notes == [:])
        #expect(try ImportFixture.lines(of: Sample.self, imported + "/samples.jsonl") == dataset.samples)
        #expect(try ImportFixture.lines(of: Shelf.self, imported + "/shelves.jsonl") == dataset.shelves)
        var manifest = try #require(report.dataset?.manifest)
        (manifest.count, manifest.contentDigest) = (nil, nil)
        #expect(manifest == dataset.manifest)
        for image in dataset.samples.map(\.image) + dataset.shelves.map(\.image) {
            let before = FileManager.default.contents(atPath: "\(dataset.path)/\(image)")
            #expect(before != nil && before == FileManager.default.contents(atPath: "\(imported)/\(image)"))
        }
    }

    @Test(
        "the datasets that come with the project come back",
        arguments: ExportFormat.allCases,
        ["spines-1", "shelves-1"]
    )
    func embedded(_ format: ExportFormat, _ name: String) throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let dataset = try DatasetLoader().load(project.appending(path: "Datasets/\(name)").path)
        let folder = try TemporaryFolder()
        _ = try DatasetExporter.run(dataset, as: format, to: URL(filePath: folder("export")))
        let report = try DatasetImporter(options: ImportOptions(date: "2026-01-31"))
            .run(folder("export"), to: URL(filePath: folder("imported")))
        #expect(report.dataset?.samples == dataset.samples)
        #expect(report.dataset?.shelves == dataset.shelves)
        #expect(report.dataset?.manifest.name == name)
        #expect(report.notes == [:])
    }

    @Test("what somebody changed in the other tool is what is read", arguments: ExportFormat.allCases)
    func edits(_ format: ExportFormat) throws {
        let folder = try TemporaryFolder()
        try folder.write(ImportFixture.png(width: 100, height: 100), "dataset/a.png")
        let sample = Sample(
            id: "a",
            image: "a.png",
            category: .vertical,
            title: "Old",
            transcription: "Old",
            orientation: .clockwise,
            lines: [LabelledLine(text: "Old", role: .title, quad: .of(9, 1, 9, 50, 1, 50, 1, 1), font: "P052", size: 8)]
        )
        let dataset = Dataset.made([sample], path: folder("dataset"))
        let labels = try DatasetExporter.run(dataset, as: format, to: URL(filePath: folder("export")))
        let text = try String(contentsOfFile: labels, encoding: .utf8)
        // PPOCRLabel writes no other fields than its own.
        let edited = text.replacing("\"text\":\"Old\"", with: "\"text\":\"New\"")
            .replacing("\"font\":\"P052\",\"line\":0,", with: "")
            .replacing("\"transcription\":\"Old\"}]", with: "\"transcription\":\"New\"}]")
        #expect(edited != text)
        try folder.write(edited, "export/\(URL(filePath: labels).lastPathComponent)")
        let report = try DatasetImporter(options: ImportOptions(date: "2026-01-31"))
            .run(folder("export"), to: URL(filePath: folder("imported")))
        let samples = try ImportFixture.lines(of: Sample.self, folder("imported/samples.jsonl"))
        #expect(samples.first?.lines?.map(\.text) == ["New"])
        #expect(samples.first?.lines?.first?.role == .title)
        #expect(samples.first?.title == "Old")
        #expect(report.samples == 1)
    }

    @Test func labelsThatLostTheirPictureAreTold() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            try folder.write(ImportFixture.png(width: 9, height: 9), "dataset/images/\(name).png")
        }
        let dataset = Dataset.made([.made("a"), .made("b")], path: folder("dataset"))
        let labels = try DatasetExporter.run(dataset, as: .paddleocr, to: URL(filePath: folder("export")))
        let text = try String(contentsOfFile: labels, encoding: .utf8)
        #expect(text == "images/a.png\t[]\nimages/b.png\t[]\n")
        try folder.write("images/b.png\t[]\n", "export/Label.txt")
        let importer = DatasetImporter(options: ImportOptions(date: "2026-01-31"))
        let error = #expect(throws: DatasetError.self) {
            try importer.run(folder("export"), to: URL(filePath: folder("imported")))
        }
        #expect(
            "\(try #require(error))".contains("spinebench.jsonl:2: \"images/a.png\" no longer has a line in the labels")
        )
        // They are also found in another order.
        try folder.write("images/b.png\t[]\nimages/a.png\t[]\n", "export/Label.txt")
        #expect(try importer.run(folder("export"), to: URL(filePath: folder("imported"))).samples == 2)
    }
}

/// Labels with all that may be in them, decided by a seed.
private struct RandomLabels {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns the next number of SplitMix64 (Steele, Lea and Flood 2014).
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    private mutating func maybe<Value>(_ value: (inout RandomLabels) -> Value) -> Value? {
        below(2) == 0 ? nil : value(&self)
    }
    private mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    private mutating func text() -> String {
        let words = [
            "Ulysses", "\"quoted\"", "a,b;c", "Größe", "本のタイトル", "l’été", "###", "*", "null", "{x}", "[1]", "\\t", "👩‍🚀",
            "e\u{301}", "1984", "NaN", "/a/b", "<b>&amp;</b>",
        ]
        return (0...below(4)).map { _ in one(of: words) }.joined(separator: " ")
    }

    private mutating func number() -> Double {
        // Tenths, which the binary system has none of, and numbers of full length.
        below(2) == 0 ? Double(below(900)) / 10 : Double(next() >> 11) / Double(1 << 53) * 90
    }

    /// Returns a quad inside 100 × 100 pixels, the corners in reading order from one of four starts.
    private mutating func quad() -> Quad {
        let (x, y, w, h) = (number() * 0.4, number() * 0.4, 5 + number() * 0.4, 5 + number() * 0.4)
        let corners = [Point(x: x, y: y), Point(x: x + w, y: y), Point(x: x + w, y: y + h), Point(x: x, y: y + h)]
        let start = below(4)
        let turned = (0..<4).map { corners[($0 + start) % 4] }
        return Quad(topLeft: turned[0], topRight: turned[1], bottomRight: turned[2], bottomLeft: turned[3])
    }

    private mutating func lines() -> [LabelledLine] {
        (0..<below(4)).map { _ in
            LabelledLine(
                text: text(),
                role: maybe { $0.one(of: LineRole.allCases) },
                quad: maybe { $0.quad() },
                font: maybe { $0.text() },
                size: maybe { 1 + $0.number() }
            )
        }
    }

    private mutating func difficulty() -> [String: Double] { ["blurSigma": number(), text(): -number()] }

    private mutating func sample(_ index: Int, _ image: String) -> Sample {
        let legible = below(4) > 0
        return Sample(
            id: "sample \(index) \(text())",
            image: image,
            category: one(of: SampleCategory.allCases),
            title: maybe { $0.text() },
            author: maybe { $0.text() },
            transcription: legible || below(2) == 0 ? text() + "\n\t" + text() : "",
            orientation: one(of: SampleOrientation.allCases),
            isbn: maybe { _ in "978-0-306-40615-7" },
            group: maybe { "group \($0.below(3))" },
            quad: maybe { $0.quad() },
            outline: maybe { $0.quad() },
            lines: maybe { $0.lines() },
            legible: legible,
            language: maybe { $0.one(of: ["en", "de", "ja"]) },
            style: maybe { $0.text() },
            difficulty: maybe { $0.difficulty() },
            split: maybe { _ in "test" },
            source: maybe { $0.text() },
            licence: maybe { $0.text() }
        )
    }

    private mutating func book(_ id: String) -> ShelfBook {
        ShelfBook(
            id: maybe { _ in id },
            title: maybe { $0.text() },
            author: maybe { $0.text() },
            transcription: maybe { $0.text() },
            category: maybe { $0.one(of: SampleCategory.allCases) },
            orientation: maybe { $0.one(of: SampleOrientation.allCases) },
            quad: maybe { $0.quad() },
            lines: maybe { $0.lines() },
            legible: below(2) == 0,
            language: maybe { _ in "fr" },
            style: maybe { $0.text() },
            difficulty: maybe { $0.difficulty() }
        )
    }

    /// Returns a dataset with its files, at least one spine in it.
    mutating func dataset(in folder: TemporaryFolder) throws -> Dataset {
        let picture = try ImportFixture.png(width: 100, height: 100)
        let names = ["images/a.png", "b c,d.png", "images/deep/“é”.png", "images/\u{672C}.jpeg"]
        for name in names { try folder.write(picture, "dataset/\(name)") }
        // Some pictures have several labels.
        let samples = (0...below(6)).map { index in sample(index, one(of: names)) }
        let shelves = (0..<below(4)).map { index in
            Shelf(
                // The same as a sample has.
                id: samples[index % samples.count].id + (index < samples.count ? "" : "\(index)"),
                image: one(of: names),
                books: (0..<below(5)).map { book("shelf \(index), book \($0)") }
            )
        }
        let manifest = DatasetManifest(
            name: text(),
            version: maybe { $0.text() },
            licence: maybe { $0.text() },
            description: text(),
            // More than a Double holds exactly.
            synthesis: maybe { SynthesisOptions(seed: $0.next() | 1 << 63 | 1) },
            fonts: maybe { random in (0..<random.below(3)).map { _ in random.text() } }
        )
        return Dataset(
            path: folder("dataset"),
            manifest: manifest,
            digest: "sha256:00",
            samples: samples,
            shelves: shelves
        )
    }
}
