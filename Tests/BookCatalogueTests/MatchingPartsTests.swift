import Basics
import Foundation
import GRDB
import Testing

@testable import BookCatalogue

@Suite struct ApproximateSearchTests {
    private func find(_ word: String, in text: String, limit: Int) -> ApproximateSearch.Hit? {
        var search = ApproximateSearch()
        let letters = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
        let starts = text.split(separator: " ").reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count) }
        let boundaries = (0...letters.count).map(starts.contains)
        return search.find(Array(word.utf8), in: letters, boundaries: boundaries, limit: limit)
    }

    // Counted by hand.
    @Test(arguments: [
        ("stars", "number the stars", 0, 9..<14, 0), ("stars", "number the sta rs", 0, 9..<14, 0),
        ("stars", "number the stors", 1, 9..<14, 1), ("finishing", "ann finshing", 2, 3..<11, 1),
        ("the", "the gift of the", 0, 0..<3, 0),
    ])
    func findsThePlaceWithTheFewestErrors(word: String, text: String, limit: Int, range: Range<Int>, errors: Int) {
        #expect(find(word, in: text, limit: limit) == ApproximateSearch.Hit(range: range, errors: errors))
    }

    @Test(arguments: [("stars", "number", 1), ("stars", "", 1), ("emma", "dilemna", 0)])
    func findsNothingPastTheLimit(word: String, text: String, limit: Int) {
        #expect(find(word, in: text, limit: limit) == nil)
    }

    @Test func longestWordIsFoundWhole() {
        let word = String(repeating: "abcdefgh", count: 8)
        #expect(find(word, in: "x " + word, limit: 0)?.range == 1..<65)
    }

    /// The plain dynamic programme (Sellers 1980) is the other tool.
    @Test func agreesWithTheDynamicProgramme() {
        var random = SplitMix64(state: 5)
        func letters(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 97...100, using: &random) } }
        for round in 0..<300 {
            let (word, text) = (letters(1 + round % 9), letters(round % 23))
            var row = Array(0...word.count)
            var best = row[word.count]
            for byte in text {
                var diagonal = row[0]
                for index in word.indices {
                    let next = min(diagonal + (word[index] == byte ? 0 : 1), row[index] + 1, row[index + 1] + 1)
                    (diagonal, row[index + 1]) = (row[index + 1], next)
                }
                best = min(best, row[word.count])
            }
            let hit = find(
                String(decoding: word, as: UTF8.self),
                in: String(decoding: text, as: UTF8.self),
                limit: word.count - 1
            )
            #expect(hit?.errors == (best < word.count ? best : nil))
        }
    }
}

@Suite struct OpticalShapeTests {
    @Test(arguments: [
        ("modern", "modem"), ("clear", "dear"), ("vvord", "word"), ("5tar10", "stario"), ("will", "wiii"), ("", ""),
        ("rnn", "mn"),
    ])
    func lookalikesAreOne(word: String, other: String) {
        #expect(OpticalShape.of(Array(word.utf8)) == OpticalShape.of(Array(other.utf8)))
    }
}

@Suite struct MatchIndexTests {
    @Test(arguments: [0, 1, 127, 128, 300, UInt64(UInt32.max), .max])
    func numbersComeBack(value: UInt64) {
        var bytes: [UInt8] = []
        VariableLength.append(value, to: &bytes)
        var index = 0
        #expect(bytes.withUnsafeBytes { VariableLength.read($0, at: &index) } == value)
        #expect(index == bytes.count)
    }

    @Test func numbersThatAreCutOffAreNone() {
        var index = 0
        #expect([UInt8](repeating: 0x80, count: 3).withUnsafeBytes { VariableLength.read($0, at: &index) } == nil)
    }

    @Test func sketchSaysNoWordIsRarerThanItIs() {
        let hashes = (1...500).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
        let sketch = WordSketch(Dictionary(uniqueKeysWithValues: zip(hashes, 1...)))
        for (hash, count) in zip(hashes, 1...) { #expect(sketch.count(hash) >= Double(count) * 0.95) }
    }

    @Test func booksComeBackFromTheIndex() throws {
        let books = (0..<16).map {
            BookRecord(title: "Title \($0): rest", authors: ["Ann Other"], publisher: "Press", popularity: Double($0))
        }
        let catalogue = try BookCatalogue(books: books, name: "index")
        for number in books.indices {
            let book = try catalogue.read { try MatchIndex(from: $0).book(number, in: $0) }
            // 1 + 15 · 255 / 16 = 240.
            #expect(book.popularity == Double(1 + number * 255 / 16) / 255)
            #expect(
                book.words.map { String(decoding: $0.letters, as: UTF8.self) } == [
                    "title", "\(number)", "ann", "other", "rest", "press",
                ]
            )
            #expect(book.words.map(\.field.rawValue) == [0, 0, 4, 4, 1, 3])
            // A catalogue counts as one of 2,000 books: log2(2000 / 16) = 6.97.
            #expect(book.words.first?.bits == 7)
        }
        #expect(throws: StoreError.self) { try catalogue.read { try MatchIndex(from: $0).book(16, in: $0) } }
    }

    @Test(arguments: ["fields", "levels", "words"]) func aDamagedRowIsNoBook(column: String) throws {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try MatchIndexBuilder([BookRecord(title: "Dune Messiah")]).write(to: database)
            try database.execute(sql: "UPDATE matchBook SET \(column) = x'01'")
            #expect(throws: DatabaseError.self) { try MatchIndex(from: database).book(0, in: database) }
        }
    }
}
