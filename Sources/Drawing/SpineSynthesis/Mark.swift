import Raster

/// A shape without text on a cover: a band, a panel, an ornament, a part of an illustration or of a publisher's device.
package struct Mark: Sendable, Equatable, Codable {
    /// Shape of a mark; `Mark.outline` draws it.
    package enum Shape: String, Sendable, Codable, CaseIterable {
        // Plain areas and lines.
        case box
        case roundedBox
        case ellipse
        case ring
        case lozenge
        case triangle
        case slope
        // Rows that repeat along their longer side.
        case zigzag
        case waves
        case dots
        case diamonds
        case vine
        // Ornaments and devices.
        case fleuron
        case leaf
        case star
        case sun
        case crescent
        case flower
        case crown
        case tree
        case bird
        case book
        case sail
        case key
        // Parts of scenes.
        case hills
        case peaks
        case towers
        case cloud
        case stripes
    }

    package var shape: Shape
    /// Where its centre lies, from the head (0) to the foot (1) and from the left edge (0) to the right one (1).
    package var along: Double
    package var across: Double
    /// Its size before it is turned, as shares of the spine's thickness.
    package var width: Double
    package var height: Double
    /// Clockwise, in radians.
    package var turn: Double = 0
    package var colour: Colour
    package var opacity: Double = 1
    /// For a shape that is drawn as a line: its width, as a share of the thickness; nil for a filled one.
    package var lineWidth: Double?

    /// Whether it hides all that lies under its bounds.
    var isArea: Bool {
        (shape == .box || shape == .roundedBox) && lineWidth == nil && opacity == 1 && turn == 0
    }
}

/// A part of a closed figure.
enum PathStep: Equatable {
    case move(Point)
    case line(Point)
    /// A cubic Bézier curve: its two control points and its end.
    case curve(Point, Point, Point)
    case ellipse(Box)
    case close
}
