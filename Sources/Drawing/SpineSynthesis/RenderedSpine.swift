package import Raster
package import SpineDatasets

/// A picture of a spine, and the truth about it.
package struct RenderedSpine: Sendable, Equatable {
    /// One printed line.
    package struct Line: Sendable, Equatable, Codable {
        package var text: String
        package var role: LineRole
        /// The box around the ink, in the image's pixels; corners as a reader of the text sees them.
        package var quad: Quad
        /// The family that the text was drawn with, which is another than asked for when that is not installed.
        package var font: String
        /// The font size in pixels.
        package var size: Double
    }

    /// RGB.
    package var image: RasterImage
    /// In reading order.
    package var lines: [Line]
    /// The spine's outline in the image's pixels, clockwise from the image's top left.
    package var quad: Quad
    /// The direction that the title runs in the image; nil without any text.
    package var orientation: SampleOrientation?
    /// Difficulty of reading it, in figures by name, as the camera's specification lists them.
    package var difficulty: [String: Double]
}
