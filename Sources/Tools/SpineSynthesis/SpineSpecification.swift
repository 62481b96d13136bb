import Imaging
import SpineDatasets

/// Everything that decides how one spine looks: resolved, so that rendering it twice gives the same bytes.
///
/// The spine is upright, `thickness` pixels wide and `length` pixels high, head up. Positions are fractions of it:
/// `along` runs from the head (0) to the foot (1), `across` from its left edge (0) to its right edge (1).
struct SpineSpecification: Sendable, Equatable {
    enum Pose: String, Sendable {
        case standing
        /// Head down: everything on the spine is turned by 180°.
        case upsideDown
        /// Placed on its back cover: turned by 90° counter-clockwise, so that text running down it reads upright.
        case lying
    }

    var thickness: Int
    var length: Int
    var pose: Pose
    var cover: Cover
    /// Blocks that are printed, in reading order.
    var blocks: [TextBlock]
    var stickers: [Sticker] = []
    var camera: CameraSpecification
    var style: String = "plain"
    /// Difficulty as far as it is known without a picture: "contrast" of the title's ink with its background where it
    /// is lowest, 1…21 (WCAG 2.2), and "titleSize", the title's font size as a share of the thickness.
    var difficulty: [String: Double] = [:]
    var grainSeed: UInt64

    /// Returns the same spine drawn `scale` times as large.
    func enlarged(by scale: Double) -> SpineSpecification {
        var result = self
        result.thickness = Int((Double(thickness) * scale).rounded())
        result.length = Int((Double(length) * scale).rounded())
        return result
    }

    /// The direction that the title runs in the image, or the first text when there is no title; nil without any text.
    var orientation: SampleOrientation? {
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

    func surface(margin: Double) -> SpineSurface {
        let (right, bottom) = (margin + Double(thickness), margin + Double(length))
        return SpineSurface(bounds: Bounds(left: margin, top: margin, right: right, bottom: bottom), camera: camera)
    }

    /// Returns corners that are clockwise from the upright spine's top left, begun with the photograph's top left.
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

struct Sticker: Sendable, Equatable {
    /// Area that it hides, head (0) to foot (1) and left edge (0) to right edge (1).
    var along: ClosedRange<Double>
    var across: ClosedRange<Double>
    var colour: Colour
    /// About its middle, clockwise, in radians: labels are stuck on by hand.
    var turn: Double
    /// Whether it is under a strip of clear tape that is wider than the label.
    var taped: Bool
    var marks: [Mark]
    var blocks: [TextBlock]
}

extension Sticker {
    /// A line that a sticker hides more of than this share is not labelled: it cannot be read.
    static let hidingShare = 0.3
}
