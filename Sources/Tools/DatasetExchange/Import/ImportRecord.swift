import Basics
import Imaging
import SpineDatasets

/// Labels of one picture, as a table's row or a format's program states them.
struct ImportRecord: Sendable {
    var place: ImportPlace
    var picture: String
    /// Size of the picture that the coordinates refer to; nil when the labels omit it.
    var size: PixelSize?
    /// Size of the picture that its masks were drawn on; nil without masks, or where they differ.
    var maskSize: PixelSize?
    /// Whether points are in shares of the picture's width and height.
    var isRelative = false
    /// Labels of a single spine, or of a picture as a whole.
    var stated = StatedLabels()
    /// Lines in the order of the file; nil when the format has none.
    var lines: [Region]?
    var spines: [Region] = []

    /// Line of text, or spine, that was drawn into the picture.
    struct Region: Sendable {
        /// Text; nil when the source marks it as illegible.
        var text: String?
        var role: LineRole?
        var points: [Point]
        /// The first point is where a reader of the text begins.
        var isOrdered = false
        /// Degrees that the text is turned clockwise; nil when the source does not state it.
        var turn: Double?
        var stated = StatedLabels()
        /// The region as faults call it.
        var name: String?
    }
}

extension ImportRecord {
    init(place: ImportPlace, picture: String, stated: StatedLabels) {
        (self.place, self.picture, self.stated) = (place, picture, stated)
    }

    /// Fields of a program's line of labels.
    static let keys: Set = ["image", "size", "mask", "relative", "fields", "lines", "spines", "notes"]

    /// - Throws: ``ImportFault`` for a field of another type than expected.
    init(_ record: FormatProgram.Record) throws(ImportFault) {
        let fields = record.fields
        guard let picture = fields["image"]?.text, !picture.isEmpty else { throw ImportFault("\"image\" is missing") }
        (place, self.picture) = (record.place, picture)
        (size, maskSize) = (Self.size(fields["size"]), Self.size(fields["mask"]))
        isRelative = fields["relative"] == .bool(true)
        var faults = stated.take(fields["fields"]?.fields ?? [:])
        func regions(_ key: String) -> [Region] {
            (fields[key]?.list ?? []).enumerated().compactMap { index, value in
                do throws(ImportFault) { return try Region(value) } catch {
                    let name = value.fields?["record"]?.plainText ?? "\(key)[\(index)]"
                    faults += error.messages.map { "\(name): \($0)" }
                    return nil
                }
            }
        }
        (lines, spines) = (regions("lines"), regions("spines"))
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }

    private static func size(_ value: JSONValue?) -> PixelSize? {
        let sides = (value?.list ?? []).compactMap(\.whole)
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else { return nil }
        return PixelSize(width: sides[0], height: sides[1])
    }
}

extension ImportRecord.Region {
    fileprivate init(_ value: JSONValue) throws(ImportFault) {
        guard let fields = value.fields?.filter({ $0.value != .null }) else {
            throw ImportFault("is \(value.kind); expected an object")
        }
        try FormatProgram.check(fields, ["text", "role", "points", "ordered", "turn", "fields", "record"])
        guard let points = fields["points"]?.points else {
            throw ImportFault(
                "\"points\" is \(fields["points"]?.kind ?? "missing"); expected three pairs of numbers or more"
            )
        }
        (self.points, name) = (points, fields["record"]?.plainText)
        text = fields["text"]?.plainText?.onOneLine
        if text?.isEmpty == true { text = nil }
        if let written = fields["role"]?.plainText {
            role = LineRole(rawValue: written)
            if role == nil {
                let known = LineRole.allCases.map(\.rawValue).joined(separator: ", ")
                throw ImportFault("role \"\(written)\"; expected \(known)")
            }
        }
        (isOrdered, turn) = (fields["ordered"] == .bool(true), fields["turn"]?.number)
        let faults = stated.take(fields["fields"]?.fields ?? [:])
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }
}

struct PixelSize: Sendable, Equatable, CustomStringConvertible {
    var width: Int
    var height: Int

    var description: String { "\(width) × \(height)" }
}

/// Note of an import: an assumption beyond the labels, or a valid omission; each is counted.
package enum ImportNote: String, Sendable, CaseIterable {
    case orientationFromLines, orientationFromDefault, orientationGuessed, categoryDerived, categoryFromDefault
    case titleFromRoles, titleFromLongestLine, transcriptionFromTitle, notLegible, polygonBoxed, unreadableLine
    case strayLine, otherAnnotation, cancelledAnnotation, furtherAnnotation, unlabelledTask, idMadeUnique
    case coordinatesTurned, metadataRemoved, locationRemoved, metadataKept, recoded, displacedPicture, unusedPicture

    /// Whether the imported data may be wrong because of it.
    package var isGuess: Bool {
        [.orientationGuessed, .titleFromLongestLine, .notLegible, .transcriptionFromTitle].contains(self)
    }

    /// Returns a sentence with the number in front, without the full stop.
    package func sentence(_ count: Int) -> String {
        let (noun, rest) = words
        let many = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
        return "\(count) \(count == 1 ? noun : many) \(rest)"
    }

    private var words: (noun: String, rest: String) {
        switch self {
        case .orientationFromLines: ("orientation", "taken from the corners of the lines or outlines")
        case .orientationFromDefault: ("orientation", "set by --orientation")
        case .orientationGuessed:
            ("orientation", "guessed from the shape of the lines or of the picture: tall means cw, wide upright")
        case .categoryDerived: ("category", "derived from the orientation")
        case .categoryFromDefault: ("category", "set by --category")
        case .titleFromRoles: ("title", "joined from the lines that are labelled as title")
        case .titleFromLongestLine: ("title", "guessed: the longest line")
        case .transcriptionFromTitle: ("transcription", "guessed: title and author, as nothing else was labelled")
        case .notLegible: ("spine", "without any text, taken to be illegible")
        case .polygonBoxed: ("outline", "replaced by the smallest rectangle around it")
        case .unreadableLine: ("line", "omitted, as the source marks it as unreadable")
        case .strayLine: ("line", "omitted, as it is outside all spines of its shelf")
        case .otherAnnotation: ("annotation", "omitted, as it has no text and is not a spine")
        case .cancelledAnnotation: ("annotation", "omitted, as it was cancelled")
        case .furtherAnnotation: ("annotation", "omitted, as its task has another one")
        case .unlabelledTask: ("task", "omitted, as it was not labelled")
        case .idMadeUnique: ("id", "made unique by a number")
        case .coordinatesTurned: ("picture", "rotated by EXIF orientation")
        case .metadataRemoved: ("picture", "stripped of metadata")
        case .locationRemoved: ("picture", "stripped of its location")
        case .metadataKept: ("picture", "with metadata kept as requested")
        case .recoded: ("picture", "re-encoded as JPEG of quality 95")
        case .displacedPicture: ("picture", "found by the file name alone, as its folder is another one in the labels")
        case .unusedPicture: ("picture", "omitted, as no label refers to it")
        }
    }
}
