/// A word as a piece of a text in bytes or scalars, valid as long as that is.
struct UnitWord<Unit: FixedWidthInteger & UnsignedInteger>: Equatable {
    let units: UnsafeBufferPointer<Unit>
    /// FNV-1a over the units (Fowler, Noll and Vo; RFC 9923).
    let hash: UInt64

    static func == (a: UnitWord, b: UnitWord) -> Bool {
        a.hash == b.hash && a.units.elementsEqual(b.units)
    }

    /// Puts the words of `text`, which single spaces divide, into `words`; returns how many there are.
    static func divide(_ text: UnsafeBufferPointer<Unit>, into words: UnsafeMutableBufferPointer<UnitWord>) -> Int {
        var (count, start) = (0, 0)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for end in 0...text.count {
            if end < text.count, text[end] != 0x20 {
                hash = (hash ^ UInt64(text[end])) &* 0x100_0000_01B3
            } else {
                if end > start {
                    let units = UnsafeBufferPointer(rebasing: text[start..<end])
                    words.initializeElement(at: count, to: UnitWord(units: units, hash: hash))
                    count += 1
                }
                start = end + 1
                hash = 0xCBF2_9CE4_8422_2325
            }
        }
        return count
    }
}
