import Basics

/// Equal part of a run, such as the second of seven: `2/7`.
///
/// Its samples depend on the names of their groups and on the number of parts alone: not on the order of the labels,
/// the machine or the version. Samples of one group, such as a photo, are always in one shard.
package struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Number from 1 to ``count``.
    package let number: Int
    package let count: Int

    /// Creates the shard; nil unless the number is in 1…count.
    package init?(number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= Self.most else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Parses the text `2/7`, in digits without signs and blanks; nil for any other.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Self.whole(parts[0]), let count = Self.whole(parts[1]) else { return nil }
        self.init(number: number, of: count)
    }

    package static let most = 1_000_000

    private static func whole(_ text: Substring.UTF8View) -> Int? {
        text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(Substring(text)) : nil
    }

    package var description: String { "\(number)/\(count)" }

    package static func all(of count: Int) -> [Shard] {
        (1...max(1, count)).compactMap { Shard(number: $0, of: count) }
    }

    // MARK: Membership

    /// Returns the number of the shard that a group belongs to.
    ///
    /// The first eight bytes of the SHA-256 of its name in UTF-8, as a whole number with the highest byte first,
    /// modulo the number of shards, plus 1: `printf %s photo-12 | sha256sum` shows it.
    package static func number(ofGroup name: String, count: Int) -> Int {
        Int(SHA256.first64(of: name) % UInt64(count)) + 1
    }

    package func holds(group name: String) -> Bool { Self.number(ofGroup: name, count: count) == number }

    package func holds(_ sample: Sample) -> Bool { holds(group: sample.shardGroup) }

    // MARK: As text in JSON

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let shard = Shard(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "invalid shard \"\(text)\": expected i/n, such as 2/7"
            )
        }
        self = shard
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Sample {
    /// Indivisible group: the photo that it was cut from, or, without one, the sample itself.
    package var shardGroup: String { group ?? id }
}
