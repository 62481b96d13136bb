import Basics
import Foundation

/// A query made of a spine's text, prepared for comparison with books.
struct MatchQuery {
    /// A word of it.
    struct Word {
        var range: Range<Int>
        var letters: Letters
        var shape: [UInt8]
        /// The probability that its line was read right, 0…1.
        var confidence: Double
        var beginsLine = false
        var endsLine = false
        /// Weight of its being explained by a book, in bits.
        var weight = 0.0
        /// Whether some book contains it, and it does not name a publisher: it belongs to this book or to another
        /// one.
        var isDistinctive = false
        /// Share of its use in books that is in authors' names, 0…1.
        var nameShare = 0.0
        /// Weight of its being part of another title, in bits; 0 for words that appear on spines of any book.
        var titleWeight = 0.0
        /// Part that it may have in a person's name.
        var namePart = NamePart.none
        /// Whether publishers and their series are called by it.
        var isOfPublisher = false
        /// Whether it is surely read and a word of several titles: not another word, misread.
        var isTitleWord = false
        /// Whether a title may continue at it from the line before.
        var continuesTitle = false
    }

    /// Part of a person's name that a word may be.
    enum NamePart {
        /// A given name or a surname.
        case name
        /// A name perhaps, but in a large catalogue a word of titles.
        case titleWord
        /// An initial, or a short word such as "von".
        case short
        /// Not a part: a word of publishers, of remarks, a number.
        case none
    }

    var words: [Word] = []
    /// The shapes of all words, one after the other, without spaces: readers put spaces where they like.
    var text: [UInt8] = []
    /// Whether a word begins at each index of ``text``, and at its end.
    private(set) var boundaries: [Bool]
    private(set) var lineBoundaries: [Bool]
    /// The shapes of all words with a space between.
    let spaced: [UInt8]
    let weight: Double
    /// Words that may be three letters of an author or a title on a library's label.
    private(set) var labels: [[UInt8]] = []

    /// Bits that name one book of the catalogue: log2 of its size.
    let sizeBits: Double
    /// Years of editions.
    let years: Set<Int>
    /// Whether single letters are alone on their lines: logos and marks, mostly.
    let hasLoneLetters: Bool
    /// Numbers of volumes, by the words' places.
    let numbers: [VolumeNumbers.Number]
    /// Places of words that make another work of a title, and of titles that another book of the author has.
    let otherWorks: [Int]
    let references: [Int]

    /// Maximum number of words of a query; later words do not count.
    static let maximumWords = 80
    /// Maximum number of letters of all words, in bytes: fourteen a word in Latin script.
    static let maximumLetters = 14 * maximumWords

    init(_ lines: [(text: String, confidence: Double)], index: MatchIndex) {
        var seen = Set<[UInt8]>()
        for line in lines {
            let start = words.count
            let mayBeName =
                line.confidence >= Self.sureConfidence && line.text.first { $0.isLetter }?.isLowercase == false
                && !line.text.lowercased().split(separator: " ").contains {
                    $0.hasSuffix("'s") || $0.hasSuffix("\u{2019}s")
                }
            for letters in FoldedText(line.text).words.prefix(Self.maximumWords - words.count) {
                guard text.count < Self.maximumLetters else { break }
                // The longest word of any book: a longer one is two joined words, and matches nothing.
                let letters = letters.prefix(IndexedBook.maximumLetters)
                let shape = OpticalShape.of(letters)
                var word = Word(
                    range: text.count..<text.count + shape.count,
                    letters: letters,
                    shape: shape,
                    confidence: line.confidence,
                    beginsLine: words.count == start
                )
                if seen.insert(shape).inserted {
                    let weight = Self.weight(word, index)
                    (word.weight, word.isDistinctive) = (weight.bits * max(0, min(1, line.confidence)), weight.isKnown)
                    word.nameShare = weight.nameShare
                }
                word.isOfPublisher = SpinePhrases.isOfPublisher(letters, isKnown: word.isDistinctive)
                if mayBeName, !word.isOfPublisher { word.namePart = Self.namePart(word, index) }
                word.isTitleWord =
                    word.confidence >= Self.sureWordConfidence && letters.count > 2 && letters.isPlain
                    && index.isFrequentInTitles(shape)
                word.continuesTitle = words.last?.letters.isAny(of: .open) == true || letters.isAny(of: .continuing)
                text += shape
                words.append(word)
            }
            if words.count > start { words[words.count - 1].endsLine = true }
        }
        boundaries = Array(repeating: false, count: text.count) + [true]
        lineBoundaries = boundaries
        for word in words {
            boundaries[word.range.lowerBound] = true
            lineBoundaries[word.range.lowerBound] = word.beginsLine
        }
        let folded = words.map(\.letters)
        spaced = Array(words.map(\.shape).joined(separator: " ".utf8))
        weight = words.reduce(0) { $0 + $1.weight }
        sizeBits = index.sizeBits
        years = VolumeNumbers.years(folded)
        hasLoneLetters = words.contains { $0.letters.count == 1 && $0.letters.isPlain && $0.beginsLine && $0.endsLine }
        numbers = VolumeNumbers(folded, beginsLine: words.map(\.beginsLine)).numbers
        (otherWorks, references) = (SpinePhrases.otherWorks(folded), SpinePhrases.references(folded))
        addTitleWeights(isSmall: index.books < Self.largeCatalogue)
        labels = words.indices.filter { place in
            // Less than one book in 64 has the word: labels carry three letters that are mostly not a word.
            words[place].shape.count == 3 && index.bits(words[place].shape) ?? .infinity > 6
                && (isLabel(place, beside: place - 1) || isLabel(place, beside: place + 1))
        }.map { words[$0].shape }
    }

