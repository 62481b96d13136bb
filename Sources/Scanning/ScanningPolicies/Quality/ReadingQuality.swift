/// Quality of a model for what it may cost: three levels, and off below them (S3-15).
public enum ReadingQuality: String, Sendable, Codable, CaseIterable, Comparable, CodingKeyRepresentable {
    case high, medium, low

    /// The next lower one; nil when there is none, and all that is left is to do without.
    public func degrade() -> ReadingQuality? {
        switch self {
        case .high: .medium
        case .medium: .low
        case .low: nil
        }
    }

    /// The next higher one; nil when there is none.
    public func upgrade() -> ReadingQuality? {
        switch self {
        case .high: nil
        case .medium: .high
        case .low: .medium
        }
    }

    /// By what they give.
    public static func < (left: ReadingQuality, right: ReadingQuality) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }
}

/// Level of a reader of spines at a quality: accurate, then fast, then fast with a smaller picture and less often.
public struct ReadingLevel: Sendable, Hashable, Codable {
    /// Of the reader that works: "accurate" or "fast".
    public var tier: String
    /// Scale at which the picture is searched, beside the tier's own size, 0…1.
    public var inputScale: Double
    /// Frequency of its work, beside the highest quality.
    ///
    /// The documents have no table for readers, so that their percentages of device tiers hold: 25 % and 50 % less (K-16).
    public var frequencyShare: Double

    /// - Parameter quality: the one that is wanted.
    public init(_ quality: ReadingQuality) {
        switch quality {
        case .high: (tier, inputScale, frequencyShare) = ("accurate", 1, 1)
        case .medium: (tier, inputScale, frequencyShare) = ("fast", 1, 0.75)
        case .low: (tier, inputScale, frequencyShare) = ("fast", 0.75, 0.5)
        }
    }
}
