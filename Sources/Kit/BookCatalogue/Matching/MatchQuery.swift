import Basics
import Foundation

/// A query made of a spine's text, prepared for comparison with books.
struct MatchQuery {
    /// A word of it.
    struct Word {
        var range: Range<Int>
        var shape: [UInt8]
        /// Weight of its being explained by a book, in bits.
        var weight: Double
        /// Whether some book contains it, and it does not name a publisher: it belongs to this book or to another
        /// one.
        var isTelling = false
        /// Share of its use in books that is in authors' names, 0…1.
        var nameShare = 0.0
        /// The probability that its line was read right, 0…1.
        var confidence = 1.0
        /// Weight of its being part of another title, in bits; 0 for words that appear on spines of any book.
        var titleWeight = 0.0
    }

    /// The shapes of all words, one after the other, without spaces: readers put spaces where they like.
    var text: [UInt8] = []
    /// Whether a word begins at each index of ``text``, and at its end.
    var boundaries: [Bool] = []
    var lineBoundaries: [Bool] = []
    var words: [Word] = []
    /// The shapes of all words with a space between.
    var spaced: [UInt8] = []
    var weight = 0.0
    /// Words that may be three letters of an author or a title on a library's label.
    var labels: [[UInt8]] = []

    /// Bits that name one book of the catalogue: log2 of its size.
    var sizeBits = 0.0
    /// Whether a title may continue at each word from the line before.
    private(set) var continuesTitle: [Bool] = []
    /// Numbers of volumes, by the words' places.
    private(set) var numbers = VolumeNumbers([], beginsLine: [])
    /// Places of words that make another work of a title, and of titles that another book of the author has.
    private(set) var otherWorks: [Int] = []
    private(set) var references: [Int] = []

    /// Maximum number of words of a query; later words do not count.
    static let maximumWords = 80
    /// Maximum number of letters of all words, in bytes: fourteen a word in Latin script.
    static let maximumLetters = 14 * maximumWords

    init(_ lines: [(text: String, confidence: Double)], index: MatchIndex) {
        sizeBits = log2(Double(max(1, index.books)))
        var seen = Set<[UInt8]>()
        var folded: [ArraySlice<UInt8>] = []
        for line in lines {
            var isFirst = true
            for word in FoldedText(line.text).words.prefix(Self.maximumWords - words.count) {
                guard text.count < Self.maximumLetters else { break }
                // The longest word of any book: a longer one is two joined words, and matches nothing.
                let letters = word.prefix(IndexedBook.maximumLetters)
                let shape = OpticalShape.of(letters)
                let start = text.count
                text += shape
                if !spaced.isEmpty { spaced.append(UInt8(ascii: " ")) }
                spaced += shape
                boundaries += [true] + Array(repeating: false, count: shape.count - 1)
                lineBoundaries += [isFirst] + Array(repeating: false, count: shape.count - 1)
                isFirst = false
                var word = Word(range: start..<text.count, shape: shape, weight: 0)
                if seen.insert(shape).inserted {
                    (word.weight, word.isTelling, word.nameShare) = Self.weight(shape, letters: letters, index: index)
                    word.weight *= max(0, min(1, line.confidence))
                }
                word.confidence = line.confidence
                weight += word.weight
                words.append(word)
                folded.append(letters)
            }
        }
        boundaries.append(true)
        lineBoundaries.append(true)
        numbers = VolumeNumbers(folded, beginsLine: words.indices.map(beginsLine))
        (otherWorks, references) = (SpineRemarks.otherWorks(folded), SpineRemarks.references(folded))
        continuesTitle = folded.indices.map { $0 > 0 && SpineRemarks.joins(folded[$0 - 1], folded[$0]) }
        addTitleWeights(folded, books: index.books)
        for (number, word) in words.enumerated() where word.shape.count == 3 && Self.isRare(word.shape, index) {
            let neighbours = [number - 1, number + 1].filter(words.indices.contains)
            if neighbours.contains(where: { words[$0].shape.count <= 3 || words[$0].weight == Self.numberWeight }) {
                labels.append(word.shape)
            }
        }
    }

