/// What was read on a spine, made ready for comparing with books.
struct MatchQuery {
    /// A word of it.
    struct Word {
        /// In ``text``.
        var range: Range<Int>
        var shape: [UInt8]
        /// How much it matters that a book explains it, in bits.
        var weight: Double
        /// Whether some book has it, and it names no publisher: it stands there for this book or for another one.
        var isTelling = false
        /// How much of its use in books is in authors' names, 0…1.
        var nameShare = 0.0
    }

    /// The shapes of all words, one after the other, without spaces: readers put spaces where they like.
    var text: [UInt8] = []
    /// For each index of ``text``, and for its end, whether a word begins there.
    var boundaries: [Bool] = []
    /// The same for lines.
    var lineBoundaries: [Bool] = []
    var words: [Word] = []
    /// The shapes of all words with a space between.
    var spaced: [UInt8] = []
    /// The sum of the words' weights.
    var weight = 0.0
    /// What may be three letters of an author or a title on a library's label.
    var labels: [[UInt8]] = []

    /// No spine says more; what is read beyond it does not count.
    static let maximumWords = 80

    init(_ lines: [(text: String, confidence: Double)], index: MatchIndex) {
        var seen = Set<[UInt8]>()
        for line in lines {
            var isFirst = true
            for letters in FoldedText(line.text).words.prefix(Self.maximumWords - words.count) {
                let shape = OpticalShape.of(letters.prefix(IndexedBook.maximumLetters))
                let start = text.count
                text += shape
                if !spaced.isEmpty { spaced.append(UInt8(ascii: " ")) }
                spaced += shape
                boundaries += [true] + Array(repeating: false, count: shape.count - 1)
                lineBoundaries += [isFirst] + Array(repeating: false, count: shape.count - 1)
                isFirst = false
                var word = Word(range: start..<text.count, shape: shape, weight: 0)
                if seen.insert(shape).inserted {
                    (word.weight, word.isTelling) = Self.weight(shape, letters: letters, index: index)
                    word.nameShare = index.nameShare(shape)
                    word.weight *= max(0, min(1, line.confidence))
                }
                weight += word.weight
                words.append(word)
            }
        }
        boundaries.append(true)
        lineBoundaries.append(true)
        for (number, word) in words.enumerated() where word.shape.count == 3 && Self.isRare(word.shape, index) {
            let neighbours = [number - 1, number + 1].filter(words.indices.contains)
            if neighbours.contains(where: { words[$0].shape.count <= 3 || words[$0].weight == Self.numberWeight }) {
                labels.append(word.shape)
            }
        }
    }

    private static let numberWeight = 0.5

    /// Whether less than one book in 64 has the word: on labels stand three letters that are mostly no word.
    private static func isRare(_ shape: [UInt8], _ index: MatchIndex) -> Bool {
        index.bits(shape).map { $0 > 6 } ?? true
    }

    private static func weight(
        _ shape: [UInt8],
        letters: ArraySlice<UInt8>,
        index: MatchIndex
    ) -> (weight: Double, isTelling: Bool) {
        if letters.count < 3 { return (0.1, false) }
        if letters.contains(where: { $0 <= UInt8(ascii: "9") }) { return (numberWeight, false) }
        if Imprints.words.contains(Array(letters)) { return (0.3, false) }
        guard let bits = index.bits(shape) else {
            // What no book has is misread, or no part of a title or a name.
            return (4, false)
        }
        return (bits, true)
    }
}
