import BookCatalogue
import Foundation
import Imaging
import SpineReaders
import TestSupport
import Testing

@Suite(
    "spinebench find and open",
    .inTurns,
    .enabled(
        if: Program.path != nil && ReadingSettings.fast.problem == nil,
        "no program or no models: run 'make setup'"
    )
)
struct FindCommandTests {
    private static let datasets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Datasets")
    /// "Beatles" by Lars Saabye Christensen, which the embedded catalogue has, and the shelf of `ShelfCommandTests`.
    private static let shelf = datasets.appending(path: "shelves-1/shelves/shelf-00003.jpg").path

    private struct Report: Decodable {
        struct Item: Decodable {
            struct Card: Decodable { var title, subtitle, typeName: String }
            var kind: String
            var id: String
            var title: String?
            var card: Card
            var confidence: Double?
        }
        struct Reading: Decodable {
            struct Spine: Decodable { var row: Int, text: [String], book: String? }
            var kind: String
            var spines: [Spine]
        }

        var results: [Item]?
        var offset, total: Int?
        var next: Int?
        var isComplete: Bool?
        var reading: Reading?
        var error: String?
    }

    private func report(_ output: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(output.split(separator: "\n")[0].utf8))
    }

    @Test("a shelf's books come in order with the shelf behind them, and all of it opens later, without the photo")
    func shelf() throws {
        try Folder.with { folder in
            let library = ["--library", folder("l.sqlite")]
            let photo = folder("photo.jpg")
            try FileManager.default.copyItem(atPath: Self.shelf, toPath: photo)
            let call = try Program.run(["find", photo, "--json", "--label", "book", "--language", "de"] + library)
            #expect(call.code == 0, "\(call.errors)")
            let found = try report(call.output)
            let results = try #require(found.results)
            #expect(found.reading?.kind == "shelf" && results.count >= 3 && found.total == results.count)
            #expect(results.last?.kind == "shelf" && results.last?.card.title == "Dieses Regal")
            #expect(
                results.dropLast().allSatisfy {
                    $0.kind == "book" && $0.confidence != nil && $0.card.typeName == "Buch"
                }
            )
            try FileManager.default.removeItem(atPath: photo)
            for item in results {
                let opened = try Program.run(["open", item.id, "--json", "--thumbnail", folder("t.png")] + library)
                #expect(opened.code == 0, "\(opened.errors)")
                let picture = try Data(contentsOf: URL(filePath: folder("t.png")))
                #expect(try ImageCodec.header(of: [UInt8](picture), name: "t").format == .png)
            }
            // The shelf comes first with its label.
            try FileManager.default.copyItem(atPath: Self.shelf, toPath: photo)
            let asked = try report(Program.run(["find", photo, "--json", "--label", "bookshelf"] + library).output)
            #expect(asked.results?.first?.kind == "shelf")
            #expect(asked.results?.dropFirst().map(\.id) == results.dropLast().map(\.id))
        }
    }

    @Test("a shelf's books come before the whole answer, which counts the spines; a miss is an exit code of 1")
    func partial() throws {
        let call = try Program.run(["find", Self.shelf, "--json", "--partial", "--forget"])
        let lines = try call.output.split(separator: "\n").map { try report(String($0)) }
        let last = try #require(lines.last)
        #expect(call.code == 0 && lines.count > 1 && lines.dropLast().allSatisfy { $0.isComplete == false })
        // What is read first has no place yet.
        #expect(lines.dropLast().allSatisfy { $0.total == nil && $0.offset == nil } && last.offset == 0)
        let spines = try #require(last.reading?.spines)
        let named = spines.count { $0.book != nil }
        #expect(last.results?.last?.card.subtitle == "\(named) of \(spines.count) spines identified")
        let early = Set(lines.dropLast().flatMap { $0.results ?? [] }.map(\.id))
        #expect(!early.isEmpty && early.isSubset(of: Set(last.results?.map(\.id) ?? [])))
        let text = try Program.run(["find", Self.shelf, "--forget"])
        let parts = text.output.split(separator: "In order:\n")
        #expect(parts.count == 2 && parts[0].contains("  ·  ") && parts[1].hasPrefix("  1  "))
        #expect(text.output.contains("\(named) of \(spines.count) spines identified; text of the others:\n"))
        let miss = try Program.run(["find", "--label", "zzzzqqqq", "--forget"])
        #expect(miss.code == 1 && miss.output.contains("no results"))
    }

    @Test("names are looked up without a picture, page by page")
    func names() throws {
        try Folder.with { folder in
            let library = ["--library", folder("l.sqlite"), "--json"]
            let first = try report(Program.run(["find", "--label", "the"] + library).output)
            let next = try #require(first.next)
            #expect(first.results?.count == 20 && next == 20)
            let second = try report(Program.run(["find", "--label", "the", "--from", "20"] + library).output)
            let shown = [first, second].map { Set(($0.results ?? []).map(\.id)) }
            #expect(shown[0].count == 20 && shown[1].count == 20 && shown[0].isDisjoint(with: shown[1]))
        }
    }

    @Test(
        "what is wrong is said, with the code for it",
        arguments: [
            (["find"], 2, "Specify a picture"), (["find", "/nowhere.jpg"], 2, "does not exist"),
            (["find", "--web", "x.jpg"], 2, "takes no picture arguments"),
            (["find", "--label", " "], 2, "Invalid --label"),
            (["find", "--label", "x", "--language", "xx"], 2, "expected one of en"),
            (["find", "--label", "x", "--partial"], 2, "requires --json"),
            (["find", "--label", "x", "--from", "100"], 2, "expected 0 to 99"),
            (["find", "--label", "x", "--variant", "hybrid"], 2, "cannot only read"),
            (["find", "--label", "x", "--forget", "--catalogue", "/nowhere.sqlite"], 2, "does not exist"),
            (["open", "https://example.org"], 2, "does not begin with spinebench://"),
            (["open", "spinebench://book/isbn/9780000000002"], 2, "neither in the library nor in the catalogue"),
            (["open", "spinebench://shelf/scanned/2026-13-01"], 2, "no date"),
        ] as [([String], Int32, String)]
    )
    func mistakes(arguments: [String], code: Int32, words: String) throws {
        try Folder.with { folder in
            let named = arguments[0] == "open" || !arguments.contains("--forget")
            let call = try Program.run(arguments + (named ? ["--library", folder("l.sqlite")] : []))
            #expect(call.code == code && call.errors.contains(words), "\(call.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder("l.sqlite")) || arguments[0] == "find")
        }
    }

    @Test("a picture that cannot be read is named, and the others are answered")
    func broken() throws {
        try Folder.with { folder in
            try folder.write("no picture", to: "bad.jpg")
            let call = try Program.run(["find", folder("bad.jpg"), Self.shelf, "--json", "--forget"])
            #expect(call.code == 1 && call.errors.contains("1 of 2 could not be answered"))
            let lines = call.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 2)
            #expect(try report(lines[0]).error != nil)
            #expect(try report(lines[1]).results?.isEmpty == false)
        }
    }

    @Test("a picture without a book counts for false matches, and one with a title is no such picture")
    func distractors() throws {
        struct RunReport: Decodable {
            struct Measurement: Decodable {
                struct Category: Decodable {
                    struct Books: Decodable {
                        struct Rate: Decodable { var successes, trials: Int }
                        var falseMatch, identified: Rate
                    }
                    var category: String
                    var books: Books?
                }
                var categories: [Category]
            }
            var measurements: [Measurement]
        }
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let label =
                #"{"id": "a", "image": "a.png", "category": "mixed", "title": null, "transcription": "", "orientation": "upright", "distractor": true}"#
            try folder.write(label + "\n", to: "set/samples.jsonl")
            let options = ["--variants", "visual-search", "--repetitions", "1", "--warmup", "0", "--devices", "none"]
            let call = try Program.run(["run", "--dataset", folder("set"), "--out", folder("run")] + options)
            #expect([0, 1, 3].contains(call.code), "\(call.errors)")
            let data = try Data(contentsOf: URL(filePath: folder("run/report.json")))
            let categories = try JSONDecoder().decode(RunReport.self, from: data).measurements[0].categories
            let books = try #require(categories.first { $0.category == "all" }?.books)
            #expect(books.falseMatch.trials == 1 && books.identified.trials == 0)
            try folder.write(label.replacing("null", with: "\"Dune\"") + "\n", to: "set/samples.jsonl")
            let refused = try Program.run("dataset", "validate", folder("set"))
            #expect(refused.code != 0 && (refused.output + refused.errors).contains("shows no book"))
        }
    }

    @Test("the picture may not be written over, nor the library")
    func outputs() throws {
        try Folder.with { folder in
            let library = folder("l.sqlite")
            _ = try LibraryStore(path: library)
            let url = "spinebench://shelf/author/jane%20austen"
            let call = try Program.run(["open", url, "--library", library, "--thumbnail", library])
            #expect(call.code == 2, "\(call.errors)")
            _ = try LibraryStore(path: library)
        }
    }
}
