import Evaluation
import Foundation
import Imaging
import SpineDatasets

/// A picture with its results, as an SVG file for any browser: outlines with numbers, and a list.
struct Overlay {
    struct Mark {
        var outline: Quad
        var number: String
        var colour: String
        /// Whether the side where its text begins is red.
        var showsStart = false
        var note: String?
    }

    var heading: String?
    var marks: [Mark]

    private static let (sure, doubtful, missing) = ("#1abf4d", "#ff8000", "#ff1a1a")

    /// Draws books green, unsure ones orange and drafts red; lines green where they are sure (80 %), and else orange.
    init(of report: PictureReport) {
        if let books = report.books {
            let colours: [PictureReport.State: String] = [
                .book: Self.sure, .unsure: Self.doubtful, .draft: Self.missing,
            ]
            marks = books.map { book in
                Mark(outline: book.outline, number: "\(book.row).\(book.index)", colour: colours[book.state] ?? "white")
            }
            return
        }
        heading = report.orientation ?? "no text"
        marks = (report.lines ?? []).enumerated().compactMap { index, line in
            guard let outline = line.quad else { return nil }
            // The calibrated probability where there is one.
            let sureness = line.probability ?? line.confidence ?? 0
            return Mark(
                outline: outline,
                number: "\(index + 1)",
                colour: sureness >= 0.8 ? Self.sure : Self.doubtful,
                showsStart: true,
                note: "\(index + 1)  \(line.text)  \(Int((100 * sureness).rounded())) %"
            )
        }
    }

    /// Returns the SVG in UTF-8, with the picture in it as JPEG, and the list beside or below it.
    func svg(over image: RasterImage) throws -> [UInt8] {
        let (width, height) = (image.width, image.height)
        let side = max(width, height)
        let (size, stroke) = (min(64, max(12, side / 45)), max(1, side / 600))
        let notes =
            [heading].compactMap(\.self).map { ($0, "white") }
            + marks.compactMap { mark in mark.note.map { ($0, mark.colour) } }
        // A letter is at most about 0.6 of its size wide.
        let list = (width: (notes.map(\.0.count).max() ?? 0) * size * 6 / 10, height: notes.count * size * 3 / 2)
        let isTall = height > width
        let total =
            isTall ? (width + list.width, max(height, list.height)) : (max(width, list.width), height + list.height)
        let photo = Data(try ImageCodec.encodeJPEG(image, quality: 90)).base64EncodedString()
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(total.0) \(total.1)\" font-family=\"sans-serif\" "
                + "font-size=\"\(size)\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#1e1e1e\"/>",
            "<image width=\"\(width)\" height=\"\(height)\" href=\"data:image/jpeg;base64,\(photo)\"/>",
        ]
        for mark in marks {
            let corners = mark.outline.corners.map { "\(Int($0.x.rounded())),\(Int($0.y.rounded()))" }
            lines.append(
                "<polygon points=\"\(corners.joined(separator: " "))\" fill=\"none\" stroke=\"\(mark.colour)\" "
                    + "stroke-width=\"\(stroke)\"/>"
            )
            if mark.showsStart {
                lines.append(
                    "<polyline points=\"\(corners[0]) \(corners[3])\" stroke=\"red\" stroke-width=\"\(2 * stroke)\"/>"
                )
            }
            let start = mark.outline.topLeft
            lines.append(
                "<text x=\"\(Int(start.x))\" y=\"\(Int(start.y) + size * 3 / 4)\" fill=\"\(mark.colour)\" "
                    + "stroke=\"black\" stroke-width=\"\(stroke)\" paint-order=\"stroke\">\(mark.number)</text>"
            )
        }
        for (index, note) in notes.enumerated() {
            let (x, y) = (isTall ? width : 0, (isTall ? 0 : height) + (index + 1) * size * 3 / 2 - size / 2)
            lines.append("<text x=\"\(x + size / 4)\" y=\"\(y)\" fill=\"\(note.1)\">\(PageText.escaped(note.0))</text>")
        }
        return Array((lines + ["</svg>", ""]).joined(separator: "\n").utf8)
    }
}
