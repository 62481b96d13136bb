/// Settings of a ``SpineReader``: the looks that it takes, and its way with doubtful lines.
public struct SpineReaderConfiguration: Sendable, Hashable, Codable {
    /// When the further looks are taken.
    public enum FurtherLooks: String, Sendable, Codable, CaseIterable {
        /// When the first look found nothing sure, or a line that may have been misread.
        case whenUnsure = "when-unsure"
        /// On every spine.
        case always
    }

    /// Check of which way up the text stands.
    public enum OrientationCheck: String, Sendable, Codable, CaseIterable {
        /// Not at all: text is taken to run to the right, or downwards, as on an English spine.
        case none
        /// The longest line is read the other way up as well when its reading is in doubt.
        case longestLine = "longest-line"
        /// The longest line is read both ways up, in doubt or not.
        case bothWays = "both-ways"
        /// The classifier looks at the longest line.
        case classifier
    }

    /// Taken on every spine.
    public var firstLook: Look
    /// Taken one after the other, each merged with what the earlier ones read.
    public var furtherLooks: [Look]
    /// On which spines the further looks are taken.
    public var furtherLooksWhen: FurtherLooks
    /// Check of which way up the text stands, for each direction of lines in each look.
    public var orientation: OrientationCheck
    /// A line below this confidence is left out of the reading, 0…1.
    public var minimumConfidence: Double
    /// A line of three characters and more is sure at this confidence, 0…1.
    public var sureConfidence: Double

    /// A configuration; by default one look and nothing more.
    public init(
        firstLook: Look,
        furtherLooks: [Look] = [],
        furtherLooksWhen: FurtherLooks = .whenUnsure,
        orientation: OrientationCheck = .longestLine,
        minimumConfidence: Double = 0.5,
        sureConfidence: Double = 0.9
    ) {
        self.firstLook = firstLook
        self.furtherLooks = furtherLooks
        self.furtherLooksWhen = furtherLooksWhen
        self.orientation = orientation
        self.minimumConfidence = minimumConfidence
        self.sureConfidence = sureConfidence
    }
}

/// One way of searching a spine for text.
public struct Look: Sendable, Hashable, Codable {
    /// Which way the crop is turned before it is searched.
    public enum Frame: String, Sendable, Codable {
        /// So that its long side is horizontal: text along the spine lies level. Finds most titles.
        case turned
        /// So that its long side is vertical: text across the spine lies level. Finds stacked words and letters.
        case across
    }

    /// Which way the crop is turned.
    public var frame: Frame
    /// The crop's shorter side is scaled to this many pixels.
    public var shortSide: Int
    /// A longer crop is scaled down until its longer side has this many pixels.
    public var longSide: Int

    /// A look in one frame, at one size: see the properties.
    public init(frame: Frame, shortSide: Int, longSide: Int) {
        self.frame = frame
        self.shortSide = shortSide
        self.longSide = longSide
    }
}
