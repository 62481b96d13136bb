import Basics
import Foundation
import Imaging
import SpineReaders
import TestSupport
import Testing

@Suite(
    "spinebench shelf",
    .tags(.program),
    .inTurns,
    .enabled(
        if: Program.path != nil && ReadingSettings.fast.problem == nil,
        "no program or no models: run 'make setup'"
    )
)
struct ShelfCommandTests {
    /// A drawn shelf with five books, which the embedded catalogue has.
    private static let shelf = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Datasets/shelves-1/shelves/shelf-00003.jpg").path

    private struct Report: Decodable {
        struct Book: Decodable {
            var row: Int
            var index: Int
            var outline: [[Double]]
            var state: String
            var title: String?
            var text: String
        }

        var width: Int?
        var books: [Book]?
        var error: String?
    }

    private func reports(_ output: String) throws -> [Report] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
    }

    @Test("a drawn shelf's books are named in place and order, in JSON, a table and an overlay")
    func books() throws {
        try Folder.with { folder in
            let table = folder("books.csv")
            let call = try Program.run(
                "shelf",
                Self.shelf,
                "--json",
                "--csv",
                table,
                "--overlay",
                folder("out")
            )
            #expect(call.code == 0, "\(call.errors)")
            #expect(call.errors.contains("\nCatalogue: embedded, ") || call.errors.hasPrefix("Catalogue: embedded, "))
            let report = try #require(try reports(call.output).first)
            let books = try #require(report.books)
            #expect(books.map(\.row) == books.map { _ in 1 } && books.map(\.index) == Array(1...books.count))
            // Books of Datasets/shelves-1/shelves.jsonl, from the left.
            let titles = try labelled()
            let named = books.compactMap(\.title).filter(titles.contains)
            #expect(named.count >= 3 && named == titles.filter(named.contains), "\(books.map { $0.title ?? $0.text })")
            let lefts = books.map { $0.outline[0][0] }
            #expect(lefts == lefts.sorted())
            let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
            #expect(rows.count == 1 + books.count && rows[0].hasPrefix("photo,row,index,state,title"))
            let overlay = try String(contentsOfFile: folder("out/shelf-00003.jpg.overlay.svg"), encoding: .utf8)
            #expect(overlay.contains("<image width=\"\(report.width ?? 0)\"") && overlay.contains(">1.1</text>"))
        }
    }

    private func labelled() throws -> [String] {
        struct Shelf: Decodable {
            struct Book: Decodable { var title: String? }
            var id: String
            var books: [Book]
        }
        let file = URL(filePath: Self.shelf).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shelves.jsonl")
        let shelves = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Shelf.self, from: Data($0.utf8)) }
        return try #require(shelves.first { $0.id == "shelf-00003" }).books.compactMap(\.title)
    }

    @Test("no book is invented on pictures without any, and each that cannot be read is named")
    func others() throws {
        try Folder.with { folder in
            let sides = [(1, 1), (40, 40), (3000, 40)]
            for (width, height) in sides {
                var random = SplitMix64(state: UInt64(width))
                let pixels = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
                let picture = RasterImage(width: width, height: height, channels: 1, pixels: pixels)
                try folder.write(try ImageCodec.encodePNG(picture), to: "in/\(width)x\(height).png")
            }
            try folder.write([1, 2, 3], to: "in/broken.jpg")
            let call = try Program.run("shelf", folder("in"), "--json")
            let found = try reports(call.output)
            #expect(call.code == 1 && found.count == 4)
            #expect(call.errors.contains("No book was named. Catalogue: embedded, "))
            #expect(found.filter { $0.error != nil }.count == 1)
            #expect(found.compactMap(\.books).allSatisfy { books in books.allSatisfy { $0.state != "book" } })
        }
    }
}
