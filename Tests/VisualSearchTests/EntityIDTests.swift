import Basics
import BookCatalogue
import Foundation
import Testing

@testable import VisualSearch

@Suite struct EntityIDTests {
    @Test(arguments: [
        (
            BookRecord(title: "The Hobbit", authors: ["J. R. R. Tolkien"], isbn: ISBN("0261102214")),
            "spinebench://book/isbn/9780261102217"
        ),
        (
            BookRecord(title: "The Hobbit: Or There and Back Again", authors: ["J. R. R. Tolkien"]),
            "spinebench://book/title/hobbit/tolkien"
        ),
        (BookRecord(title: "Beowulf"), "spinebench://book/title/beowulf"),
        (BookRecord(title: "50% / 50%", authors: ["A. B."]), "spinebench://book/title/50/b"),
        (BookRecord(title: "???"), "spinebench://book/title/%3F%3F%3F"),
    ])
    func aBookIsItsNumberElseItsName(book: BookRecord, url: String) throws {
        #expect(EntityID(book).description == url)
        #expect(try EntityID(url: url) == EntityID(book))
    }

    @Test(arguments: [
        EntityID.photo(String(repeating: "0a", count: 32)), .author("ursula k le guin"), .series("a/b?c#d%20é 漢"),
        .scanned("2026-02-28"), .title("x", surname: ""),
    ])
    func aURLOpensWhatItWasMadeOf(id: EntityID) throws {
        #expect(try EntityID(url: id.description) == id)
        let data = try JSONEncoder().encode([id])
        #expect(try JSONDecoder().decode([EntityID].self, from: data) == [id])
    }

    @Test(arguments: [
        ("", "does not begin with spinebench://"), ("https://book/isbn/9780261102217", "does not begin with"),
        ("spinebench://", "names no item"), ("spinebench://book/isbn", "names no item"),
        ("spinebench://book/isbn/9780261102218", "no valid ISBN"), ("spinebench://book//x", "an empty part"),
        ("spinebench://book/isbn/9780261102217/x", "more than 3 parts"),
        ("spinebench://book/title/a/b/c", "more than 4 parts"), ("spinebench://book/title/%zz", "percent sign"),
        ("spinebench://shelf/photo/12", "64 hexadecimal digits"), ("spinebench://shelf/scanned/2026-02-30", "no date"),
        ("spinebench://shelf/scanned/yesterday", "no date"), ("spinebench://cup/tea/green", "no kind of item"),
        ("spinebench://book/title/" + String(repeating: "a", count: 3_000), "longer than 2048 bytes"),
    ])
    func whatNamesNothingIsRefused(url: String, reason: String) {
        let error = #expect(throws: EntityError.self) { try EntityID(url: url) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}