    /// Returns whether a line begins with the word at a place.
    func beginsLine(_ place: Int) -> Bool { lineBoundaries[words[place].range.lowerBound] }

    /// Returns whether a line ends with the word at a place.
    func endsLine(_ place: Int) -> Bool { lineBoundaries[words[place].range.upperBound] }

    private mutating func addTitleWeights(_ folded: [ArraySlice<UInt8>], books: Int) {
        var isOfAnyBook = SpineRemarks.marks(folded, endsLine: words.indices.map(endsLine))
        for number in numbers.numbers where number.isNamed { isOfAnyBook[number.place] = true }
        for place in words.indices where !isOfAnyBook[place] {
            let letters = folded[place]
            if letters.elementsEqual("no".utf8), beginsLine(place), !endsLine(place),
                folded[place + 1].first ?? 0 > 0x39
            {
                // "No Country" is another title than "Country"; "No. 3" is a number.
                words[place].titleWeight = Self.unknownWeight
            }
            guard letters.count > 2, letters.allSatisfy({ $0 > 0x39 }), !Imprints.words.contains(Array(letters)),
                !SpineRemarks.particles.contains(Array(letters))
            else { continue }
            if words[place].isTelling {
                words[place].titleWeight = min(max(words[place].weight, Self.leastTitleWeight), Self.mostTitleWeight)
            } else if letters.count > (books < Self.largeCatalogue ? 2 : 3),
                letters.contains(where: "aeiouy".utf8.contains)
            {
                // A small catalogue lacks most words of other books.
                words[place].titleWeight = books < Self.largeCatalogue ? Self.unknownWeight : Self.unknownWeight / 2
            }
        }
    }

    /// Maximum bits of a word of another title: rarer ones are misread words mostly.
    private static let mostTitleWeight = 8.0
    private static let leastTitleWeight = 2.0
    /// Books from which on a catalogue has most words that titles have.
    private static let largeCatalogue = 5_000
    private static let numberWeight = 0.5
    private static let commonBits = 6.0
    private static let unknownWeight = 4.0

    /// Returns whether less than one book in 64 has the word: labels carry three letters that are mostly not a word.
    private static func isRare(_ shape: [UInt8], _ index: MatchIndex) -> Bool {
        index.bits(shape).map { $0 > 6 } ?? true
    }

    private static func weight(
        _ shape: [UInt8],
        letters: ArraySlice<UInt8>,
        index: MatchIndex
    ) -> (weight: Double, isTelling: Bool, nameShare: Double) {
        if letters.count < 3 { return (0.1, false, 0) }
        if letters.contains(where: { $0 <= UInt8(ascii: "9") }) { return (numberWeight, false, 0) }
        if Imprints.words.contains(Array(letters)) { return (0.3, false, 0) }
        if let bits = index.bits(shape) { return (bits, true, index.nameShare(shape)) }
        // A word in no book is joined, misread, or not part of a title or a name.
        return glued(letters, index: index) ?? (unknownWeight, false, 0)
    }

    /// Returns the weight of two words without a space between them: "PhilipPullman".
    private static func glued(
        _ letters: ArraySlice<UInt8>,
        index: MatchIndex
    ) -> (weight: Double, isTelling: Bool, nameShare: Double)? {
        guard letters.count >= 8 else { return nil }
        var best: (weight: Double, isTelling: Bool, nameShare: Double)?
        for cut in letters.startIndex + 2...letters.endIndex - 2 {
            let parts = [OpticalShape.of(letters[..<cut]), OpticalShape.of(letters[cut...])]
            guard let first = index.bits(parts[0]), let second = index.bits(parts[1]),
                // Misreading produces short uncommon words.
                parts[0].count > 3 || first < commonBits, parts[1].count > 3 || second < commonBits
            else { continue }
            let bits = first + second
            if bits < best?.weight ?? .infinity {
                let names = first * index.nameShare(parts[0]) + second * index.nameShare(parts[1])
                best = (bits, true, names / max(bits, 0.1))
            }
        }
        return best
    }
}
