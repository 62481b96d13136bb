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
    /// On which spines the further looks are taken.
    public var furtherLooksWhen: FurtherLooks
    /// How many wide gaps of a line are searched for small words, the widest first; 0 searches none.
    public var gapsSearched: Int
    /// A line below this confidence is left out of the reading, 0…1.
    public var minimumConfidence: Double
    /// A line of three characters and more is sure at this confidence, 0…1.
    public var sureConfidence: Double

    /// A configuration; by default one look and nothing more.
    public init(
        firstLook: Look,
        furtherLooks: [Look] = [],
        furtherLooksWhen: FurtherLooks = .whenUnsure,
        gapsSearched: Int = 0,
        minimumConfidence: Double = 0.5,
        sureConfidence: Double = 0.9
    ) {
        self.firstLook = firstLook
        self.furtherLooks = furtherLooks
        self.furtherLooksWhen = furtherLooksWhen
        self.gapsSearched = gapsSearched
        self.minimumConfidence = minimumConfidence
        self.sureConfidence = sureConfidence
    }
}
