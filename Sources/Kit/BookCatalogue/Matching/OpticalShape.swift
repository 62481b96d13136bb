/// Words by their appearance rather than their spelling: characters that readers confuse become one.
///
/// 0 and o, 1 and l and i, 5 and s, rn and m, cl and d, vv and w.
enum OpticalShape {
    /// Returns the shapes of folded words, with the same spaces between them.
    static func of(_ folded: some Collection<UInt8>) -> [UInt8] {
        var shape: [UInt8] = []
        shape.reserveCapacity(folded.count)
        append(folded, to: &shape)
        return shape
    }

    /// Appends the shapes of folded words to others.
    static func append(_ folded: some Collection<UInt8>, to shape: inout [UInt8]) {
        var previous: UInt8 = 0
        for byte in folded {
            let joined: UInt8? =
                switch (previous, byte) {
                case (UInt8(ascii: "r"), UInt8(ascii: "n")): UInt8(ascii: "m")
                case (UInt8(ascii: "v"), UInt8(ascii: "v")): UInt8(ascii: "w")
                case (UInt8(ascii: "c"), UInt8(ascii: "l")): UInt8(ascii: "d")
                default: nil
                }
            if let joined { shape[shape.count - 1] = joined } else { shape.append(single[Int(byte)]) }
            previous = joined == nil ? byte : 0
        }
    }

    private static let single = {
        var single = [UInt8](0...255)
        for (byte, shape) in zip("0l15".utf8, "oiis".utf8) { single[Int(byte)] = shape }
        return single
    }()
}
