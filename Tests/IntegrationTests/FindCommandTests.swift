import BookCatalogue
import Foundation
import Imaging
import SpineReaders
import TestSupport
import Testing

@Suite(
    "spinebench find and open",
    .tags(.program),
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
        #expect(text.output.hasPrefix("\(Self.shelf)\n  1  "))
        #expect(text.output.contains("\(named) of \(spines.count) spines identified; text of the others:\n"))
        let miss = try Program.run(["find", "--label", "zzzzqqqq", "--forget"])
        #expect(miss.code == 1 && miss.output.contains("no results"))
    }
}
