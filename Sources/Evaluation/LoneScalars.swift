/// A text whose scalars are all graphemes of their own and in form NFC whatever stands beside them.
struct LoneScalars {
    /// The scalars' values.
    private let values: [UInt32]

    /// Takes the scalars of `text` in `view`; nil when one of them may be part of a longer grapheme or change under NFC.
    ///
    /// - Precondition: `view` is not the folded one.
    init?(_ text: String, in view: TextView) {
        var values: [UInt32] = []
        values.reserveCapacity(text.utf8.count)
        var isGap = false
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if view == .nfc, Self.isWhitespace(value) {
                isGap = true
            } else if Self.isLone(value) {
                if isGap, !values.isEmpty { values.append(0x20) }
                isGap = false
                values.append(value)
            } else {
                return nil
            }
        }
        self.values = values
    }

    /// Hands both texts to `body`, with a number for each grapheme.
    ///
    /// Those of this text count from 1; what occurs in `other` alone is 0, as it matches nothing.
    func withCodes<Result>(_ other: LoneScalars, _ body: (CodePair<UInt32>) -> Result) -> Result {
        // An open hash table, at most half full.
        var slots = 16
        while slots < 2 * values.count { slots *= 2 }
        let spread = UInt32(truncatingIfNeeded: slots.leadingZeroBitCount - (Int.bitWidth - UInt32.bitWidth) + 1)
        return withUnsafeTemporaryAllocation(of: (value: UInt32, code: UInt32).self, capacity: slots) { table in
            table.initialize(repeating: (0, 0))
            func slot(of value: UInt32) -> Int {
                // Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4.
                var slot = Int((value &* 2_654_435_769) &>> spread)
                while table[slot].code != 0, table[slot].value != value { slot = (slot + 1) & (slots - 1) }
                return slot
            }
            return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: values.count + other.values.count) {
                codes in
                var count: UInt32 = 0
                for (place, value) in values.enumerated() {
                    let slot = slot(of: value)
                    if table[slot].code == 0 {
                        count += 1
                        table[slot] = (value, count)
                    }
                    codes.initializeElement(at: place, to: table[slot].code)
                }
                for (place, value) in other.values.enumerated() {
                    codes.initializeElement(at: values.count + place, to: table[slot(of: value)].code)
                }
                let a = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[..<values.count])
                let b = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[values.count...])
                return body(CodePair(a, b, alphabet: Int(count) + 1))
            }
        }
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
