import Basics
import Foundation
import Raster

/// Writes `Label.txt` as PaddleOCR reads it, and beside it what that has no place for.
struct PaddleOCRExport {
    private(set) var pictures: PictureExport

    /// One line of text, of which PaddleOCR reads the first three fields and leaves the others alone.
    private struct Element: Encodable {
        var transcription: String
        var points: [[Double]]
        var difficult: Bool
        var line: Int?
        var book: Int?
        var role: String?
        var font: String?
        var size: Double?
    }

    /// - Returns: The name of the labels' file.
    func write(_ dataset: Dataset, to output: OutputFolder) throws(DatasetError) -> String {
        var pictures = pictures
        var text = Data()
        var extras = LineWriter(output.url.appending(path: PaddleOCRExtras.name))
        try extras.write(PaddleOCRExtras.Entry(manifest: dataset.manifest))
        func add(
            _ image: String,
            _ labels: ExportedLabels,
            _ lines: [ExportedLabels.PlacedLine],
            _ isDifficult: (ExportedLabels.PlacedLine) -> Bool
        ) throws(DatasetError) {
            let path = try pictures.copy(image).path
            let elements = lines.map { line in
                Element(
                    transcription: line.value.text,
                    points: line.value.quad?.corners.map { [$0.x, $0.y] } ?? [],
                    difficult: isDifficult(line),
                    line: line.line,
                    book: line.book,
                    role: line.value.role?.rawValue,
                    font: line.value.font,
                    size: line.value.size
                )
            }
            do {
                text += try Data("\(path)\t".utf8) + JSONLine.encode(elements)
            } catch {
                throw .operation(path: image, problem: "its labels cannot be written: \(error.systemReason)")
            }
            try extras.write(PaddleOCRExtras.Entry(image: path, labels: labels))
        }
        for sample in dataset.samples {
            let parts = ExportedLabels.taken(from: sample, outlines: false)
            try add(sample.image, parts.labels, parts.lines) { _ in !sample.legible }
        }
        for shelf in dataset.shelves {
            let parts = ExportedLabels.taken(from: shelf, outlines: false)
            try add(shelf.image, parts.labels, parts.lines) { line in
                line.book.map { !shelf.books[$0].legible } ?? false
            }
        }
        try extras.close()
        try output.write(Array(text), to: "Label.txt")
        return "Label.txt"
    }
}
