/// Stage of the server's work on a photo; words that are not among these are kept.
public struct ScanStage: RawRepresentable, Sendable, Hashable, Codable {
    /// The word on the wire.
    public let rawValue: String

    /// The stage of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Looking for spines.
    public static let analyzingImage = ScanStage(rawValue: "analyzing_image")
    /// Reading them.
    public static let identifyingBooks = ScanStage(rawValue: "identifying_books")
    /// Looking the books up.
    public static let enrichingMetadata = ScanStage(rawValue: "enriching_metadata")
    /// Done.
    public static let complete = ScanStage(rawValue: "complete")
}
