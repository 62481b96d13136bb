package import SpineDatasets

/// Everything that decides how one spine looks: resolved, so that rendering it twice gives the same bytes.
///
/// The spine stands upright, `thickness` pixels wide and `length` pixels high, head up. Positions are fractions of it:
/// `along` runs from the head (0) to the foot (1), `across` from its left edge (0) to its right edge (1).
package struct SpineSpecification: Sendable, Equatable, Codable {
    /// How the book lies on the shelf.
    package enum Pose: String, Sendable, Codable {
        case standing
        /// Head down: everything on the spine is turned by 180°.
        case upsideDown
        /// On its back cover: the spine is turned by 90° counter-clockwise, so that text running down it reads upright.
        case lying
    }

    /// Width of the standing spine in pixels, 20…600.
    package var thickness: Int
    /// Height of the standing spine in pixels, 60…4000.
    package var length: Int
    package var pose: Pose
    package var cover: Cover
    /// In reading order.
    package var blocks: [TextBlock]
    package var camera: CameraSpecification
    /// Seeds what has no parameters of its own: the grain of the cover, scratches, sensor noise.
    package var grainSeed: UInt64

    package init(
        thickness: Int,
        length: Int,
        pose: Pose,
        cover: Cover,
        blocks: [TextBlock],
        camera: CameraSpecification,
        grainSeed: UInt64
    ) {
        self.thickness = thickness
        self.length = length
        self.pose = pose
        self.cover = cover
        self.blocks = blocks
        self.camera = camera
        self.grainSeed = grainSeed
    }

    /// The same spine drawn `scale` times as large.
    func enlarged(by scale: Double) -> SpineSpecification {
        var result = self
        result.thickness = Int((Double(thickness) * scale).rounded())
        result.length = Int((Double(length) * scale).rounded())
        return result
    }

    /// The direction that the title runs in the image, or the first text when there is no title; nil without any text.
    package var orientation: SampleOrientation? {
        let leading = blocks.first { $0.role == .title } ?? blocks.first
        return leading?.direction.seen(in: pose)
    }
}

/// What a spine is bound in.
package struct Cover: Sendable, Equatable, Codable {
    /// The surface under the print.
    package enum Material: String, Sendable, Codable {
        /// Smooth and even.
        case laminate
        /// Faintly uneven.
        case paper
        /// A fine weave.
        case cloth
        /// Coarse blotches.
        case leather
        /// A picture of soft blobs, as on a paperback with a wrap-around illustration.
        case picture
    }

    /// A stretch of the spine in a colour of its own, from edge to edge.
    package struct Band: Sendable, Equatable, Codable {
        package var along: ClosedRange<Double>
        package var colour: Colour
    }

    /// A shape without text: a publisher's device, or a thin rule across the spine.
    package struct Ornament: Sendable, Equatable, Codable {
        package enum Shape: String, Sendable, Codable {
            case disc
            case ring
            case lozenge
            case block
            case rule
            case frame
        }

        package var shape: Shape
        /// Where its centre lies.
        package var along: Double
        /// Its height, as a share of the thickness; for a frame, its distance from the edges.
        package var size: Double
        package var colour: Colour
    }

    package var material: Material
    package var colour: Colour
    /// The colour at the foot; the same as `colour` for an even cover.
    package var footColour: Colour
    package var bands: [Band]
    package var ornaments: [Ornament]
    /// Strength of the material's grain, 0…1.
    package var grain: Double
    /// Scratches, creases and rubbed edges, 0 (new) … 1.
    package var wear: Double
    /// How much darker the edges are than the middle, 0 (flat) … 1, as light falls on a rounded spine.
    package var roundness: Double
}
