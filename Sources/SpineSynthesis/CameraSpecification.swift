/// What the photograph does to the spine.
package struct CameraSpecification: Sendable, Equatable, Codable {
    /// How far the picture's corners reach into the margin around the spine, clockwise from the standing spine's top left.
    ///
    /// Unequal values tilt the spine and make its edges converge.
    package var corners: [CornerReach]
    /// Standard deviation of the defocus blur in pixels, 0…8.
    package var blurSigma: Double
    /// Standard deviation of the sensor's noise, in steps of 0…255.
    package var noiseSigma: Double
    /// Overall brightness; 1 leaves it as drawn.
    package var exposure: Double
    /// How much brighter the picture's bottom is than its top, −1…1.
    package var lightDown: Double
    /// How much brighter the picture's right side is than its left one, −1…1.
    package var lightRight: Double
    /// Strength of a soft bright reflection, 0 (none) … 1 (white).
    package var glare: Double
    /// Where the reflection's middle lies along the picture's longer side, from its top or left (0) to the other end (1).
    package var glareAlong: Double
    /// Gains of red, green and blue: the lamp's colour.
    package var whiteBalance: Colour
    /// JPEG quality, 1…100.
    package var jpegQuality: Int
    /// The books to the left and right of the standing spine, and the board under it.
    package var leftNeighbour: Colour
    package var rightNeighbour: Colour
    package var shelf: Colour

    /// How far a corner of the picture lies outside the spine's own, as a share of the margin; each 0…1.
    package struct CornerReach: Sendable, Equatable, Codable {
        package var across: Double
        package var along: Double
    }
}
