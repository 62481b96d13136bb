import Basics
import Foundation

/// Tokenizer of BERT's uncased models: words without accents in lower case, cut into the longest pieces of a
/// vocabulary.
///
/// The same as `BertNormalizer`, `BertPreTokenizer` and `WordPiece` of Hugging Face's `tokenizers` 0.22 with
/// `lowercase: true` and `strip_accents: null`, but for one thing: "[MASK]" and its like in a text are text here, not
/// tokens with a meaning of their own. A text of a picture may hold anything.
///
/// Source: Devlin et al., "BERT", NAACL 2019, section 3; Wu et al., "Google's Neural Machine Translation System"
/// (2016), section 4.1.
struct WordPieceTokenizer: Sendable {
    /// Identifiers of the tokens around a text's pieces, and of a word without pieces.
    let classToken: Int32, separatorToken: Int32, unknownToken: Int32
    /// Characters of a word that is cut into pieces; a longer one is the unknown token (`max_input_chars_per_word`).
    static let longestWord = 100
    private let vocabulary: Vocabulary

    /// Pieces of the vocabulary.
    var count: Int { vocabulary.places.count }

    /// Creates a tokenizer with a vocabulary of one token in a line, whose numbers are those of the lines, from 0.
    init(vocabularyPath path: String) throws(CaptureSpaceError) {
        let file: Data
        do {
            file = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw .vocabularyUnreadable(path: path, reason: error.systemReason)
        }
        try self.init(vocabulary: [UInt8](file))
    }

    init(vocabulary: [UInt8]) throws(CaptureSpaceError) {
        let pieces = Vocabulary(vocabulary)
        func find(_ token: String) throws(CaptureSpaceError) -> Int32 {
            guard let number = pieces.number(of: Array(token.utf8)[...]) else { throw .tokenMissing(token) }
            return number
        }
        self.vocabulary = pieces
        classToken = try find("[CLS]")
        separatorToken = try find("[SEP]")
        unknownToken = try find("[UNK]")
    }

    /// Returns the numbers of a text's tokens.
    ///
    /// - Returns: 2 to `limit` numbers, the class token first and the separator last.
    func tokens(of text: String, limit: Int = 128) -> [Int32] {
        precondition(limit >= 2, "the two tokens around a text have room")
        var tokens = [classToken]
        for word in TextWords(text) {
            guard tokens.count < limit - 1 else { break }
            append(word, to: &tokens)
        }
        if tokens.count > limit - 1 { tokens.removeLast(tokens.count - limit + 1) }
        tokens.append(separatorToken)
        return tokens
    }

    /// Returns whether a word of a text, of two bytes or more, is in the vocabulary as a whole.
    func knowsWord(of text: String) -> Bool {
        TextWords(text).contains { word in
            let bytes = Array(word.utf8)
            return bytes.count > 1 && vocabulary.number(of: bytes[...]) != nil
        }
    }

    /// Splits a word greedily into its longest pieces; a word that cannot be split becomes the unknown token.
    private func append(_ word: String, to tokens: inout [Int32]) {
        guard word.unicodeScalars.count <= Self.longestWord else {
            tokens.append(unknownToken)
            return
        }
        let start = tokens.count
        var rest = Array(word.utf8)[...]
        while !rest.isEmpty {
            guard let (number, length) = longest(of: rest, continuing: tokens.count > start) else {
                tokens.removeLast(tokens.count - start)
                tokens.append(unknownToken)
                return
            }
            tokens.append(number)
            rest = rest.dropFirst(length)
        }
    }

    /// Returns the longest piece that some bytes begin with, and its bytes.
    private func longest(of bytes: ArraySlice<UInt8>, continuing: Bool) -> (number: Int32, length: Int)? {
        let mark = continuing ? 2 : 0
        var key = Array("##".utf8.prefix(mark)) + bytes
        while key.count > mark {
            if let number = vocabulary.number(of: key[...]) { return (number, key.count - mark) }
            key.removeLast()
        }
        return nil
    }
}

