/// Words as they look rather than as they are spelled: characters that readers take for one another become one.
///
/// 0 and o, 1 and l and i, 5 and s, rn and m, cl and d, vv and w.
enum OpticalShape {
    /// The shapes of folded words, with the same spaces between them.
    static func of(_ folded: some Collection<UInt8>) -> [UInt8] {
        var shape: [UInt8] = []
        shape.reserveCapacity(folded.count)
        append(folded, to: &shape)
        return shape
    }

    /// Appends the shapes of folded words to others.
    static func append(_ folded: some Collection<UInt8>, to shape: inout [UInt8]) {
        let start = shape.count
        var previous: UInt8 = 0
        for byte in folded {
            let last = shape.count - 1
            switch (previous, byte) {
            case (UInt8(ascii: "r"), UInt8(ascii: "n")) where last >= start: shape[last] = UInt8(ascii: "m")
            case (UInt8(ascii: "v"), UInt8(ascii: "v")) where last >= start: shape[last] = UInt8(ascii: "w")
            case (UInt8(ascii: "c"), UInt8(ascii: "l")) where last >= start: shape[last] = UInt8(ascii: "d")
            default:
                shape.append(single[Int(byte)])
                previous = byte
                continue
            }
            previous = 0
        }
    }

    private static let single: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "l"): UInt8(ascii: "i")
        case UInt8(ascii: "5"): UInt8(ascii: "s")
        default: UInt8(byte)
        }
    }
}
