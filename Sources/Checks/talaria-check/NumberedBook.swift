import BookCatalogue
import Foundation

/// A made-up book for each number; no two are alike.
struct NumberedBook {
    let title: String
    let author: String

    init(_ number: Int) {
        var random = SpineRandom(seed: UInt64(number) + 0x5eed)
        func word() -> String {
            let syllables = (0..<4).map { _ -> String in
                let consonant = Array("bcdfghjklmnprstvwz").randomElement(using: &random) ?? "b"
                let vowel = Array("aeiou").randomElement(using: &random) ?? "a"
                return "\(consonant)\(vowel)"
            }
            return syllables.joined().capitalized
        }
        title = "\(word()) \(word())"
        author = "\(word()) \(word())"
    }

    var record: BookRecord { BookRecord(title: title, authors: [author]) }
}
