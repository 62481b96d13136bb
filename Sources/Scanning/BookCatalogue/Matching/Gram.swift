/// Three characters in a row of a word's shape, the word's ends among them, as a number below ``count``.
enum Gram {
    /// Characters have six bits: letters and digits their own, the bytes of other scripts share what is left.
    static let count = 1 << 18

    /// Calls `body` with every gram of `shape`, whose words have one space between.
    @inline(__always)
    static func forEach(in shape: [UInt8], _ body: (Int) -> Void) {
        guard !shape.isEmpty else { return }
        symbols.withUnsafeBufferPointer { symbols in
            var first = 0
            var second = Int(symbols[Int(shape[0])])
            for byte in shape.dropFirst() {
                let third = Int(symbols[Int(byte)])
                if second != 0 { body(first << 12 | second << 6 | third) }
                (first, second) = (second, third)
            }
            if second != 0 { body(first << 12 | second << 6) }
        }
    }

    private static let symbols: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: " "): 0
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(byte) - UInt8(ascii: "a") + 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte) - UInt8(ascii: "0") + 27
        default: 37 + UInt8(byte) % 27
        }
    }
}
