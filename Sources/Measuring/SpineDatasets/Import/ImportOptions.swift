/// Options of an import, resolved once.
package struct ImportOptions: Sendable {
    /// Nil: told by the files.
    package var format: ImportFormat?
    /// The folder of the pictures; nil: that of the labels.
    package var pictures: String?
    /// Names of columns by the field that they are to be taken for.
    package var columns: [LabelField: String] = [:]
    /// For spines of which the source does not say it.
    package var category: SampleCategory?
    /// For spines of which neither the source nor the corners of their lines say it.
    package var orientation: SampleOrientation?
    /// Whether the longest line is taken for the title where nothing says what the title is.
    package var takesLongestLineForTitle = false
    /// Nil: told by the sizes that the labels state.
    package var frame: CoordinateFrame?
    /// Whether the rest is imported when some records are bad.
    package var skipsBadRecords = false
    /// Whether EXIF, GPS, XMP and comments stay in the pictures.
    package var keepsMetadata = false
    /// Nil: that of the dataset that was exported, or of the folder that is written.
    package var name: String?
    package var licence: String?
    /// The day that the card names, as ISO 8601 has it.
    package var date: String

    package init(date: String) {
        self.date = date
    }
}
