public import Foundation

/// Draft of a book: what a spine's reading said, before it is known which book it is (S0-T03).
public struct Draft: Sendable, Equatable, Codable, Identifiable {
    /// Given by whoever scans; adding the same one twice changes nothing.
    public var id: UUID
    /// As they were read, in reading order.
    public var lines: [String]
    /// Of the reading, 0…1.
    public var confidence: Double?
    /// When the spine was read.
    public var createdAt: Date
    /// The photo or the frame that it was read from.
    public var source: String?
    /// The engine that read it.
    public var tier: LibraryBook.Tier
    /// Identifier of the picture, such as a digest of its file; nil for a frame.
    ///
    /// A picture has one open draft.
    public var picture: String?

    /// - Parameters:
    ///   - id: a new one for a new reading.
    ///   - lines: as they were read.
    ///   - confidence: of the reading, 0…1.
    ///   - createdAt: when the spine was read.
    ///   - source: the photo or the frame.
    ///   - tier: the engine that read it.
    ///   - picture: what tells the picture from others.
    public init(
        id: UUID = UUID(),
        lines: [String],
        confidence: Double? = nil,
        createdAt: Date,
        source: String? = nil,
        tier: LibraryBook.Tier = .fast,
        picture: String? = nil
    ) {
        self.id = id
        self.lines = lines
        self.confidence = confidence
        self.createdAt = createdAt
        self.source = source
        self.tier = tier
        self.picture = picture
    }
}
