import Basics
package import SpineDatasets

/// Kinds of labels that can be imported.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// A table with a row for every picture.
    case csv
    /// A JSON object a line, with the names that a table's columns have.
    case jsonl
    /// PaddleOCR's and PPOCRLabel's `Label.txt`.
    case paddleocr
    /// A text file for every picture, as in the ICDAR 2015 competition, challenge 4.
    case icdar2015
    /// The JSON of Microsoft COCO, that of COCO-Text included.
    case coco
    /// Label Studio's JSON export.
    case labelstudio

    package var label: String {
        switch self {
        case .csv: "a CSV or TSV table"
        case .jsonl: "JSON Lines"
        case .paddleocr: "PaddleOCR labels"
        case .icdar2015: "ICDAR 2015 text files"
        case .coco: "COCO"
        case .labelstudio: "a Label Studio export"
        }
    }
}

/// The pixels that a file's coordinates refer to, for pictures that are stored turned.
package enum CoordinateFrame: String, Sendable, CaseIterable {
    /// Upright picture, rotated by its EXIF orientation.
    case upright
    /// The picture as its pixels are stored.
    case stored
}

package struct ImportOptions: Sendable {
    /// Format of the source; nil detects it from the files.
    package var format: ImportFormat?
    package var pictures: String?
    /// Names of columns by their field.
    package var columns: [LabelField: String] = [:]
    package var category: SampleCategory?
    /// Orientation of spines for which neither the source nor the corners of their lines have one.
    package var orientation: SampleOrientation?
    /// Whether the longest line becomes the title when no title is marked.
    package var takesLongestLineForTitle = false
    /// Frame of the coordinates; nil detects it from the sizes in the labels.
    package var frame: CoordinateFrame?
    package var skipsBadRecords = false
    /// Leaves EXIF, GPS, XMP and comments in the pictures.
    package var keepsMetadata = false
    /// Name; nil for that of the exported dataset, or of the written folder.
    package var name: String?
    package var licence: String?
    /// Date on the card, by ISO 8601.
    package var date: String

    package init(date: String) { self.date = date }
}
