import Raster

/// Where in a source something stands.
struct ImportPlace: Sendable {
    /// As the caller named the source.
    var file: String
    /// Counted from 1; nil for files that are not read by lines.
    var line: Int?
    /// "image 7", where a line says nothing.
    var record: String?

    /// Fault at this place.
    func fault(_ message: String) -> DatasetFault {
        DatasetFault(file: file, line: line, message: record.map { "\($0): \(message)" } ?? message)
    }
}

/// Record of a source's file about one picture, or of one row about a spine.
struct ImportRecord: Sendable {
    var place: ImportPlace
    /// As the source names it.
    var picture: String
    /// The picture's size by the labels; nil when they do not say.
    var statedSize: PixelSize?
    var content: Content

    enum Content: Sendable {
        case spine(ForeignSpine)
        /// From left to right.
        case shelf([ForeignSpine])
        /// Labels of ours, with nothing to derive.
        case exported(ExportedLabels)
    }
}

/// Pixels in a row, and rows.
struct PixelSize: Sendable, Equatable, CustomStringConvertible {
    var width: Int
    var height: Int

    var description: String { "\(width) × \(height)" }
}

/// One spine as far as a source labelled it.
struct ForeignSpine: Sendable {
    var stated = StatedLabels()
    var outline: Shape?
    /// In the order of the file; nil when the format has none.
    var lines: [ForeignLine]?
}

/// One line of text of a source.
struct ForeignLine: Sendable {
    /// Nil when the source says that nobody can read it.
    var text: String?
    var role: LineRole?
    var shape: Shape
}

/// Something that was drawn around a line or a spine.
struct Shape: Sendable, Equatable {
    /// In pixels, or in shares of the picture's size.
    var corners: Quad
    /// Whether the first corner is where a reader of the text begins.
    var isInReadingOrder = false
    /// Whether `corners` are in shares of the picture's width and height, 0…1.
    var isRelative = false
}

/// Item that a source hands over, one at a time.
enum ImportItem: Sendable {
    case record(ImportRecord)
    /// A record that cannot be used, and everything that is wrong with it.
    case bad([DatasetFault])
    /// Something that is left out without being wrong, or that was done to the labels.
    case note(ImportNote, count: Int)
}

/// A kind of labels, ready to be read.
protocol ImportSource {
    /// Hands over all that the files hold, in their order.
    ///
    /// - Throws: `DatasetError` when a file as a whole cannot be used, or what `take` throws.
    mutating func read(_ take: (ImportItem) throws(DatasetError) -> Void) throws(DatasetError)
    /// Remarks for people on how the labels were understood, after reading.
    var remarks: [String] { get }
    /// Manifest of the dataset that the labels were exported from; after reading.
    var manifest: DatasetManifest? { get }
}

extension ImportSource {
    var remarks: [String] { [] }
    var manifest: DatasetManifest? { nil }
}
