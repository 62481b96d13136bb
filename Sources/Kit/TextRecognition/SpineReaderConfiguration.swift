/// Settings of a ``SpineReader``: its passes, and its handling of doubtful lines.
public struct SpineReaderConfiguration: Sendable, Hashable, Codable {
    /// The condition for further passes.
    public enum FurtherLooks: String, Sendable, Codable, CaseIterable {
        /// Only if the first pass found nothing sure, or a line that may have been misread.
        case whenUnsure = "when-unsure"
        /// Every spine.
        case always
    }

    /// The check of the text's orientation.
    public enum OrientationCheck: String, Sendable, Codable, CaseIterable {
        /// No check: text is assumed to run to the right, or downwards, as on an English spine.
        case none
        /// The longest line is read the other way up as well when its reading is in doubt.
        case longestLine = "longest-line"
        /// The longest line is read both ways up, in doubt or not.
        case bothWays = "both-ways"
        /// The classifier checks the longest line.
        case classifier
    }

    /// Taken on every spine.
    public var firstLook: Look
    /// Further passes, one after the other, each merged with the earlier readings.
    public var furtherLooks: [Look]
    /// Condition for further passes.
    public var furtherLooksWhen: FurtherLooks
    /// Check of the text's orientation, for each direction of lines in each pass.
    public var orientation: OrientationCheck
    /// Minimum confidence of a line in the reading, 0…1.
    public var minimumConfidence: Double
    /// A line of three characters and more is sure at this confidence, 0…1.
    public var sureConfidence: Double

    /// Creates a configuration; by default with one pass alone.
    public init(
        firstLook: Look,
        furtherLooks: [Look] = [],
        furtherLooksWhen: FurtherLooks = .whenUnsure,
        orientation: OrientationCheck = .longestLine,
        minimumConfidence: Double = 0.5,
        sureConfidence: Double = 0.9
    ) {
        (self.firstLook, self.furtherLooks) = (firstLook, furtherLooks)
        (self.furtherLooksWhen, self.orientation) = (furtherLooksWhen, orientation)
        (self.minimumConfidence, self.sureConfidence) = (minimumConfidence, sureConfidence)
    }
}

/// One way of searching a spine for text.
public struct Look: Sendable, Hashable, Codable {
    /// The rotation of the crop before the search.
    public enum Frame: String, Sendable, Codable {
        /// Long side horizontal: text along the spine is level. Finds most titles.
        case turned
        /// Long side vertical: text across the spine is level. Finds stacked words and letters.
        case across
    }

    /// Rotation of the crop.
    public var frame: Frame
    /// The crop's shorter side is scaled to this many pixels.
    public var shortSide: Int
    /// A longer crop is scaled down until its longer side has this many pixels.
    public var longSide: Int

    /// Creates a pass in one frame, at one size: see the properties.
    public init(frame: Frame, shortSide: Int, longSide: Int) {
        (self.frame, self.shortSide, self.longSide) = (frame, shortSide, longSide)
    }
}
