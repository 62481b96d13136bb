import Basics
import Foundation

/// The words of a book in the form of the index.
struct IndexedBook {
    /// Field that a word is part of.
    enum Field: Equatable {
        /// The title up to its first colon, bracket, slash or the like.
        case title
        case subtitle
        case series
        case publisher
        /// The name of the author with that number, from 0.
        case author(Int)

        var code: UInt8 {
            switch self {
            case .title: 0
            case .subtitle: 1
            case .series: 2
            case .publisher: 3
            case .author(let number): UInt8(4 + min(number, 200))
            }
        }

        init(code: UInt8) {
            self = [.title, .subtitle, .series, .publisher].first { $0.code == code } ?? .author(Int(code) - 4)
        }
    }

    struct Word {
        var field: Field
        /// Rarity: log2 of all books over those that have it.
        var bits: Double
        var letters: ArraySlice<UInt8>
    }

    var id: Int64
    /// Rank among the catalogue's popularities, 1 the most popular; 0 if unknown.
    var popularity: Double
    var words: [Word]

    /// Longer books' words, and longer words' letters, are cut off.
    static let maximumWords = 60
    static let maximumLetters = 63

    /// The words of each author's name.
    var authors: [[Word]] { Array(Dictionary(grouping: words.filter { $0.field.code > 3 }, by: \.field.code).values) }

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
    static func words(of book: BookRecord) -> [(field: Field, letters: ArraySlice<UInt8>)] {
        var words: [(field: Field, letters: ArraySlice<UInt8>)] = []
        func add(_ text: some StringProtocol, _ field: Field) {
            guard words.count < maximumWords else { return }
            for word in FoldedText(String(text)).words.prefix(maximumWords - words.count) {
                words.append((field, word.prefix(maximumLetters)))
            }
        }
        let end = endOfMainTitle(book.title)
        add(book.title[..<end], .title)
        for (number, author) in book.authors.prefix(6).enumerated() { add(author, .author(number)) }
        add(book.title[end...], .subtitle)
        if let series = book.series {
            add(series, .series)
            if let number = book.seriesNumber { add(String(number), .series) }
        }
        if let publisher = book.publisher { add(publisher, .publisher) }
        return words
    }

    private static func endOfMainTitle(_ title: String) -> String.Index {
        let bytes = title.utf8
        var wordSeen = false
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "/"):
                if wordSeen { return index }
            case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "\""): break
            default: wordSeen = true
            }
            index = bytes.index(after: index)
        }
        return title.endIndex
    }
}

extension IndexedBook {
    /// Books that are stored as one row.
    static let booksPerBlock = 16
    private static let levelsPerBit = 8.0

    /// Appends a book in its stored form, without the values that require all books.
    static func append(id: Int64, words: [(field: Field, letters: ArraySlice<UInt8>)], to bytes: inout [UInt8]) {
        VariableLength.append(UInt64(bitPattern: id), to: &bytes)
        bytes.append(0)
        bytes.append(UInt8(words.count))
        for word in words {
            bytes.append(word.field.code)
            bytes.append(0)
            bytes.append(UInt8(word.letters.count))
            bytes.append(contentsOf: word.letters)
        }
    }

    /// Adds the values that require all books: their popularities and the number of bits of each word.
    static func complete(
        _ block: inout [UInt8],
        popularities: ArraySlice<UInt8>,
        bits: (ArraySlice<UInt8>) -> Double
    ) {
        var index = 0
        for popularity in popularities {
            while index < block.count, block[index] >= 0x80 { index += 1 }
            guard index + 2 < block.count else { return }
            block[index + 1] = popularity
            let words = Int(block[index + 2])
            index += 3
            for _ in 0..<words {
                let end = index + 3 + Int(block[index + 2])
                let level = (bits(block[(index + 3)..<end]) * levelsPerBit).rounded()
                block[index + 1] = UInt8(max(1, min(255, level)))
                index = end
            }
        }
    }

    /// Creates the book with that number in a block; nil when the block is damaged.
    init?(number: Int, in block: Data) {
        let bytes = [UInt8](block)
        var index = 0
        for skipped in 0...number {
            guard let book = Self(bytes, at: &index, wanted: skipped == number) else { return nil }
            if skipped == number {
                self = book
                return
            }
        }
        return nil
    }

    /// Creates the book at `index`, which moves behind it; without its words unless it is wanted.
    private init?(_ bytes: [UInt8], at index: inout Int, wanted: Bool) {
        guard let id = bytes.withUnsafeBytes({ VariableLength.read($0, at: &index) }), index + 2 <= bytes.count else {
            return nil
        }
        self.id = Int64(bitPattern: id)
        popularity = Double(bytes[index]) / 255
        words = []
        let count = Int(bytes[index + 1])
        index += 2
        if wanted { words.reserveCapacity(count) }
        for _ in 0..<count {
            guard index + 3 <= bytes.count else { return nil }
            let start = index + 3
            let end = start + Int(bytes[index + 2])
            guard end <= bytes.count else { return nil }
            if wanted {
                words.append(
                    Word(
                        field: Field(code: bytes[index]),
                        bits: Double(bytes[index + 1]) / Self.levelsPerBit,
                        letters: bytes[start..<end]
                    )
                )
            }
            index = end
        }
    }
}
