import Basics
import Foundation
import GRDB

/// The words of a book in the form of the index.
struct IndexedBook {
    /// Field that a word is part of.
    struct Field: RawRepresentable, Equatable {
        var rawValue: UInt8

        /// The title up to its first colon, bracket, slash or the like.
        static let title = Field(rawValue: 0)
        static let subtitle = Field(rawValue: 1)
        static let series = Field(rawValue: 2)
        static let publisher = Field(rawValue: 3)

        /// Number of the author whose name it is, from 0; nil for another field.
        var author: Int? { rawValue > 3 ? Int(rawValue) - 4 : nil }
    }

    struct Word {
        var field: Field
        /// Rarity: log2 of all books over those that have it.
        var bits: Double
        var letters: Letters
        var shape: [UInt8]
    }

    /// Rank among the catalogue's popularities, 1 the most popular; 0 if unknown.
    var popularity: Double
    var words: [Word]

    /// Longer books' words, and longer words' letters, are cut off.
    static let maximumWords = 60
    static let maximumLetters = 63
    private static let levelsPerBit = 8.0

    /// Creates the book of a row of the index; nil when the row is damaged.
    init?(_ row: Row) {
        guard let letters = row["words"] as Data?, let fields = row["fields"] as Data?,
            let levels = row["levels"] as Data?, let rank = row["popularity"] as Int?
        else { return nil }
        let parts = Array(letters).split(separator: UInt8(ascii: " "))
        guard parts.count == fields.count, parts.count == levels.count else { return nil }
        popularity = Double(rank) / 255
        words = zip(parts, zip(fields, levels)).map {
            Word(
                field: Field(rawValue: $1.0),
                bits: Double($1.1) / Self.levelsPerBit,
                letters: $0,
                shape: OpticalShape.of($0)
            )
        }
    }

    /// Returns a word's rarity as a byte.
    static func level(_ bits: Double) -> UInt8 { UInt8(max(1, min(255, (bits * levelsPerBit).rounded()))) }

    /// The words of each author's name.
    var authors: [[Word]] {
        Array(Dictionary(grouping: words.filter { $0.field.author != nil }, by: \.field.rawValue).values)
    }

    /// Words with the author's name in the title apart from it: of "Maya Angelou: Poems" the title is "Poems".
    ///
    /// The author's name does not distinguish the author's books. A title that consists of it alone is unchanged.
    var wordsWithNamesApart: [Word] {
        let names = Set(authors.joined().map(\.letters).filter { $0.count > 2 })
        let isName = { (word: Word) in names.contains(word.letters) }
        guard words.contains(where: { $0.field == .title && isName($0) }) else { return words }
        let hasTitle = words.contains { $0.field == .title && !isName($0) && $0.letters.count > 2 }
        guard hasTitle || words.contains(where: { $0.field == .subtitle && !isName($0) }) else { return words }
        return words.map { word in
            var word = word
            if word.field == .title, isName(word) {
                word.field = .series
            } else if word.field == .subtitle, !hasTitle, !isName(word) {
                word.field = .title
            }
            return word
        }
    }

    /// Returns the folded words of a record with their fields.
    static func words(of book: BookRecord) -> [(field: Field, letters: Letters)] {
        let title = book.title.utf8
        let start = title.firstIndex { !" .\":;([/".utf8.contains($0) } ?? title.endIndex
        let end = title[start...].firstIndex { ":;([/".utf8.contains($0) } ?? title.endIndex
        var texts = [(Field.title, String(book.title[..<end]))]
        texts += book.authors.prefix(6).enumerated().map { (Field(rawValue: UInt8(4 + $0)), $1) }
        texts.append((.subtitle, String(book.title[end...])))
        if let series = book.series {
            texts += [(.series, series), (.series, book.seriesNumber.map(String.init) ?? "")]
        }
        texts.append((.publisher, book.publisher ?? ""))
        var words: [(field: Field, letters: Letters)] = []
        for (field, text) in texts {
            for letters in FoldedText(text).words.prefix(maximumWords - words.count) {
                words.append((field, letters.prefix(maximumLetters)))
            }
        }
        return words
    }
}
