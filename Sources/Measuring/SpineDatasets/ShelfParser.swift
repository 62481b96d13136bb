import Basics

/// Record of a line of `shelves.jsonl`: the shelf, and the size that somebody saw its picture in.
struct ShelfRecord: Sendable {
    var shelf: Shelf
    var width: Double?
    var height: Double?
}

/// One line of `shelves.jsonl` to a shelf, or to everything that is wrong with it.
enum ShelfParser {
    /// The shelf that `fields` describe; what is wrong with it is left in `fields`.
    ///
    /// A shelf without an id is called by its picture's path.
    static func shelf(_ fields: inout FieldReader) -> ShelfRecord {
        let image = fields.path("image")
        let shelf = Shelf(id: fields.optionalText("id") ?? image, image: image, books: books(&fields))
        return ShelfRecord(shelf: shelf, width: fields.positive("width"), height: fields.positive("height"))
    }

    private static func books(_ fields: inout FieldReader) -> [ShelfBook] {
        guard fields.states("books") else {
            fields.fault("books", "is missing; expected a list, empty when no book can be seen")
            return []
        }
        guard case .array(let elements)? = fields["books"] else {
            fields.fault("books", "is \(fields["books"]?.kind ?? "null"); expected a list")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .object(let members) = element else {
                fields.fault("books[\(index)]", "is \(element.kind); expected an object")
                return nil
            }
            return fields.nested(members, under: "books[\(index)].", Self.book)
        }
    }

    private static func book(_ fields: inout FieldReader) -> ShelfBook {
        ShelfBook(
            id: fields.optionalText("id"),
            title: fields.optionalText("title"),
            author: fields.optionalText("author"),
            transcription: fields.optionalText("transcription", mayHaveBreaks: true),
            category: fields.optionalChoice("category", of: SampleCategory.self),
            orientation: fields.optionalChoice("orientation", of: SampleOrientation.self),
            quad: fields.quad("quad"),
            lines: fields.lines(),
            legible: fields.flag("legible", default: true),
            language: fields.language(),
            style: fields.optionalText("style"),
            difficulty: fields.difficulty()
        )
    }
}
