package import Raster

/// Role of a printed line of a spine.
package enum LineRole: String, Sendable, Codable, CaseIterable {
    case title
    case author
    case publisher
    /// A series' name or a volume's number.
    case series
    /// A library's call number, stuck on.
    case sticker
    case other
}

/// One printed line of a spine, as far as somebody labelled it.
package struct LabelledLine: Sendable, Equatable, Codable {
    /// As printed.
    package var text: String
    package var role: LineRole?
    /// The box around the ink, in the picture's pixels; corners as a reader of the text sees them, from the top left.
    package var quad: Quad?
    /// The font family that it was drawn with.
    package var font: String?
    /// The font size in pixels.
    package var size: Double?

    package init(
        text: String,
        role: LineRole? = nil,
        quad: Quad? = nil,
        font: String? = nil,
        size: Double? = nil
    ) {
        self.text = text
        self.role = role
        self.quad = quad
        self.font = font
        self.size = size
    }
}
