/// How a ``SpineReader`` reads: which looks it takes, and what it makes of doubtful lines.
public struct SpineReaderConfiguration: Sendable, Hashable, Codable {
    /// When the further looks are taken.
    public enum FurtherLooks: String, Sendable, Codable {
        /// When the first look found nothing sure, or a line that may have been misread.
        case whenUnsure = "when-unsure"
        /// On every spine.
        case always
    }

    /// Taken on every spine.
    public var firstLook: Look
    /// Taken one after the other, each merged with what the earlier ones read.
    public var furtherLooks: [Look]
    public var furtherLooksWhen: FurtherLooks
    /// Whether wide gaps inside a line are searched for small words.
    public var searchesGaps: Bool
    /// A line below this confidence is left out of the reading, 0…1.
    public var minimumConfidence: Double
    /// A line of three characters and more is sure at this confidence, 0…1.
    public var sureConfidence: Double

    public init(
        firstLook: Look,
        furtherLooks: [Look] = [],
        furtherLooksWhen: FurtherLooks = .whenUnsure,
        searchesGaps: Bool = false,
        minimumConfidence: Double = 0.5,
        sureConfidence: Double = 0.9
    ) {
        self.firstLook = firstLook
        self.furtherLooks = furtherLooks
        self.furtherLooksWhen = furtherLooksWhen
        self.searchesGaps = searchesGaps
        self.minimumConfidence = minimumConfidence
        self.sureConfidence = sureConfidence
    }
}
