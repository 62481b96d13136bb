import Foundation

/// Three characters in a row of a word's shape, the word's ends among them, as a number below ``count``.
enum Gram {
    /// Number of grams.
    ///
    /// Characters have six bits: letters and digits their own, the bytes of other scripts share the rest.
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

    private static let symbols = {
        var symbols = (0...255).map { UInt8(37 + $0 % 27) }
        for (symbol, byte) in " abcdefghijklmnopqrstuvwxyz0123456789".utf8.enumerated() {
            symbols[Int(byte)] = UInt8(symbol)
        }
        return symbols
    }()
}

/// Weight of a gram that a book has.
enum GramWeight {
    /// Returns the rarity of the gram: log2 of all books over those that have it.
    static func bits(books: Int, of all: Int) -> Double { log2(1 + Double(all) / Double(max(1, books))) }

    /// Returns a sum of bits in a byte, within two percent.
    static func level(_ sum: Float) -> UInt8 { UInt8(max(0, min(255, (log2(max(1, sum)) * 24).rounded()))) }

    /// Returns the sum of bits that a byte encodes.
    static func sum(_ level: UInt8) -> Float { exp2(Float(level) / 24) }
}

/// Weight of a word that a book has.
enum WordWeight {
    /// A catalogue of a few books does not know which words are rare: it is treated as if it were a part of one of
    /// this size.
    private static let smallestCatalogue = 2_000

    /// Returns the rarity of the word: log2 of all books over those that have it.
    static func bits(books: Double, of all: Int) -> Double {
        max(0, log2(Double(max(all, smallestCatalogue)) / max(1, books)))
    }
}

/// Numbers in seven-bit groups, the lowest first, as in Protocol Buffers' base-128 varints.
enum VariableLength {
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Returns the number at `index`, which moves behind it; nil at the end of the bytes.
    @inline(__always)
    static func read(_ bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.count, shift < 64 {
            let byte = bytes[index]
            index += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
