package import Raster

/// What kind of challenge a spine is.
package enum SampleCategory: String, Sendable, Codable, CaseIterable {
    /// Plain lettering along the spine.
    case vertical
    /// Upside down.
    case inverted
    /// Decorative lettering.
    case stylized
    /// Lettering across the spine.
    case horizontal
    /// Lettering in several directions.
    case mixed
}

/// How the title of a spine runs in its image.
package enum SampleOrientation: String, Sendable, Codable, CaseIterable {
    /// Left to right, right way up.
    case upright
    /// Top to bottom.
    case clockwise = "cw"
    /// Bottom to top.
    case counterclockwise = "ccw"
    /// Upside down.
    case inverted
}

/// One labelled picture of a spine: what the harness shows to a system, and the truth it compares the answer with.
package struct Sample: Sendable, Equatable, Codable {
    /// Unique in its dataset.
    package var id: String
    /// Path of the picture (PNG or JPEG), relative to the dataset's folder.
    package var image: String
    package var category: SampleCategory
    /// As printed.
    package var title: String
    /// As printed; nil when the spine names none.
    package var author: String?
    /// All text that can be read with certainty, in reading order.
    package var transcription: String
    package var orientation: SampleOrientation
    package var isbn: String?
    /// What samples have in common that are not independent: the photo that they were cut from.
    package var group: String?
    /// Where the picture lies in its photo, in the photo's pixels.
    package var quad: Quad?
    /// Whether a person can read the title.
    ///
    /// What nobody can read is timed and not scored.
    package var legible = true
    package var split: String?
    package var source: String?
}