/// Pieces of words, one in a line, by their numbers.
///
/// A table of hashes is made in 1 ms; a dictionary of 30,522 slices takes 15.
private struct Vocabulary: Sendable {
    private let bytes: [UInt8]
    /// Place of each piece in the bytes; pieces that continue a word begin with "##".
    let places: [Range<Int>]
    /// Numbers of pieces, each at its hash or the first free slot behind; -1 for a free one.
    private let table: [Int32]

    init(_ bytes: [UInt8]) {
        var (places, start) = ([Range<Int>](), 0)
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "\n") {
            places.append(start..<(end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
            start = end + 1
        }
        if places.last?.isEmpty == true { places.removeLast() }
        // Twice as large at least: a free slot is near.
        var table = [Int32](repeating: -1, count: 2 << (Int.bitWidth - places.count.leadingZeroBitCount))
        for (number, place) in places.enumerated() {
            var slot = Self.slot(of: bytes[place], in: table)
            while table[slot] >= 0 { slot = (slot + 1) % table.count }
            table[slot] = Int32(number)
        }
        (self.bytes, self.places, self.table) = (bytes, places, table)
    }

    private static func slot(of piece: ArraySlice<UInt8>, in table: [Int32]) -> Int {
        var hash = FNV1a()
        for byte in piece { hash.append(byte) }
        return Int(truncatingIfNeeded: hash.value ^ hash.value >> 32) & (table.count - 1)
    }

    /// Returns the number of a piece; nil for one that is not here.
    func number(of piece: ArraySlice<UInt8>) -> Int32? {
        var slot = Self.slot(of: piece, in: table)
        while table[slot] >= 0 {
            if bytes[places[Int(table[slot])]].elementsEqual(piece) { return table[slot] }
            slot = (slot + 1) % table.count
        }
        return nil
    }
}

/// The words of a text as BERT's uncased models see them, one after the other.
struct TextWords: Sequence, IteratorProtocol {
    private var source: String.UnicodeScalarView.Iterator
    /// Decomposed and lowercased scalars before the next one of the source.
    private var waiting: [Unicode.Scalar] = []

    init(_ text: String) {
        // ASCII is decomposed already; the rest by Unicode's canonical decomposition.
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        source = (isPlain ? text : text.bertCleaned.decomposedStringWithCanonicalMapping).unicodeScalars.makeIterator()
    }

    mutating func next() -> String? {
        var word = String.UnicodeScalarView()
        while let scalar = waiting.popLast() ?? source.next() {
            if scalar.isBERTRemoved { continue }
            if scalar.isBERTSpace {
                if !word.isEmpty { return String(word) }
            } else if scalar.isBERTPunctuation || scalar.isHan {
                if word.isEmpty { return String(scalar) }
                waiting.append(scalar)
                return String(word)
            } else if scalar.isASCII {
                word.append((65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
            } else if scalar.properties.generalCategory != .nonspacingMark {
                word.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return word.isEmpty ? nil : String(word)
    }
}

extension String {
    /// Text without removed characters, before decomposition: marks on both sides of them then meet.
    fileprivate var bertCleaned: String {
        var cleaned = UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isBERTRemoved { cleaned.append(scalar) }
        return String(cleaned)
    }
}

extension Unicode.Scalar {
    /// Controls other than tabulators and line ends, formats, private use, and the replacement character.
    fileprivate var isBERTRemoved: Bool {
        if isASCII { return value < 32 && ![9, 10, 13].contains(value) || value == 127 }
        if value == 0xFFFD { return true }
        switch properties.generalCategory {
        case .control, .format, .privateUse: return true
        default: return false
        }
    }

    fileprivate var isBERTSpace: Bool { isASCII ? value == 32 || (9...13).contains(value) : properties.isWhitespace }

    /// Whether it is ASCII other than a letter, digit, blank or control, or Unicode punctuation.
    fileprivate var isBERTPunctuation: Bool {
        if isASCII {
            return (33...47).contains(value) || (58...64).contains(value) || (91...96).contains(value)
                || (123...126).contains(value)
        }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }

    /// The blocks of Chinese characters that BERT parts from each other: `is_chinese_char` of `tokenizers`, which
    /// begins extension E at U+2B920 and not at U+2B820.
    fileprivate var isHan: Bool {
        switch value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }
}
