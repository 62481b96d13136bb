import Basics
import Foundation
import Imaging
import SpineDatasets

/// Writer of `Label.txt` for PaddleOCR, with a second file for the other labels.
enum PaddleOCRExport {
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

    static func write(
        _ dataset: Dataset,
        _ pictures: PictureExport,
        to output: OutputFolder
    ) throws(DatasetError) -> String {
        var pictures = pictures
        var text = Data()
        var extras = LineWriter(output.url.appending(path: PaddleOCRExtras.name))
        try extras.write(PaddleOCRExtras.Entry(manifest: dataset.manifest))
        func add(
            _ image: String,
            _ parts: ExportedLabels.Parts,
            isDifficult: (ExportedLabels.PlacedLine) -> Bool
        ) throws(DatasetError) {
            let path = try pictures.copy(image).path
            let elements = parts.lines.map { line in
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
            try extras.write(PaddleOCRExtras.Entry(image: path, labels: parts.labels))
        }
        for sample in dataset.samples {
            try add(sample.image, ExportedLabels.taken(from: sample, outlines: false)) { _ in !sample.legible }
        }
        for shelf in dataset.shelves {
            try add(shelf.image, ExportedLabels.taken(from: shelf, outlines: false)) { line in
                line.book.map { !shelf.books[$0].legible } ?? false
            }
        }
        try extras.close()
        try output.write(Array(text), to: "Label.txt")
        return "Label.txt"
    }
}

/// `spinebench.jsonl` beside a `Label.txt`: a dataset's manifest, then a line of each picture's labels that PaddleOCR's
/// format cannot represent.
///
/// Labels are found by the picture's path; while the order is that of `Label.txt`, one line at a time is in memory.
struct PaddleOCRExtras {
    static let name = "spinebench.jsonl"

    struct Entry: Codable {
        var manifest: DatasetManifest?
        /// Path in `Label.txt`.
        var image: String?
        var labels: ExportedLabels?
    }

    let manifest: DatasetManifest?
    private let path: String
    private var reader: LineReader?
    /// Labels that were read on the way to something else, by path.
    private var waiting: [String: [(line: Int, labels: ExportedLabels)]] = [:]
    private var faults: [DatasetFault] = []

    init(beside labels: String) throws(DatasetError) {
        path = URL(filePath: labels).deletingLastPathComponent().appending(path: Self.name).path
        guard FileManager.default.fileExists(atPath: path) else {
            manifest = nil
            return
        }
        var reader = try LineReader(path)
        let first = try reader.next() ?? []
        guard let manifest = JSONLine.decode(Entry.self, from: first)?.manifest else {
            throw .fault("expected the manifest that an export begins with", in: path, line: 1)
        }
        self.manifest = manifest
        self.reader = reader
    }

    /// Returns the labels for the next line of `Label.txt` that names a picture; nil when there are none.
    mutating func next(for image: String) throws(DatasetError) -> ExportedLabels? {
        if let found = waiting[image]?.first {
            waiting[image]?.removeFirst()
            return found.labels
        }
        while let (line, entry) = try nextEntry() {
            guard let name = entry.image, let labels = entry.labels, (labels.sample == nil) != (labels.shelf == nil)
            else {
                faults.append(DatasetFault(file: path, line: line, message: "expected an image and its labels"))
                continue
            }
            if name == image { return labels }
            waiting[name, default: []].append((line, labels))
        }
        return nil
    }

    /// Returns labels whose picture `Label.txt` does not name, and invalid lines, after all pictures were asked for.
    mutating func unused() throws(DatasetError) -> [DatasetFault] {
        // No picture has this path: it reads to the end.
        _ = try next(for: "")
        let rest = waiting.flatMap { image, entries in
            entries.map { entry in
                DatasetFault(file: path, line: entry.line, message: "\"\(image)\" no longer has a line in the labels")
            }
        }
        return (faults + rest).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private mutating func nextEntry() throws(DatasetError) -> (line: Int, entry: Entry)? {
        while let bytes = try reader?.next() {
            if bytes.isBlank { continue }
            return (reader?.number ?? 0, JSONLine.decode(Entry.self, from: bytes) ?? Entry())
        }
        return nil
    }
}
