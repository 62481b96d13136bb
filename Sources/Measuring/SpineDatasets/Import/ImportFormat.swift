import Basics

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

    /// Name in messages.
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
    /// The picture as it is seen, turned as EXIF says.
    case upright
    /// The picture as its pixels are stored.
    case stored
}
