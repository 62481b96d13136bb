/// A label that somebody stuck on the spine: a library's call number, a genre, a bar code.
package struct Sticker: Sendable, Equatable, Codable {
    /// Area that it hides, head (0) to foot (1) and left edge (0) to right edge (1).
    package var along: ClosedRange<Double>
    package var across: ClosedRange<Double>
    package var colour: Colour
    /// About its middle, clockwise, in radians: labels are stuck on by hand.
    package var turn: Double
    /// Under a strip of clear tape that is wider than the label.
    package var taped: Bool
    /// Stripes, pictures and bars on it.
    package var marks: [Mark]
    /// Blocks that are printed on it; each has the role `.sticker`.
    package var blocks: [TextBlock]
}

extension Sticker {
    /// A line that a sticker hides more of than this share is not labelled: it cannot be read.
    static let hidingShare = 0.3
}
