import Basics
import Imaging
import SpineDatasets

/// Labels of one picture, as a table's row or a format's program states them.
struct LabelRecord: Sendable {
    var place: ImportPlace
    var picture: String
    /// Size of the picture that the coordinates refer to; nil when the labels omit it.
    var size: PixelSize?
    /// Size of the picture that its masks were drawn on; nil without masks, or where they differ.
    var maskSize: PixelSize?
    /// Whether points are in shares of the picture's width and height.
    var isRelative: Bool
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
        /// Points as the source has them; once they are placed, the corners in the upright picture's pixels.
        var points: [Point]
        /// The first point is where a reader of the text begins.
        var isOrdered = false
        /// Degrees that the text is turned clockwise; nil when the source does not state it.
        var turn: Double?
        var stated = StatedLabels()
        /// The region as the source calls it.
        var name: String?
        /// The region as faults call it without a name.
        var title: String

        var corners: Quad { Quad(corners: points) }
    }
}

extension LabelRecord {
    /// Fields of a program's line of labels.
    static let keys: Set = ["image", "size", "mask", "relative", "fields", "lines", "spines", "notes"]

    /// - Throws: ``ImportFault`` for a field of another type than expected.
    init(_ record: FormatProgram.Record) throws(ImportFault) {
        let fields = record.fields
        (place, picture) = (record.place, fields["image"]?.text ?? "")
        (size, maskSize) = (PixelSize(fields["size"]), PixelSize(fields["mask"]))
        isRelative = fields["relative"] == .bool(true)
        var faults = stated.take(fields["fields"]?.fields ?? [:])
        if picture.isEmpty { faults.append("has no picture") }
        func regions(_ key: String) -> [Region]? {
            fields[key]?.list?.enumerated().compactMap { index, value in
                do throws(ImportFault) { return try Region(value, isSpine: key == "spines") } catch {
                    let name = value.fields?["record"]?.plainText ?? "\(key)[\(index)]"
                    faults += error.messages.map { "\(name): \($0)" }
                    return nil
                }
            }
        }
        (lines, spines) = (regions("lines"), regions("spines") ?? [])
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }
}

