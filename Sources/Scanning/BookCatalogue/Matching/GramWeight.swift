import Foundation

/// What it says for a book that it has a gram.
enum GramWeight {
    /// How rare the gram is: log2 of all books over those that have it.
    static func bits(books: Int, of all: Int) -> Double { log2(1 + Double(all) / Double(max(1, books))) }

    /// A sum of bits in a byte, within two percent.
    static func level(_ sum: Float) -> UInt8 { UInt8(max(0, min(255, (log2(max(1, sum)) * 24).rounded()))) }

    /// The sum of bits that a byte stands for.
    static func sum(_ level: UInt8) -> Float { exp2(Float(level) / 24) }
}

/// What it says for a book that it has a word.
enum WordWeight {
    /// A catalogue of a few books does not know which words are rare: it is treated as if it were a part of one of this size.
    private static let smallestCatalogue = 2_000

    /// How rare the word is: log2 of all books over those that have it.
    static func bits(books: Double, of all: Int) -> Double {
        max(0, log2(Double(max(all, smallestCatalogue)) / max(1, books)))
    }
}
