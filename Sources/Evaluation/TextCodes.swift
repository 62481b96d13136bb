/// Texts as numbers, one for each grapheme or each word, equal where those are canonically equivalent.
///
/// Dividing a text into graphemes costs far more than comparing it with another. Most lines need no dividing: in plain
/// ASCII each byte is a grapheme, and in most scripts each scalar is one (`LoneScalars`).
enum TextCodes {
    /// Hands two texts in `view` to `bytes` or to `codes`.
    static func withCodes<Result>(
        of a: String,
        _ b: String,
        in view: TextView,
        bytes: (CodePair<UInt8>) -> Result,
        codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        if view == .folded {
            return withCodes(of: view.apply(to: a), view.apply(to: b), in: .raw, bytes: bytes, codes: codes)
        }
        let result = withTidyASCII(a, view) { a in
            withTidyASCII(b, view) { b in bytes(CodePair(a, b, alphabet: 128)) }
        }
        if let result = result ?? nil { return result }
        if let a = LoneScalars(a, in: view), let b = LoneScalars(b, in: view) { return a.withCodes(b, codes) }
        return CodePair.withCodes(of: Array(view.apply(to: a)), Array(view.apply(to: b)), codes)
    }

    /// Hands the words of two texts in `view` to `codes`.
    static func withWordCodes<Result>(
        of a: String,
        _ b: String,
        in view: TextView,
        _ codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        if view == .folded { return withWordCodes(of: view.apply(to: a), view.apply(to: b), in: .raw, codes) }
        // Where there are single spaces only, it does not matter whether the view would have made them so.
        let result = withTidyASCII(a, .nfc) { a in
            withTidyASCII(b, .nfc) { b in CodePair.withCodes(of: asciiWords(a), asciiWords(b), codes) }
        }
        if let result = result ?? nil { return result }
        func words(_ text: String) -> [Substring] { view.apply(to: text).split(whereSeparator: \.isWhitespace) }
        return CodePair.withCodes(of: words(a), words(b), codes)
    }

    /// The words of a tidy text.
    private static func asciiWords(_ text: UnsafeBufferPointer<UInt8>) -> [ASCIIWord] {
        var words: [ASCIIWord] = []
        var start = 0
        for end in 0...text.count where end == text.count || text[end] == 0x20 {
            let word = UnsafeBufferPointer(rebasing: text[start..<end])
            if !word.isEmpty { words.append(ASCIIWord(bytes: UnsafeRawBufferPointer(word))) }
            start = end + 1
        }
        return words
    }

    /// A word of a text that is not touched as long as its words are used.
    private struct ASCIIWord: Hashable {
        let bytes: UnsafeRawBufferPointer

        static func == (a: ASCIIWord, b: ASCIIWord) -> Bool { a.bytes.elementsEqual(b.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
    }

    /// Hands the bytes of `text` to `body` when they are ASCII, each is a grapheme, and `view` leaves them as they are;
    /// otherwise nil.
    @inline(__always)
    private static func withTidyASCII<Result>(
        _ text: String,
        _ view: TextView,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            (view == .raw ? isASCIIWithoutReturns(bytes) : isTidyASCII(bytes)) ? body(bytes) : nil
        } ?? nil
    }

    /// Whether all of it is ASCII without carriage returns: one with a line feed after it is one grapheme with that.
    private static func isASCIIWithoutReturns(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    }

    /// Whether all of it is ASCII from the space on, with single spaces, and none at the ends.
    ///
    /// Eight bytes at a time: in each byte of the masks, the top bit speaks for it.
    static func isTidyASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return true }
        guard first != 0x20, last != 0x20 else { return false }
        guard text.count >= 8 else {
            return text.indices.allSatisfy {
                text[$0] < 0x80 && (text[$0] > 0x20 || text[$0] == 0x20 && text[$0 + 1] != 0x20)
            }
        }
        let bytes = UnsafeRawBufferPointer(text)
        let tops: UInt64 = 0x8080_8080_8080_8080
        var (untidy, spaceBefore) = (UInt64(0), UInt64(0))
        @inline(__always) func check(_ offset: Int) {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // Neither sum carries into the next byte as long as the text is ASCII; if it is not, that alone decides.
            let fromSpaceOn = word &+ 0x6060_6060_6060_6060
            let spaces = ~((word ^ 0x2020_2020_2020_2020) &+ 0x7F7F_7F7F_7F7F_7F7F) & tops
            untidy |= (word | ~fromSpaceOn) & tops | spaces & (spaces &<< 8 | spaceBefore)
            spaceBefore = spaces &>> 56
        }
        var offset = 0
        while offset + 8 <= text.count {
            check(offset)
            offset += 8
        }
        if offset < text.count {
            // The rest, with some bytes again: those before it are looked at already.
            spaceBefore = 0
            check(text.count - 8)
        }
        return untidy == 0
    }
}