extension LabelRecord.Region {
    fileprivate init(_ value: JSONValue, isSpine: Bool) throws(ImportFault) {
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
        title = isSpine ? "a spine's outline" : "the line \"\(text ?? "###")\""
        if let written = fields["role"]?.plainText {
            role = LineRole(rawValue: written)
            if role == nil { throw ImportFault("role \"\(written)\"; expected \(LineRole.list)") }
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

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Creates the size of a list of width and height.
    init?(_ value: JSONValue?) {
        let sides = (value?.list ?? []).compactMap(\.whole)
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(width: sides[0], height: sides[1])
    }
}

extension ImageHeader {
    /// Size of the picture as it is seen.
    var size: PixelSize { PixelSize(width: orientedWidth, height: orientedHeight) }
    /// Size of the picture as its pixels are stored.
    var storedSize: PixelSize { PixelSize(width: width, height: height) }

    /// Returns the place in the picture as it is seen of a stored picture's point.
    ///
    /// Source: Exif 2.32 (CIPA DC-008-2019), tag 0x0112: 6 is turned clockwise by a quarter to be upright, 8 the other way, 5 and 7
    /// are mirrored as well.
    func upright(_ point: Point) -> Point {
        let isMirrored = [2, 4, 5, 7].contains(orientation)
        let turns: [Int: QuarterTurn] = [
            3: .half, 4: .half, 5: .counterclockwise, 6: .clockwise, 7: .clockwise, 8: .counterclockwise,
        ]
        let start = isMirrored ? Point(x: Double(width) - point.x, y: point.y) : point
        return (turns[orientation] ?? .none).map(start, width: width, height: height)
    }
}

struct StatedLabels: Sendable, Equatable {
    var category: SampleCategory?
    var orientation: SampleOrientation?
    var legible: Bool?
    private var texts: [LabelField: String] = [:]

    subscript(_ field: LabelField) -> String? {
        get { texts[field] }
        set { texts[field] = newValue }
    }

    /// Copies the fields that are missing here from `other`.
    mutating func fill(from other: StatedLabels) {
        category = category ?? other.category
        orientation = orientation ?? other.orientation
        legible = legible ?? other.legible
        texts.merge(other.texts) { own, _ in own }
    }

    /// Takes the fields of a JSON object that have a meaning, by their usual names; returns a message for every faulty one, in the
    /// order of the keys.
    mutating func take(_ object: [String: JSONValue]) -> [String] {
        object.sorted { $0.key < $1.key }.compactMap { key, value in
            guard let field = LabelField.named(key), field != .image, value != .null else { return nil }
            guard let text = value.plainText else { return "\"\(key)\" is \(value.kind); expected text" }
            return take(text, as: field)
        }
    }

    /// Sets a field from text; an empty text is ignored.
    private mutating func take(_ value: String, as field: LabelField) -> String? {
        let value = field == .transcription ? PlainText.trimmed(value) : value.onOneLine
        guard !value.isEmpty else { return nil }
        func wrong(_ expected: String) -> String { "\(field.rawValue) \"\(value)\"; expected \(expected)" }
        switch field {
        case .image: break
        case .category:
            category = SampleCategory(rawValue: value.lowercased())
            if category == nil { return wrong(SampleCategory.list) }
        case .orientation:
            orientation = SampleOrientation(importing: value)
            if orientation == nil {
                return wrong(
                    "upright, cw, inverted, ccw or 0, 90, 180, 270: the degrees that the text is turned clockwise"
                )
            }
        case .legible:
            legible =
                ["true": true, "yes": true, "y": true, "1": true, "false": false, "no": false, "n": false, "0": false][
                    value.lowercased()
                ]
            if legible == nil { return wrong("true or false") }
        // "en-GB" and "en_GB" are English, too.
        case .language: texts[field] = value.prefix { $0 != "-" && $0 != "_" }.lowercased()
        case .isbn:
            // One that is right counts more than one that is not.
            texts[field] = ISBN(value) == nil ? texts[field] ?? value : value
        default: texts[field] = value
        }
        return nil
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// "a, b, c".
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension SampleOrientation {
    /// Creates the orientation by its own name, a usual one, or the degrees that the text is turned clockwise.
    init?(importing text: String) {
        let word = text.lowercased()
        if let known = SampleOrientation(rawValue: word) {
            self = known
        } else if word.hasSuffix("clockwise") {
            let usual = [
                "clockwise": Self.clockwise, "counterclockwise": .counterclockwise, "anticlockwise": .counterclockwise,
            ]
            guard let known = usual[word.filter { $0 != "-" }] else { return nil }
            self = known
        } else {
            guard let degrees = Double(word.hasSuffix("°") ? String(word.dropLast()) : word), degrees.isFinite,
                degrees.truncatingRemainder(dividingBy: 90) == 0
            else { return nil }
            self.init(nearest: degrees)
        }
    }

    /// Creates the orientation of text that is rotated clockwise by about this number of degrees.
    init(nearest degrees: Double) {
        let quarters = Int((degrees.truncatingRemainder(dividingBy: 360) / 90).rounded())
        self = [Self.upright, .clockwise, .inverted, .counterclockwise][(quarters + 4) % 4]
    }
}

extension String {
    /// The text with one space for every run of white space between words, and none around them.
    var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// Field of a spine in a table's column, a JSON object's key or a drawn region's attribute.
package enum LabelField: String, Sendable, CaseIterable {
    case image, id, title, author, transcription, category, orientation, isbn, group, language, style, split, source
    case licence, legible

    /// Returns the field of a name, ignoring case, spaces and punctuation; nil for an unknown one.
    package static func named(_ name: String) -> LabelField? {
        let name = normalised(name)
        return synonyms[name] ?? LabelField(rawValue: name) ?? (name.contains("isbn") ? .isbn : nil)
    }

    /// Returns the field whose own name this is, rather than a synonym.
    static func exactly(_ name: String) -> LabelField? { LabelField(rawValue: normalised(name)) }

    /// Returns letters and digits of a name, in lower case.
    private static func normalised(_ name: String) -> String { FoldedText(name).joined }

    private static let synonyms: [String: LabelField] = {
        let names: KeyValuePairs<LabelField, String> = [
            .image: "file filename filepath path img picture photofile imagepath imagefile imagename",
            .isbn: "ean ean13 identifiers", .id: "sampleid spineid key", .title: "booktitle",
            .author: "authors writer bookauthor",
            .transcription: "text label caption utf8string groundtruth transcript", .category: "class kind",
            .orientation: "rotation angle direction",
            .group: "photo photoid groupid shelf", .language: "lang languagecode", .split: "subset fold partition",
            .source: "origin provenance", .licence: "license", .legible: "readable islegible",
        ]
        let pairs = names.flatMap { field, names in names.split(separator: " ").map { (String($0), field) } }
        return Dictionary(pairs) { first, _ in first }
    }()
}
