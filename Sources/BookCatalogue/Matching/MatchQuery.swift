/// What was read on a spine, made ready for comparing with books.
struct MatchQuery {
    /// A word of it.
    struct Word {
        /// In ``text``.
        var range: Range<Int>
        var shape: [UInt8]
        /// How much it matters that a book explains it, in bits.
        var weight: Double
        /// Whether it is digits only.
        var isNumber: Bool
    }

    /// The shapes of all words, one after the other, without spaces: readers put spaces where they like.
    var text: [UInt8] = []
    /// For each index of ``text``, and for its end, whether a word begins there.
    var boundaries: [Bool] = []
    var words: [Word] = []
    /// The shapes of all words with a space between.
    var spaced: [UInt8] = []
    /// The sum of the words' weights.
    var weight = 0.0

    /// No spine says more; what is read beyond it does not count.
    static let maximumWords = 80

    init(_ lines: [(text: String, confidence: Double)], index: MatchIndex) {
        var seen = Set<[UInt8]>()
        for line in lines {
            for letters in FoldedText(line.text).words.prefix(Self.maximumWords - words.count) {
                let shape = OpticalShape.of(letters.prefix(IndexedBook.maximumLetters))
                let start = text.count
                text += shape
                if !spaced.isEmpty { spaced.append(UInt8(ascii: " ")) }
                spaced += shape
                boundaries += [true] + Array(repeating: false, count: shape.count - 1)
                let isNumber = letters.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
                var word = Word(range: start..<text.count, shape: shape, weight: 0, isNumber: isNumber)
                if seen.insert(shape).inserted {
                    word.weight = Self.weight(word, letters: letters, index: index) * max(0, min(1, line.confidence))
                }
                weight += word.weight
                words.append(word)
            }
        }
        boundaries.append(true)
    }

    private static func weight(_ word: Word, letters: ArraySlice<UInt8>, index: MatchIndex) -> Double {
        if letters.count < 3 { return 0.1 }
        if word.isNumber || letters.contains(where: { $0 <= UInt8(ascii: "9") }) { return 0.5 }
        if Imprints.words.contains(Array(letters)) { return 0.3 }
        // What no book has is misread, or no part of a title or a name.
        return index.bits(word.shape) ?? 4
    }
}
