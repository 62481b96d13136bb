import Basics
import Foundation
import TestSupport
import Testing

@testable import BookCatalogue

@Suite(.tags(.program), .inTurns, .needsProgram) struct LibraryCommandTests {
    private func fill(_ path: String) throws {
        let store = try LibraryStore(path: path)
        let time = Date(timeIntervalSince1970: 0)
        try store.upsert(LibraryBook(title: "Dune", authors: ["Frank Herbert"], addedAt: time, tier: .fast))
        try store.add(Draft(lines: ["EMMA", "AUSTEN"], createdAt: time))
        try store.enqueue(text: "x", id: UUID(), createdAt: time)
    }

    @Test func aLibraryIsListedAndExported() throws {
        try Folder.with { folder in
            try fill(folder("library.sqlite"))
            let list = try Program.run("library", "list", "--library", folder("library.sqlite"))
            #expect(list.code == 0, "\(list.errors)")
            #expect(list.lines.first == "ghost  Dune — Frank Herbert")
            #expect(list.lines.contains("draft  EMMA / AUSTEN"))
            #expect(list.lines.last == "1 book, 1 draft, 1 scan queued")
            let csv = try Program.run("library", "export", "--library", folder("library.sqlite"))
            #expect(
                csv.lines.suffix(2) == [
                    "Dune,Frank Herbert,,,,,,1970-01-01T00:00:00Z,,fast,pending,ghost",
                    "EMMA / AUSTEN,,,,,,,1970-01-01T00:00:00Z,,fast,,draft",
                ]
            )
            let json = try Program.run(
                "library",
                "export",
                "--library",
                folder("library.sqlite"),
                "--format",
                "json",
                "--out",
                folder("l.json")
            )
            #expect(json.output.isEmpty)
            let books = try JSONSerialization.jsonObject(with: Data(folder.text(of: "l.json").utf8)) as? [[String: Any]]
            #expect(books?.first?["title"] as? String == "Dune")
            #expect(
                books?.last?["lines"] as? [String] == ["EMMA", "AUSTEN"] && books?.last?["state"] as? String == "draft"
            )
        }
    }
}
