import Imaging
package import SpineDatasets

/// Everything that decides how one spine looks: resolved, so that rendering it twice gives the same bytes.
///
/// The spine is upright, `thickness` pixels wide and `length` pixels high, head up. Positions are fractions of it:
/// `along` runs from the head (0) to the foot (1), `across` from its left edge (0) to its right edge (1).
package struct SpineSpecification: Sendable, Equatable, Codable {
    /// Pose of the book on the shelf.
    package enum Pose: String, Sendable, Codable {
        case standing
        /// Head down: everything on the spine is turned by 180°.
        case upsideDown
        /// Placed on its back cover: the spine is turned by 90° counter-clockwise, so that text running down it reads
        /// upright.
        case lying
    }

    /// Width of the upright spine in pixels, 20…600.
    package var thickness: Int
    /// Height of the upright spine in pixels, 60…4000.
    package var length: Int
    package var pose: Pose
    package var cover: Cover
    /// Blocks that are printed, in reading order.
    package var blocks: [TextBlock]
    /// Stickers over the print.
    package var stickers: [Sticker] = []
    package var camera: CameraSpecification
    /// Style that makes the spine hard to read, in a word: "plain", "foil", "letterStack", "sticker".
    package var style: String = "plain"
    /// Difficulty as far as it is known without a picture.
    ///
    /// "contrast" is that of the title's ink with its background, 1…21, where it is lowest (WCAG 2.2); "titleSize"
    /// the title's font size as a share of the thickness.
    package var difficulty: [String: Double] = [:]
    /// The smallest font size of a title or an author in pixels; nil when it is not known.
    package var smallestLetters: Double?
    /// Seed of details without parameters: the grain of the cover, scratches, sensor noise.
    package var grainSeed: UInt64

    /// Returns the same spine drawn `scale` times as large.
    func enlarged(by scale: Double) -> SpineSpecification {
        var result = self
        result.thickness = Int((Double(thickness) * scale).rounded())
        result.length = Int((Double(length) * scale).rounded())
        result.smallestLetters = smallestLetters.map { $0 * scale }
        return result
    }

    /// The direction that the title runs in the image, or the first text when there is no title; nil without any text.
    package var orientation: SampleOrientation? {
        let leading = blocks.first { $0.role == .title } ?? blocks.first
        return leading?.direction.seen(in: pose)
    }
}

/// The places of a spine in its flat picture, which has `margin` pixels around it on each side.
extension SpineSpecification {
    /// Returns the spine, its corners in the order in which the photograph shows them.
    func outline(margin: Double) -> Quad {
        shown(Quad(x: margin, y: margin, width: Double(thickness), height: Double(length)).corners)
    }

    /// Returns the frame that the camera sees, clockwise from the photograph's top left.
    func frame(margin: Double) -> Quad {
        let (right, bottom) = (margin + Double(thickness), margin + Double(length))
        let reach = camera.corners.map { (across: $0.across * margin, along: $0.along * margin) }
        return shown([
            Point(x: margin - reach[0].across, y: margin - reach[0].along),
            Point(x: right + reach[1].across, y: margin - reach[1].along),
            Point(x: right + reach[2].across, y: bottom + reach[2].along),
            Point(x: margin - reach[3].across, y: bottom + reach[3].along),
        ])
    }

    /// Returns the spine as light falls on it.
    func surface(margin: Double) -> SpineSurface {
        SpineSurface(
            left: margin,
            right: margin + Double(thickness),
            top: margin,
            bottom: margin + Double(length),
            camera: camera
        )
    }

    /// Returns the corners clockwise from the upright spine's top left, begun with the one that becomes the
    /// photograph's top left.
    private func shown(_ standing: [Point]) -> Quad {
        let first =
            switch pose {
            case .standing: 0
            case .lying: 1
            case .upsideDown: 2
            }
        return Quad(corners: standing, from: first)
    }
}

/// Label that was stuck on the spine: a library's call number, a genre, a bar code.
package struct Sticker: Sendable, Equatable, Codable {
    /// Area that it hides, head (0) to foot (1) and left edge (0) to right edge (1).
    package var along: ClosedRange<Double>
    package var across: ClosedRange<Double>
    package var colour: Colour
    /// About its middle, clockwise, in radians: labels are stuck on by hand.
    package var turn: Double
    /// Whether it is under a strip of clear tape that is wider than the label.
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
