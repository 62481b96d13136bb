import Imaging
package import SpineDatasets

struct ImportPlace: Sendable {
    var file: String
    /// Counted from 1; nil for files that are not read by lines.
    var line: Int?
    /// Record ("image 7"), for sources without useful lines.
    var record: String?

    func fault(_ message: String) -> DatasetFault {
        DatasetFault(file: file, line: line, message: record.map { "\($0): \(message)" } ?? message)
    }
}

struct ImportFault: Error {
    var messages: [String] = []
    var failure: DatasetError?
}

extension ImportFault {
    init(_ message: String) { self.init(messages: [message]) }
}
struct ImportRecord: Sendable {
    var place: ImportPlace
    var picture: String
    /// Size of the picture by the labels; nil when they omit it.
    var statedSize: PixelSize?
    /// Size of the picture that its masks were drawn on; nil without masks, or where they differ.
    var maskSize: PixelSize?
    var content: Content

    enum Content: Sendable {
        case spine(ForeignSpine)
        /// Spines from left to right.
        case shelf([ForeignSpine])
        /// Labels of ours, with nothing to derive.
        case exported(ExportedLabels)
    }
}

struct PixelSize: Sendable, Equatable, CustomStringConvertible {
    var width: Int
    var height: Int

    var description: String { "\(width) × \(height)" }
}

extension PixelSize {
    init?(_ width: Double, _ height: Double) {
        guard let width = Int(exactly: width), let height = Int(exactly: height), width > 0, height > 0 else {
            return nil
        }
        self.init(width: width, height: height)
    }
}

struct ForeignSpine: Sendable {
    var stated = StatedLabels()
    var outline: Shape?
    /// Lines in the order of the file; nil when the format has none.
    var lines: [ForeignLine]?
}

struct ForeignLine: Sendable {
    /// Text; nil when the source marks it as illegible.
    var text: String?
    var role: LineRole?
    var shape: Shape
}

struct Shape: Sendable, Equatable {
    /// Corners in pixels, or in shares of the picture's size.
    var corners: Quad
    /// The first corner is where a reader of the text begins.
    var isInReadingOrder = false
    /// `corners` are in shares of the picture's width and height, 0…1.
    var isRelative = false
}

/// Note of an import: an assumption beyond the labels, or a valid omission; each is counted.
package enum ImportNote: String, Sendable, CaseIterable {
    case orientationFromLines, orientationFromDefault, orientationGuessed, categoryDerived, categoryFromDefault
    case titleFromRoles, titleFromLongestLine, transcriptionFromTitle, notLegible, polygonBoxed, unreadableLine
    case strayLine, otherAnnotation, cancelledAnnotation, furtherAnnotation, unlabelledTask, idMadeUnique
    case coordinatesTurned, metadataRemoved, locationRemoved, metadataKept, recoded, displacedPicture, unusedPicture

    /// Whether the imported data may be wrong because of it.
    package var isGuess: Bool {
        switch self {
        case .orientationGuessed, .titleFromLongestLine, .notLegible, .transcriptionFromTitle: true
        default: false
        }
    }

    /// Returns a sentence with the number in front, without the full stop.
    package func sentence(_ count: Int) -> String {
        func of(_ noun: String, _ rest: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s") \(rest)" }
        return switch self {
        case .orientationFromLines: of("orientation", "taken from the corners of the lines or outlines")
        case .orientationFromDefault: of("orientation", "set by --orientation")
        case .orientationGuessed:
            of("orientation", "guessed from the shape of the lines or of the picture: tall means cw, wide upright")
        case .categoryDerived: of("category", "derived from the orientation").replacing("categorys", with: "categories")
        case .categoryFromDefault: of("category", "set by --category").replacing("categorys", with: "categories")
        case .titleFromRoles: of("title", "joined from the lines that are labelled as title")
        case .titleFromLongestLine: of("title", "guessed: the longest line")
        case .transcriptionFromTitle: of("transcription", "guessed: title and author, as nothing else was labelled")
        case .notLegible: of("spine", "without any text, taken to be illegible")
        case .polygonBoxed: of("outline", "replaced by the smallest rectangle around it")
        case .unreadableLine: of("line", "omitted, as the source marks it as unreadable")
        case .strayLine: of("line", "omitted, as it is outside all spines of its shelf")
        case .otherAnnotation: of("annotation", "omitted, as it has no text and is not a spine")
        case .cancelledAnnotation: of("annotation", "omitted, as it was cancelled")
        case .furtherAnnotation: of("annotation", "omitted, as its task has another one")
        case .unlabelledTask: of("task", "omitted, as it was not labelled")
        case .idMadeUnique: of("id", "made unique by a number")
        case .coordinatesTurned: of("picture", "rotated by EXIF orientation")
        case .metadataRemoved: of("picture", "stripped of metadata")
        case .locationRemoved: of("picture", "stripped of its location")
        case .metadataKept: of("picture", "with metadata kept as requested")
        case .recoded: of("picture", "re-encoded as JPEG of quality 95")
        case .displacedPicture:
            of("picture", "found by the file name alone, as its folder is another one in the labels")
        case .unusedPicture: of("picture", "omitted, as no label refers to it")
        }
    }
}

package struct ImportReport: Sendable {
    package var format: ImportFormat
    package var files: [String]
    /// Source as the caller named it.
    package var source: String
    package var date: String
    package var samples: Int
    package var shelves: Int
    /// Number of books on all shelves.
    package var books: Int
    /// Remarks on how the labels were understood.
    package var remarks: [String]
    package var notes: [ImportNote: Int]
    /// Number of invalid records that were skipped, and their faults.
    package var skipped: Int
    package var faults: FaultList
    /// Dataset as it will be loaded; nil while it is being written.
    package var dataset: Dataset?

    /// Sentences about derived, guessed and omitted data, guesses first.
    package var sentences: [String] {
        let order = ImportNote.allCases.filter(\.isGuess) + ImportNote.allCases.filter { !$0.isGuess }
        return order.compactMap { note in notes[note].map { note.sentence($0) } }
    }

    /// "78 spines", "4 shelves with 31 spines", or both.
    package var contents: String {
        func of(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
        let parts = [
            samples > 0 ? of(samples, "spine", "spines") : nil,
            shelves > 0 ? "\(of(shelves, "shelf", "shelves")) with \(of(books, "spine", "spines"))" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " and ")
    }

    /// Returns the dataset's `CARD.md`.
    func card(_ manifest: DatasetManifest) -> String {
        func items(_ texts: [String]) -> String { texts.map { "* \($0)\n" }.joined() }
        func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
        let labels =
            files.count == 1
            ? "`\(name(files[0]))`" : "\(files.count) files, `\(name(files[0]))` to `\(name(files[files.count - 1]))`"
        var text = """
            # \(manifest.name)

            \(contents), licence \(manifest.licence ?? "not stated").

            ## Origin

            Imported on \(date) from \(format.label): \(labels) in `\(name(source))`.

            """
        if !remarks.isEmpty { text += "\nInterpretation of the labels:\n\n" + items(remarks) }
        text += "\n## Changes to labels and pictures\n\n"
        text += sentences.isEmpty ? "Nothing.\n" : items(sentences)
        if skipped > 0 {
            let faults = faults.lines.map { "`\($0.replacing(source + "/", with: ""))`" }
            text += "\n## Skipped\n\n\(skipped) invalid record\(skipped == 1 ? "" : "s"):\n\n"
            text += items(faults)
        }
        return text
    }
}
