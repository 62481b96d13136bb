import Basics
import BookCatalogue
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import Imaging
import ScanningPipeline
import Systems
import TextRecognition

/// The result of a picture: of a spine its lines, of shelves their books.
struct PictureReport: Encodable {
    enum State: String, Encodable {
        /// The catalogue names it.
        case book
        /// The catalogue has one that it may be.
        case unsure
        /// Only the text of the spine is known.
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
    var orientation: String?
    var milliseconds: Double?
    var lines: [Prediction.Line]?
    var missed: Double?
    var books: [Book]?
    var remark: String?
    var overlay: String?
    var error: String?
}

extension PictureReport {
    init(path: String, reading: SpineReading, milliseconds: Double, remark: String?) {
        self.init(path: path, orientation: reading.orientation?.rawValue, milliseconds: milliseconds, remark: remark)
        (lines, missed) = (reading.lines.map(Prediction.Line.init), reading.missed)
    }

    init(path: String, scan: PictureBooks) {
        self.init(path: path, width: scan.width, height: scan.height, milliseconds: scan.total.milliseconds)
        books = scan.books.map { book in
            let (naming, lines) = (book.named.naming, book.spine.reading.lines)
            let best = naming.guess
            return Book(
                row: book.spine.row,
                index: book.spine.index,
                outline: book.spine.outline,
                state: naming.answer != nil ? .book : best != nil ? .unsure : .draft,
                title: best?.book.title,
                authors: best?.book.authors,
                isbn: best?.book.isbn?.digits,
                confidence: best?.confidence,
                text: lines.map(\.text).joined(separator: " "),
                lines: lines.map(Prediction.Line.init)
            )
        }
    }

    /// Text for this terminal.
    var text: String {
        var parts: [String] = []
        if let milliseconds {
            let (head, rows) = books.map(Self.shelves) ?? spine
            parts.append("\(path)  \(head)  \(NumberText.milliseconds(milliseconds))")
            if let first = rows.first {
                let texts = [Table.Column](repeating: .text(""), count: first.count - 1)
                parts.append(Table(columns: texts + [.number("")], rows: rows).terminal(width: Console.width))
            }
        }
        parts += [remark.map { "  \($0)" }, overlay.map { "  overlay: \($0)" }].compactMap(\.self)
        if let error { parts.append(Console.coloured("✗", .red) + " \(error)") }
        return parts.joined(separator: "\n")
    }

    private var spine: (head: String, rows: [[String]]) {
        let rows = (lines ?? []).map { line in
            let share = line.probability.map { String(format: "%.0f %% sure", 100 * $0) }
            return [line.text, share ?? String(format: "%.0f %% (not calibrated)", 100 * (line.confidence ?? 0))]
        }
        return (rows.isEmpty ? "no text" : orientation ?? "", rows)
    }

    private static func shelves(_ books: [Book]) -> (head: String, rows: [[String]]) {
        let rows = books.map { book in
            let confidence = book.confidence.map { String(format: "%.0f %%", 100 * $0) }
            return ["\(book.row).\(book.index)", book.label, confidence ?? ""]
        }
        let head =
            "\(NumberText.count(books.count, "spine")) in \(NumberText.count(Set(books.map(\.row)).count, "row")), "
            + "\(books.count { $0.state == .book }) named"
        return (books.isEmpty ? "no spine with text" : head, rows)
    }

    static let columns = [
        "photo", "row", "index", "state", "title", "authors", "isbn", "confidence", "text", "x1", "y1", "x2", "y2",
        "x3", "y3", "x4", "y4",
    ]

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

extension PictureReport.Book {
    /// Title and authors, with a question mark where they are unsure, else the text.
    fileprivate var label: String {
        guard let title else { return text }
        let names = (authors ?? []).joined(separator: ", ")
        let book = names.isEmpty ? title : "\(title) — \(names)"
        return state == .book ? book : "\(book)? (\(text))"
    }
}
