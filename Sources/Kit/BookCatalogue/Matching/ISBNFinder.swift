import Basics

/// Finds ISBNs in a text.
enum ISBNFinder {
    /// Returns the numbers with a right check digit in a text, each once, in order.
    ///
    /// Hyphens and single spaces may separate the digits; a number does not begin or end inside a group of digits.
    static func numbers(in text: String) -> [ISBN] {
        var found: [ISBN] = []
        for run in text.utf8.split(whereSeparator: { !"0123456789Xx- ".utf8.contains($0) }) where run.count >= 10 {
            // Between two separators is an empty group.
            let groups = run.split(omittingEmptySubsequences: false) { "- ".utf8.contains($0) }
            for start in groups.indices {
                var digits: [UInt8] = []
                for group in groups[start...] {
                    digits += group
                    guard !group.isEmpty, digits.count <= 13 else { break }
                    if digits.count == 10 || digits.count == 13,
                        let isbn = ISBN(String(decoding: digits, as: UTF8.self)), !found.contains(isbn)
                    {
                        found.append(isbn)
                    }
                }
            }
        }
        return found
    }
}

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
