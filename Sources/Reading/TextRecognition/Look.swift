/// One way of searching a spine for text.
public struct Look: Sendable, Hashable, Codable {
    /// Which way the crop is turned before it is searched.
    public enum Frame: String, Sendable, Codable {
        /// So that its long side is horizontal: text along the spine lies level. Finds most titles.
        case turned
        /// So that its long side is vertical: text across the spine lies level.
        ///
        /// Finds stacked words and letters.
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
