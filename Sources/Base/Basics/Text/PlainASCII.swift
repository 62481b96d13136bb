/// Which texts in UTF-8 can be compared byte by byte.
enum PlainASCII {
    /// Whether `text` is ASCII, each byte is a grapheme, and `view` leaves it as it is.
    ///
    /// - Precondition: `view` is not the folded one.
    @inline(__always)
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>, in view: TextView) -> Bool {
        view == .raw ? isWithoutReturns(text) : isTidy(text)
    }

    /// Whether all of it is ASCII without carriage returns: one with a line feed after it is one grapheme with that.
    private static func isWithoutReturns(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    }

    /// Whether all of it is ASCII from the space on, with single spaces, and none at the ends.
    private static func isTidy(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return true }
        guard first != 0x20, last != 0x20 else { return false }
        guard text.count >= 8 else {
            return text.indices.allSatisfy {
                text[$0] < 0x80 && (text[$0] > 0x20 || text[$0] == 0x20 && text[$0 + 1] != 0x20)
            }
        }
        // Eight bytes at a time; in each byte of the masks, the top bit speaks for it.
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
            // The rest, together with some bytes before it that are looked at already.
            spaceBefore = 0
            check(text.count - 8)
        }
        return untidy == 0
    }
}

/// Texts whose scalars are all graphemes of their own and in form NFC whatever stands beside them.
enum LoneScalars {
    /// Puts the scalars of `text` in `view` into `values`, which has room for as many as the text has bytes; returns how
    /// many there are, or nil when one of them may be part of a longer grapheme or change under NFC.
    ///
    /// - Precondition: `view` is not the folded one.
    static func read(_ text: String, in view: TextView, into values: UnsafeMutableBufferPointer<UInt32>) -> Int? {
        var count = 0
        var isGap = false
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if value <= 0x20 || value > 0x7E {
                if view == .nfc, isWhitespace(value) {
                    isGap = true
                    continue
                }
                guard isLone(value) else { return nil }
            }
            if isGap, count > 0 {
                values.initializeElement(at: count, to: 0x20)
                count += 1
            }
            isGap = false
            values.initializeElement(at: count, to: value)
            count += 1
        }
        return count
    }

    /// Whether a scalar has the property White_Space (Unicode 17, PropList.txt).
    private static func isWhitespace(_ value: UInt32) -> Bool {
        switch value {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether a scalar is a grapheme of its own beside any other such scalar, and composes with none of them.
    ///
    /// Not all that are, but most of what is printed on spines without combining marks. Each has NFC_Quick_Check=Yes, and
    /// a Grapheme_Cluster_Break that does not join with that of another one here. A carriage return is none, because of
    /// the line feed that may follow it.
    static func isLone(_ value: UInt32) -> Bool {
        switch value {
        case 0x00...0x0C, 0x0E...0x2FF: true  // ASCII, Latin-1, Latin Extended-A and -B, phonetic letters
        case 0x388...0x3FF: true  // Greek
        case 0x400...0x482, 0x48A...0x52F: true  // Cyrillic
        case 0x1E00...0x1EFF: true  // Latin Extended Additional
        case 0x2010...0x2027, 0x2030...0x205E: true  // dashes, quotation marks, bullets, ellipsis
        case 0x20A0...0x20BF, 0x2116, 0x2122: true  // currency, numero, trade mark
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FE: true  // CJK punctuation, Hiragana, Katakana
        case 0x4E00...0x9FFF: true  // CJK Unified Ideographs
        case 0xAC00...0xD7A3: true  // Hangul syllables
        case 0xFF01...0xFF9D: true  // full-width and half-width forms
        default: false
        }
    }
}
