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
