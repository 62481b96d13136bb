import Basics
import Foundation
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
        var state: UInt64 = 5
        func letter() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(ascii: "a") + UInt8(state >> 33 & 3)
        }
        for round in 0..<300 {
            let word = (0...(round % 9)).map { _ in letter() }
            let text = (0..<(round % 23)).map { _ in letter() }
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
            var search = ApproximateSearch()
            let boundaries = [Bool](repeating: false, count: text.count + 1)
            let hit = search.find(word, in: text, boundaries: boundaries, limit: word.count - 1)
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

@Suite struct ISBNFinderTests {
    // 0-306-40615-2 and 978-0-306-40615-7 are the ISBN Users' Manual's own example.
    @Test(arguments: [
        ("ISBN 978-0-306-40615-7", ["9780306406157"]), ("0306406152", ["9780306406157"]),
        ("x 0-306-40615-2, 9780306406157", ["9780306406157"]), ("080442957X", ["9780804429573"]),
        ("U.S. 499 345 37426-6", []), ("97803064061570", []), ("9780306406158", []), ("", []), ("0 306 40615 3", []),
    ])
    func findsThoseWithARightCheckDigit(text: String, digits: [String]) {
        #expect(ISBNFinder.numbers(in: text).map(\.digits) == digits)
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
        var counts = WordCounts()
        for word in 1...500 { for _ in 0..<word { counts.add(UInt64(word) &* 0x9E37_79B9_7F4A_7C15) } }
        let sketch = WordSketch(counts)
        for word in 1...500 {
            #expect(sketch.count(UInt64(word) &* 0x9E37_79B9_7F4A_7C15) >= Double(word) * 0.95)
        }
    }

    @Test func booksComeBackFromABlock() {
        var block: [UInt8] = []
        let books = (0..<IndexedBook.booksPerBlock).map {
            BookRecord(id: Int64($0 * 1000), title: "Title \($0): rest", authors: ["Ann Other"], publisher: "Press")
        }
        for book in books { IndexedBook.append(id: book.id, words: IndexedBook.words(of: book), to: &block) }
        let popularities = [UInt8](repeating: 255, count: books.count)
        IndexedBook.complete(&block, popularities: popularities[...]) { Double($0.count) }
        for (number, book) in books.enumerated() {
            let found = IndexedBook(number: number, in: Data(block))
            #expect(found?.id == book.id)
            #expect(found?.popularity == 1)
            #expect(
                found?.words.map { String(decoding: $0.letters, as: UTF8.self) } == [
                    "title", "\(number)", "ann", "other", "rest", "press",
                ]
            )
            #expect(found?.words.map(\.field) == [.title, .title, .author(0), .author(0), .subtitle, .publisher])
            #expect(found?.words.first?.bits == 5)
        }
        #expect(IndexedBook(number: 16, in: Data(block)) == nil)
        for length in 0..<20 { #expect(IndexedBook(number: 2, in: Data(block.prefix(length))) == nil) }
    }
}
