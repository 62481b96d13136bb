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
