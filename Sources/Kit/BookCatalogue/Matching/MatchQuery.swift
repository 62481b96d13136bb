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
        /// Part that it may have in a person's name.
        var namePart = NamePart.none
        /// Whether it is a preposition, a conjunction or the like, and not before an author's name as "by" is.
        var isParticle = false
        /// Whether publishers and their series are called by it.
        var isOfPublisher = false
        /// Whether it is surely read and a word of several titles: not another word, misread.
        var isTitleWord = false
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
    /// Years of editions.
    private(set) var years: Set<Int> = []
    /// Whether single letters are alone on their lines: logos and marks, mostly.
    private(set) var hasLoneLetters = false
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
        sizeBits = index.sizeBits
        var seen = Set<[UInt8]>()
        var folded: [ArraySlice<UInt8>] = []
        for line in lines {
            var isFirst = true
            let mayBeName =
                line.confidence >= Self.sureConfidence && line.text.first { $0.isLetter }?.isLowercase == false
                && !line.text.lowercased().split(separator: " ").contains {
                    $0.hasSuffix("'s") || $0.hasSuffix("\u{2019}s")
                }
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
                word.isParticle = SpineRemarks.isParticle(letters)
                word.isOfPublisher = SpineRemarks.isOfPublisher(letters, isKnown: word.isTelling)
                if mayBeName, !word.isOfPublisher { word.namePart = Self.namePart(letters, word, index) }
                word.isTitleWord =
                    word.confidence >= Self.sureWordConfidence && letters.count > 2
                    && letters.allSatisfy { $0 > 0x39 } && index.isFrequentInTitles(shape)
                weight += word.weight
                words.append(word)
                folded.append(letters)
            }
        }
        boundaries.append(true)
        lineBoundaries.append(true)
        numbers = VolumeNumbers(folded, beginsLine: words.indices.map(beginsLine))
        years = VolumeNumbers.years(folded)
        hasLoneLetters = words.indices.contains {
            folded[$0].count == 1 && folded[$0].allSatisfy { $0 > 0x39 } && beginsLine($0) && endsLine($0)
        }
        (otherWorks, references) = (SpineRemarks.otherWorks(folded), SpineRemarks.references(folded))
        continuesTitle = folded.indices.map { $0 > 0 && SpineRemarks.joins(folded[$0 - 1], folded[$0]) }
        addTitleWeights(folded, books: index.books)
        for (place, word) in words.enumerated() where word.shape.count == 3 && Self.isRare(word.shape, index) {
            let isLabel = [place - 1, place + 1].contains { next in
                words.indices.contains(next) && !SpineRemarks.isSmallWord(folded[next])
                    && isBesideLabel(place, next)
            }
            if isLabel { labels.append(word.shape) }
        }
    }

    /// Returns whether a line begins with the word at a place.
    func beginsLine(_ place: Int) -> Bool { lineBoundaries[words[place].range.lowerBound] }

    /// Returns whether a line ends with the word at a place.
    func endsLine(_ place: Int) -> Bool { lineBoundaries[words[place].range.upperBound] }

    /// Returns whether the next word is of a library's label: a number, or a short word, on the same line or beside a
    /// word that is alone on its line.
    private func isBesideLabel(_ place: Int, _ next: Int) -> Bool {
        guard words[next].shape.count <= 3 || words[next].weight == Self.numberWeight else { return false }
        return !beginsLine(max(place, next)) || beginsLine(place) && endsLine(place)
    }

    private mutating func addTitleWeights(_ folded: [ArraySlice<UInt8>], books: Int) {
        var isOfAnyBook = SpineRemarks.marks(folded, endsLine: words.indices.map(endsLine))
        for number in numbers.numbers where number.isNamed { isOfAnyBook[number.place] = true }
        for place in words.indices where isOfAnyBook[place] { words[place].namePart = .none }
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

    private static func namePart(_ letters: ArraySlice<UInt8>, _ word: Word, _ index: MatchIndex) -> NamePart {
        let text = Array(letters)
        if SpineRemarks.ofNames.contains(text) { return .short }
        if SpineRemarks.particles.contains(text) || letters.contains(where: { $0 <= 0x39 }) { return .none }
        if letters.count < 3 { return SpineRemarks.shortParticles.contains(text) ? .none : .short }
        guard letters.contains(where: { "aeiouy".utf8.contains($0) || $0 >= 0x80 }) else { return .none }
        // The counts are approximate: words of one book or two may be in none.
        let isOfTitles = word.isTelling && word.nameShare < leastNameShare && word.weight < index.sizeBits - 1.5
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

    /// Returns whether less than one book in 64 has the word: labels carry three letters that are mostly not a word.
    private static func isRare(_ shape: [UInt8], _ index: MatchIndex) -> Bool {
        index.bits(shape).map { $0 > 6 } ?? true
    }

    private typealias Weight = (weight: Double, isTelling: Bool, nameShare: Double)

    private static func weight(_ shape: [UInt8], letters: ArraySlice<UInt8>, index: MatchIndex) -> Weight {
        if letters.count < 3 { return (0.1, false, 0) }
        if letters.contains(where: { $0 <= UInt8(ascii: "9") }) { return (numberWeight, false, 0) }
        if Imprints.words.contains(Array(letters)) { return (0.3, false, 0) }
        if let bits = index.bits(shape) { return (bits, true, index.nameShare(shape)) }
        // A word in no book is joined, misread, or not part of a title or a name.
        return glued(letters, index: index) ?? (unknownWeight, false, 0)
    }

    /// Returns the weight of two words without a space between them: "PhilipPullman".
    private static func glued(_ letters: ArraySlice<UInt8>, index: MatchIndex) -> Weight? {
        guard letters.count >= 8 else { return nil }
        var best: Weight?
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
