import Foundation

/// What the letters of the Latin script beyond ASCII fold to; empty for what is no letter.
enum LatinFolding {
    /// Of every scalar below U+0250.
    static let table = (0..<0x250).map(folded)
    /// Of U+1E00..<U+1F00.
    static let additional = (0x1E00..<0x1F00).map(folded)

    /// Letters whose mark is part of them, which Unicode does not take apart.
    private static let undecomposed: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "ħ": "h", "ŧ": "t", "ŋ": "n", "ĸ": "k", "ŀ": "l", "ŉ": "n", "ƒ": "f", "ƀ": "b", "ɨ": "i", "ª": "a", "º": "o",
    ]

    private static func folded(_ value: Int) -> [UInt8] {
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return [] }
        let lower = scalar.properties.lowercaseMapping
        if let first = lower.unicodeScalars.first, let letters = undecomposed[first] { return Array(letters.utf8) }
        let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        guard isWord else { return [] }
        return lower.decomposedStringWithCompatibilityMapping.unicodeScalars
            .filter {
                $0.properties.generalCategory != .nonspacingMark && $0.properties.isAlphabetic || $0.value < 0x80
            }
            .flatMap { Array(String($0).utf8) }
    }
}
