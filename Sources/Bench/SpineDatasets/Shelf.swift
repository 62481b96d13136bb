import Basics
package import Imaging

/// A labelled picture of a whole shelf, one line of `shelves.jsonl`.
package struct Shelf: Sendable, Equatable, Codable {
    package var id: String
    /// Path of the picture, relative to the dataset's folder.
    package var image: String
    /// Books from left to right; empty when no book is visible.
    package var books: [ShelfBook]

    package init(id: String, image: String, books: [ShelfBook]) {
        (self.id, self.image, self.books) = (id, image, books)
    }
}

/// Subject of the pictures that a system reads.
package enum Subject: String, Sendable, Codable, CaseIterable {
    case spines
    case shelves

    /// Name of the file of labels.
    package var labels: String { self == .spines ? Labels.samplesFile : Labels.shelvesFile }
}

extension Sample {
    /// Creates a photo of shelves as a sample: timed, and scored by its books alone.
    package init(_ shelf: Shelf) {
        self.init(
            id: shelf.id,
            image: shelf.image,
            category: .mixed,
            title: nil,
            transcription: shelf.books.compactMap { $0.transcription ?? $0.title }.joined(separator: "\n"),
            orientation: .upright,
            group: shelf.id,
            legible: false
        )
        self.shelf = shelf
    }
}

extension Dataset {
    /// Returns the pictures for a system that reads such subjects, up to `limit`: see ``limited(to:)``.
    package func pictures(of subject: Subject, limit: Int? = nil) -> [Sample] {
        switch subject {
        case .spines: limited(to: limit)
        case .shelves: shelves.prefix(limit ?? .max).map(Sample.init)
        }
    }

    package var subjects: [Subject] { Subject.allCases.filter { !pictures(of: $0, limit: 1).isEmpty } }
}

/// Spine on a shelf, as far as it is labelled.
package struct ShelfBook: Sendable, Equatable, Codable {
    /// Unique in its dataset.
    package var id: String?
    /// Printed title; nil when it is illegible.
    package var title: String?
    /// Printed author; nil when the spine names none.
    package var author: String?
    /// Titles of other editions or translations of the work that count as the book, too.
    package var acceptedTitles: [String]?
    /// All text that can be read with certainty, in reading order.
    package var transcription: String?
    package var category: SampleCategory?
    package var orientation: SampleOrientation?
    /// The spine's outline in the shelf's picture, in pixels; corners clockwise from the picture's top left.
    package var quad: Quad?
    /// Printed lines in reading order, their quads in the shelf's picture; nil without labels.
    package var lines: [LabelledLine]?
    package var legible = true
    package var language: String?
    package var style: String?
    /// Difficulty of the spine: each cause with its figure.
    package var difficulty: [String: Double]?
    package var labelled: LabelOrigin?
}

extension ShelfBook {
    package init(title: String?, quad: Quad? = nil, legible: Bool = true) {
        (self.title, self.quad, self.legible) = (title, quad, legible)
    }
}

/// Record of a line of `shelves.jsonl`: the shelf, and the size in which its picture was labelled.
package struct ShelfRecord: Sendable {
    package var shelf: Shelf
    var width: Double?
    var height: Double?
}

enum ShelfParser {
    /// Returns the shelf that `fields` describe, named by its picture's path unless it has an id.
    static func shelf(_ fields: inout FieldReader) -> ShelfRecord {
        let image = fields.path("image")
        let shelf = Shelf(id: fields.optionalText("id") ?? image, image: image, books: books(&fields))
        return ShelfRecord(shelf: shelf, width: fields.positive("width"), height: fields.positive("height"))
    }

    private static func books(_ fields: inout FieldReader) -> [ShelfBook] {
        guard fields.states("books") else {
            return fields.refused("books", "is missing; expected a list, empty when no book is visible") ?? []
        }
        guard case .array(let elements)? = fields["books"] else {
            return fields.refused("books", "is \(fields["books"]?.kind ?? "null"); expected a list") ?? []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .object(let members) = element else {
                return fields.refused("books[\(index)]", "is \(element.kind); expected an object")
            }
            return fields.nested(members, under: "books[\(index)].", Self.book)
        }
    }

    private static func book(_ fields: inout FieldReader) -> ShelfBook {
        ShelfBook(
            id: fields.optionalText("id"),
            title: fields.optionalText("title"),
            author: fields.optionalText("author"),
            acceptedTitles: fields.texts("acceptedTitles"),
            transcription: fields.optionalText("transcription", mayHaveBreaks: true),
            category: fields.optionalChoice("category", of: SampleCategory.self),
            orientation: fields.optionalChoice("orientation", of: SampleOrientation.self),
            quad: fields.quad("quad"),
            lines: fields.lines(),
            legible: fields.flag("legible", default: true),
            language: fields.language(),
            style: fields.optionalText("style"),
            difficulty: fields.difficulty(),
            labelled: fields.labelled()
        )
    }
}

enum SampleParser {
    static func sample(_ fields: inout FieldReader) -> Sample {
        var sample = Sample(
            id: fields.text("id"),
            image: fields.path("image"),
            category: fields.choice("category", of: SampleCategory.self) ?? .vertical,
            title: title(&fields),
            author: fields.optionalText("author"),
            transcription: fields.text("transcription", mayBeEmpty: true, mayHaveBreaks: true),
            orientation: fields.choice("orientation", of: SampleOrientation.self) ?? .upright,
            isbn: fields.isbn(),
            acceptedTitles: fields.texts("acceptedTitles"),
            group: fields.optionalText("group"),
            quad: fields.quad("quad"),
            outline: fields.quad("outline"),
            lines: fields.lines(),
            legible: fields.flag("legible", default: true),
            language: fields.language(),
            style: fields.optionalText("style"),
            difficulty: fields.difficulty(),
            split: fields.optionalText("split"),
            source: fields.optionalText("source"),
            licence: fields.optionalText("licence")
        )
        (sample.scene, sample.labelled) = (fields.scene(), fields.labelled())
        if fields.flag("distractor", default: false) {
            if let title = sample.title {
                fields.fault("title", "is \"\(title)\", but the picture shows no book (\"distractor\"); expected null")
            }
            (sample.distractor, sample.legible) = (true, false)
        }
        if sample.legible, sample.transcription.isEmpty, case .string? = fields["transcription"] {
            fields.fault("transcription", "is empty; label the legible spine, or set \"legible\": false")
        }
        return sample
    }

    /// Returns the title; an unlabelled one must be explicitly null, so that a misspelt field is detected.
    private static func title(_ fields: inout FieldReader) -> String? {
        guard fields.states("title") else {
            return fields.refused("title", "is missing; state null when it is not labelled")
        }
        return fields["title"] == nil ? nil : fields.text("title")
    }
}

/// Check of labels before they are written, with the rules of the loader.
package enum LabelCheck {
    package static func faults(of sample: Sample) -> [String] {
        faults(of: SampleLine(sample)) { _ = SampleParser.sample(&$0) }
    }

    package static func faults(of shelf: Shelf) -> [String] { faults(of: shelf) { _ = ShelfParser.shelf(&$0) } }

    private static func faults(of labels: some Encodable, _ read: (inout FieldReader) -> Void) -> [String] {
        guard let line = try? JSONLine.encode(labels), let value = try? JSONParser.parse(Array(line)),
            case .object(let members) = value
        else { return ["has a number that JSON cannot represent"] }
        var fields = FieldReader(members)
        read(&fields)
        return fields.faults
    }
}