    /// Returns whether the next word is of a library's label too: a number, or a short word, on the same line or beside
    /// a word that is alone on its line.
    private func isLabel(_ place: Int, beside next: Int) -> Bool {
        guard words.indices.contains(next), !words[next].letters.isSmallWord,
            words[next].shape.count <= 3 || words[next].weight == Self.numberWeight
        else { return false }
        return !words[max(place, next)].beginsLine || words[place].beginsLine && words[place].endsLine
    }

    private mutating func addTitleWeights(isSmall: Bool) {
        var isOfAnyBook = SpinePhrases.contain(words)
        for number in numbers where number.isNamed { isOfAnyBook[number.place] = true }
        for (place, word) in words.enumerated() {
            let letters = word.letters
            if isOfAnyBook[place] {
                words[place].namePart = .none
                continue
            }
            if letters.isWord("no"), word.beginsLine, !word.endsLine, words[place + 1].letters.first ?? 0 > 0x39 {
                // "No Country" is another title than "Country"; "No. 3" is a number.
                words[place].titleWeight = Self.unknownWeight
            }
            guard letters.count > 2, letters.isPlain, !letters.isAny(of: .imprint, .particle) else { continue }
            if word.isDistinctive {
                words[place].titleWeight = min(max(word.weight, Self.leastTitleWeight), Self.mostTitleWeight)
            } else if letters.count > (isSmall ? 2 : 3), letters.contains(where: "aeiouy".utf8.contains) {
                // A small catalogue lacks most words of other books.
                words[place].titleWeight = isSmall ? Self.unknownWeight : Self.unknownWeight / 2
            }
        }
    }

    private static func namePart(_ word: Word, _ index: MatchIndex) -> NamePart {
        let letters = word.letters
        if letters.isAny(of: .ofNames) { return .short }
        if letters.isAny(of: .particle) || !letters.isPlain { return .none }
        if letters.count < 3 { return letters.isAny(of: .shortParticle) ? .none : .short }
        guard letters.contains(where: { "aeiouy".utf8.contains($0) || $0 >= 0x80 }) else { return .none }
        // The counts are approximate: words of one book or two may be in none.
        let isOfTitles = word.isDistinctive && word.nameShare < leastNameShare && word.weight < index.sizeBits - 1.5
        return index.books >= largeCatalogue && isOfTitles ? .titleWord : .name
    }

    /// Share of a word's use in authors' names below which it is no name.
    private static let leastNameShare = 0.1
    /// Confidence of a line below which its letters may be others.
    private static let sureConfidence = 0.85
    /// Confidence of a line below which one of its letters may be another: of 2,027 words of photographed lines from
    /// 0.95, none was read as another known one; of 177 from 0.90, 2 were.
    private static let sureWordConfidence = 0.95

    /// Maximum bits of a word of another title: rarer ones are misread words mostly.
    private static let mostTitleWeight = 8.0
    private static let leastTitleWeight = 2.0
    /// Books from which on a catalogue has most words that titles have.
    private static let largeCatalogue = 5_000
    private static let numberWeight = 0.5
    private static let commonBits = 6.0
    static let unknownWeight = 4.0

    private typealias Weight = (bits: Double, isKnown: Bool, nameShare: Double)

    private static func weight(_ word: Word, _ index: MatchIndex) -> Weight {
        if word.letters.count < 3 { return (0.1, false, 0) }
        if !word.letters.isPlain { return (numberWeight, false, 0) }
        if word.letters.isAny(of: .imprint) { return (0.3, false, 0) }
        if let bits = index.bits(word.shape) { return (bits, true, index.nameShare(word.shape)) }
        // A word in no book is joined, misread, or not part of a title or a name.
        return glued(word.letters, index) ?? (unknownWeight, false, 0)
    }

    /// Returns the weight of two words without a space between them: "PhilipPullman".
    private static func glued(_ letters: Letters, _ index: MatchIndex) -> Weight? {
        guard letters.count >= 8 else { return nil }
        return (letters.startIndex + 2...letters.endIndex - 2).compactMap { cut -> Weight? in
            var (sum, names) = (0.0, 0.0)
            for part in [letters[..<cut], letters[cut...]].map(OpticalShape.of) {
                // Misreading produces short uncommon words.
                guard let bits = index.bits(part), part.count > 3 || bits < commonBits else { return nil }
                sum += bits
                names += bits * index.nameShare(part)
            }
            return (sum, true, names / max(sum, 0.1))
        }.min { $0.bits < $1.bits }
    }
}
