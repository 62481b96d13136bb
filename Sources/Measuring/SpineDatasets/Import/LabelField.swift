import Basics

/// A thing that a table's column, a JSON object's key or a drawn region's attribute can say about a spine.
package enum LabelField: String, Sendable, CaseIterable {
    case image, id, title, author, transcription, category, orientation, isbn, group, language, style, split, source
    case licence, legible

    /// The field that a name means, whatever its case, spaces and punctuation; nil when it means none.
    package static func named(_ name: String) -> LabelField? {
        fields[normalised(name)]
    }

    /// The field whose own name this is, rather than a synonym.
    static func exactly(_ name: String) -> LabelField? { LabelField(rawValue: normalised(name)) }

    /// Letters and digits of a name, in lower case.
    static func normalised(_ name: String) -> String { FoldedText(name).joined }

    private static let fields: [String: LabelField] = {
        var fields: [String: LabelField] = [:]
        for field in allCases {
            for name in [field.rawValue] + field.synonyms { fields[name] = field }
        }
        return fields
    }()

    /// As `normalised` gives them.
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
        case .isbn: ["isbn13", "isbn10", "ean"]
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
