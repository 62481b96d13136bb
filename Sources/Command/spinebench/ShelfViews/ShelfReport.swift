import Basics
import BookCatalogue
import Composition
package import Evaluation
import Foundation
import Harness
package import Imaging
package import ScanningPipeline
import TextRecognition

package struct ShelfReport: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        /// The catalogue names it.
        case book
        /// The catalogue has one that it may be.
        case unsure
        /// Only the text of the spine is known.
        case draft
    }

    package struct Book: Encodable, Sendable {
        package var row: Int
        package var index: Int
        package var outline: Quad
        package var state: State
        package var title: String?
        package var authors: [String]?
        package var isbn: String?
        package var confidence: Double?
        package var text: String
        package var lines: [Prediction.Line]
    }

    package var path: String
    package var width: Int?
    package var height: Int?
    package var milliseconds: Double?
    package var books: [Book]?
    package var overlay: String?
    package var error: String?

    package init(path: String, error: String) { (self.path, self.error) = (path, error) }
}

extension ShelfReport {
    package init(path: String, scan: PictureBooks) {
        self.path = path
        (width, height) = (scan.width, scan.height)
        milliseconds = scan.total.milliseconds
        books = scan.books.map { book in
            let best = book.named.naming.guess
            return Book(
                row: book.spine.row,
                index: book.spine.index,
                outline: book.spine.outline,
                state: book.named.naming.answer != nil ? .book : best != nil ? .unsure : .draft,
                title: best?.book.title,
                authors: best?.book.authors,
                isbn: best?.book.isbn?.digits,
                confidence: best?.confidence,
                text: book.spine.reading.lines.map(\.text).joined(separator: " "),
                lines: book.spine.reading.lines.map(Prediction.Line.init)
            )
        }
    }

    package func text(width: Int) -> String {
        let books = books ?? []
        let named = books.count { $0.state == .book }
        let rows = books.map { book in
            let confidence = book.confidence.map { String(format: "%.0f %%", 100 * $0) }
            return ["\(book.row).\(book.index)", book.label, confidence ?? ""]
        }
        let head =
            books.isEmpty
            ? "no spine with text"
            : "\(NumberText.count(books.count, "spine")) in \(NumberText.count(Set(books.map(\.row)).count, "row")), "
                + "\(named) named"
        let table = Table(columns: [.text(""), .text(""), .number("")], rows: rows).terminal(width: width)
        return [
            "\(path)  \(head)  \(NumberText.milliseconds(milliseconds ?? 0))", rows.isEmpty ? nil : table,
            overlay.map { "  overlay: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }

    package static let columns = [
        "photo", "row", "index", "state", "title", "authors", "isbn", "confidence", "text", "x1", "y1", "x2", "y2",
        "x3", "y3", "x4", "y4",
    ]

    package var rows: [[String]] {
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
    package var label: String {
        guard let title else { return text }
        let names = (authors ?? []).joined(separator: ", ")
        let book = names.isEmpty ? title : "\(title) — \(names)"
        return state == .book ? book : "\(book)? (\(text))"
    }
}
