import Basics

/// Equal part of a run or of a dataset's pictures, such as the second of seven: `2/7`.
///
/// Its samples depend on the names of their groups and on the number of parts alone: not on the order of the labels,
/// the machine or the version. Samples of one group, such as a photo, are always in one part.
package struct Part: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Number from 1 to ``count``.
    package let number: Int
    package let count: Int

    /// Creates the part; nil unless the number is in 1…count.
    package init?(number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= Self.most else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Parses the text `2/7`, in digits without signs and blanks; nil for any other.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,9})\/([0-9]{1,9})/), let number = Int(match.1),
            let count = Int(match.2)
        else { return nil }
        self.init(number: number, of: count)
    }

    private static let most = 1_000_000

    package var description: String { "\(number)/\(count)" }

    package static func all(of count: Int) -> [Part] { (1...max(1, count)).compactMap { Part(number: $0, of: count) } }

    // MARK: Membership

    /// Returns the number of the part that a group belongs to.
    ///
    /// The first eight bytes of the SHA-256 of its name in UTF-8, as a whole number with the highest byte first,
    /// modulo the number of parts, plus 1: `printf %s photo-12 | sha256sum` shows it.
    package static func number(ofGroup name: String, count: Int) -> Int {
        Int(SHA256.first64(of: name) % UInt64(count)) + 1
    }

    package func holds(group name: String) -> Bool { Self.number(ofGroup: name, count: count) == number }

    package func holds(_ sample: Sample) -> Bool { holds(group: sample.indivisibleGroup) }

    // MARK: In JSON, as [2, 7]

    package init(from decoder: any Decoder) throws {
        let numbers = try [Int](from: decoder)
        guard numbers.count == 2, let part = Part(number: numbers[0], of: numbers[1]) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "invalid part \(numbers): expected [2, 7]")
            )
        }
        self = part
    }

    package func encode(to encoder: any Encoder) throws { try [number, count].encode(to: encoder) }
}

extension Sample {
    /// Group that is in one part as a whole: the photo that it was cut from, or, without one, the sample itself.
    package var indivisibleGroup: String { group ?? id }
}
