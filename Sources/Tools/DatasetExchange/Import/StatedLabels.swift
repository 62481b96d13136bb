import Basics
import Foundation
import SpineDatasets

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

    /// Sets a field from text; an empty text is ignored.
    mutating func take(_ value: String, as field: LabelField) -> String? {
        let value = field == .transcription ? PlainText.trimmed(value) : value.onOneLine
        guard !value.isEmpty else { return nil }
        switch field {
        case .image: break
        case .category:
            category = SampleCategory(rawValue: value.lowercased())
            if category == nil {
                return
                    "category \"\(value)\"; expected \(SampleCategory.allCases.map(\.rawValue).joined(separator: ", "))"
            }
        case .orientation:
            orientation = SampleOrientation(importing: value)
            if orientation == nil {
                return "orientation \"\(value)\"; expected upright, cw, inverted, ccw or 0, 90, 180, 270: the degrees "
                    + "that the text is turned clockwise"
            }
        case .language:
            // "en-GB" and "en_GB" are English, too.
            texts[field] = value.prefix { $0 != "-" && $0 != "_" }.lowercased()
        case .legible:
            switch value.lowercased() {
            case "true", "yes", "y", "1": legible = true
            case "false", "no", "n", "0": legible = false
            default: return "legible \"\(value)\"; expected true or false"
            }
        case .isbn:
            // One that is right counts more than one that is not.
            switch WrittenISBN(value) {
            case .isbn(let isbn):
                texts[field] = ISBN(value) == nil || !value.utf8.allSatisfy { $0 < 0x80 } ? isbn.digits : value
            case .wrong: texts[field] = texts[field] ?? value
            case .none: break
            }
        case .id, .title, .author, .transcription, .group, .style, .split, .source, .licence:
            texts[field] = value
        }
        return nil
    }

    /// Takes the fields of a JSON object that have a meaning, by their usual names unless `meanings` are given; a message for
    /// every faulty one, in the order of the keys.
    mutating func take(_ object: [String: JSONValue], as meanings: [String: LabelField]? = nil) -> [String] {
        object.sorted { $0.key < $1.key }.compactMap { key, value in
            guard let field = meanings.map({ $0[key] }) ?? .named(key), field != .image, value != .null else {
                return nil
            }
            guard let text = value.plainText else { return "\"\(key)\" is \(value.kind); expected text" }
            return take(text, as: field)
        }
    }
}

extension SampleOrientation {
    /// Creates the orientation by its own name, a usual one, or the degrees that the text is turned clockwise.
    init?(importing text: String) {
        let word = text.lowercased()
        if let known = SampleOrientation(rawValue: word) {
            self = known
            return
        }
        switch word {
        case "clockwise": self = .clockwise
        case "counterclockwise", "anticlockwise", "counter-clockwise", "anti-clockwise": self = .counterclockwise
        default:
            guard let degrees = Double(word.hasSuffix("°") ? String(word.dropLast()) : word), degrees.isFinite else {
                return nil
            }
            guard degrees.truncatingRemainder(dividingBy: 90) == 0 else { return nil }
            self.init(nearest: degrees)
        }
    }

    /// Creates the orientation of text that is rotated clockwise by about this number of degrees.
    init(nearest degrees: Double) {
        let quarters = (degrees.truncatingRemainder(dividingBy: 360) / 90).rounded()
        self =
            switch (Int(quarters) + 4) % 4 {
            case 0: .upright
            case 1: .clockwise
            case 2: .inverted
            default: .counterclockwise
            }
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
        return fields[name] ?? (WrittenISBN.isColumn(name) ? .isbn : nil)
    }

    /// Returns the field whose own name this is, rather than a synonym.
    static func exactly(_ name: String) -> LabelField? { LabelField(rawValue: normalised(name)) }

    /// Returns letters and digits of a name, in lower case.
    private static func normalised(_ name: String) -> String { FoldedText(name).joined }

    private static let fields: [String: LabelField] = {
        var fields: [String: LabelField] = [:]
        for field in allCases {
            for name in [field.rawValue] + field.synonyms { fields[name] = field }
        }
        return fields
    }()

    private var synonyms: [String] {
        switch self {
        case .image:
            [
                "file", "filename", "filepath", "path", "img", "picture", "photofile", "imagepath", "imagefile",
                "imagename",
            ]
        case .id: ["sampleid", "spineid", "key"]
        case .title: ["booktitle"]
        case .author: ["authors", "writer", "bookauthor"]
        case .transcription: ["text", "label", "caption", "utf8string", "groundtruth", "transcript"]
        case .category: ["class", "kind"]
        case .orientation: ["rotation", "angle", "direction"]
        case .isbn: WrittenISBN.columnNames
        case .group: ["photo", "photoid", "groupid", "shelf"]
        case .language: ["lang", "languagecode"]
        case .style: []
        case .split: ["subset", "fold", "partition"]
        case .source: ["origin", "provenance"]
        case .licence: ["license"]
        case .legible: ["readable", "islegible"]
        }
    }
}
