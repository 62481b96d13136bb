import Foundation

/// Weight of a gram that a book has.
enum GramWeight {
    /// Rarity of the gram: log2 of all books over those that have it.
    static func bits(books: Int, of all: Int) -> Double { log2(1 + Double(all) / Double(max(1, books))) }

    /// A sum of bits in a byte, within two percent.
    static func level(_ sum: Float) -> UInt8 { UInt8(max(0, min(255, (log2(max(1, sum)) * 24).rounded()))) }

    /// The sum of bits that a byte stands for.
    static func sum(_ level: UInt8) -> Float { exp2(Float(level) / 24) }
}

/// Weight of a word that a book has.
enum WordWeight {
    /// A catalogue of a few books does not know which words are rare: it is treated as if it were a part of one of this size.
    private static let smallestCatalogue = 2_000

    /// Rarity of the word: log2 of all books over those that have it.
    static func bits(books: Double, of all: Int) -> Double {
        max(0, log2(Double(max(all, smallestCatalogue)) / max(1, books)))
    }
}
