import Basics
import BookCatalogue
import CommandSupport
import Composition
import Documents
import Foundation
import Harness
import Raster
import ScanningPipeline
import SpineSynthesis
import TextRecognition

/// What `shelf` says of one photo.
struct ShelfReport: Encodable {
    /// How far a spine's book is known.
    enum State: String, Encodable {
        /// The catalogue names it.
        case book
        /// The catalogue has one that it may be.
        case unsure
        /// Its text alone is known.
        case draft
    }

    struct Book: Encodable {
        var row: Int
        var index: Int
        var outline: Quad
        var state: State
        var title: String?
        var authors: [String]?
        var isbn: String?
        var confidence: Double?
        var text: String
        var lines: [Prediction.Line]
    }

    var path: String
    var width: Int?
    var height: Int?
    var milliseconds: Double?
    var books: [Book]?
    /// The photo with what was found drawn on it.
    var overlay: String?
    var error: String?
}

extension ShelfReport {
    /// From this probability on a book is worth a person's look.
    private static let leastConfidence = 0.1

    init(path: String, scan: ShelfScan) {
        self.path = path
        (width, height) = (scan.width, scan.height)
        milliseconds = scan.total.milliseconds
        books = scan.books.map { book in
            let best = book.match.candidates.first { $0.confidence >= Self.leastConfidence }
            return Book(
                row: book.spine.row,
                index: book.spine.index,
                outline: book.spine.outline,
                state: book.match.answer != nil ? .book : best != nil ? .unsure : .draft,
                title: best?.book.title,
                authors: best?.book.authors,
                isbn: best?.book.isbn.map { "\($0)" },
                confidence: best?.confidence,
                text: book.spine.reading.lines.map(\.text).joined(separator: " "),
                lines: book.spine.reading.lines.map(Prediction.Line.init)
            )
        }
    }

    /// What a person reads.
    var text: String {
        if let error { return Console.coloured("✗", .red) + " \(error)" }
        let books = books ?? []
        let named = books.count { $0.state == .book }
        let rows = books.map { book in
            [
                "\(book.row).\(book.index)", book.label,
                book.confidence.map { String(format: "%.0f %%", 100 * $0) } ?? "",
            ]
        }
        let head =
            books.isEmpty
            ? "no spine with text"
            : "\(NumberText.count(books.count, "spine")) in \(NumberText.count(Set(books.map(\.row)).count, "row")), \(named) named"
        let table = Table(columns: [.text(""), .text(""), .number("")], rows: rows).terminal(width: Console.width)
        return [
            "\(path)  \(head)  \(NumberText.milliseconds(milliseconds ?? 0))", rows.isEmpty ? nil : table,
            overlay.map { "  overlay: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }

    /// Headings of ``rows``.
    static let columns = [
        "photo", "row", "index", "state", "title", "authors", "isbn", "confidence", "text", "x1", "y1", "x2", "y2",
        "x3", "y3",
        "x4", "y4",
    ]

    /// A row for each book.
    var rows: [[String]] {
        (books ?? []).map { book in
            [
                path, "\(book.row)", "\(book.index)", book.state.rawValue, book.title ?? "",
                (book.authors ?? []).joined(separator: "; "), book.isbn ?? "",
                book.confidence.map { NumberText.fixed($0, 3) } ?? "", book.text,
            ] + book.outline.corners.flatMap { [NumberText.fixed($0.x, 1), NumberText.fixed($0.y, 1)] }
        }
    }
}

extension ShelfReport.Book {
    /// Title and authors, with a question mark where they are unsure, else the text.
    var label: String {
        guard let title else { return text }
        let names = (authors ?? []).joined(separator: ", ")
        let book = names.isEmpty ? title : "\(title) — \(names)"
        return state == .book ? book : "\(book)? (\(text))"
    }
}

/// Draws the spines that were found on their photo.
struct ShelfOverlay {
    var books: [ShelfReport.Book]

    private static let colours: [ShelfReport.State: Colour] = [
        .book: Colour(red: 0.1, green: 0.75, blue: 0.3), .unsure: Colour(red: 1, green: 0.5, blue: 0),
        .draft: Colour(red: 1, green: 0.1, blue: 0.1),
    ]

    /// The photo in colour, each spine outlined and numbered: green for a book, orange for an unsure one, red for a draft.
    func drawn(on image: RasterImage) throws -> RasterImage {
        var picture = image.rgb()
        let thickness = max(1, max(image.width, image.height) / 800)
        let size = min(48, max(12, max(image.width, image.height) / 90))
        for book in books {
            let colour = Self.colours[book.state] ?? Colour(red: 1, green: 1, blue: 1)
            picture.draw(book.outline, colour: colour, thickness: thickness)
            let number = try TextLabel.image(
                "\(book.row).\(book.index)",
                size: size,
                colour: Colour(red: 0.1, green: 0.1, blue: 0.1),
                background: colour
            )
            picture.paste(number, x: Int(book.outline.topLeft.x), y: Int(book.outline.topLeft.y))
        }
        return picture
    }
}
