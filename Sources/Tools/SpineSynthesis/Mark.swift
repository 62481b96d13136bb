import Imaging

/// A shape without text on a cover: a band, a panel, an ornament, a part of an illustration or of a publisher's device.
package struct Mark: Sendable, Equatable, Codable {
    /// Shape of a mark; `Mark.outline` draws it.
    package enum Shape: String, Sendable, Codable, CaseIterable {
        // Plain areas and lines.
        case box, roundedBox, ellipse, ring, lozenge, triangle, slope
        // Rows that repeat along their longer side.
        case zigzag, waves, dots, diamonds, vine
        // Ornaments and devices.
        case fleuron, leaf, star, sun, crescent, flower, crown, tree, bird, book, sail, key
        // Parts of scenes.
        case hills, peaks, towers, cloud, stripes
    }

    package var shape: Shape
    /// Position of its centre, from the head (0) to the foot (1) and from the left edge (0) to the right one (1).
    package var along: Double
    package var across: Double
    /// Width before rotation, as a share of the spine's thickness.
    package var width: Double
    package var height: Double
    /// Clockwise, in radians.
    package var turn: Double = 0
    package var colour: Colour
    package var opacity: Double = 1
    /// Line width of an outlined shape, as a share of the thickness; nil for a filled one.
    package var lineWidth: Double?

    /// Whether it hides everything within its bounds.
    var isArea: Bool { (shape == .box || shape == .roundedBox) && lineWidth == nil && opacity == 1 && turn == 0 }
}

extension Mark {
    /// Creates a filled mark in the middle of a spine's thickness.
    init(_ shape: Shape, along: Double, width: Double = 1.02, height: Double, _ colour: Colour) {
        self.init(shape: shape, along: along, across: 0.5, width: width, height: height, colour: colour)
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
