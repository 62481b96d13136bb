import Basics
import Foundation
import Imaging
import SpineDatasets

/// PaddleOCR's labels: a path, a tab, and a JSON list of the lines of text in that picture.
///
/// Source: the documentation of PaddleOCR's detection data: `points` go clockwise from the text's top left corner,
/// and a line that reads `###` is to be left alone. `*` means the same to its trainer.
struct PaddleOCRSource: ImportSource {
    let path: String
    private var extras: PaddleOCRExtras
    private(set) var manifest: DatasetManifest?

    /// - Throws: `DatasetError` when the additional file of our export cannot be read.
    init(path: String) throws(DatasetError) {
        self.path = path
        extras = try PaddleOCRExtras(beside: path)
        manifest = extras.manifest
    }

    mutating func read(_ take: (ImportItem) throws(DatasetError) -> Void) throws(DatasetError) {
        var reader = try LineReader(path)
        while let line = try reader.next() {
            if line.isBlank { continue }
            let place = ImportPlace(file: path, line: reader.number)
            let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard parts.count == 2, let picture = Array(parts[0]).utf8Text, !picture.isEmpty else {
                try take(.bad([place.fault("\(parts.count) fields; expected a picture's path, a tab and a JSON list")]))
                continue
            }
            let value: JSONValue
            do {
                value = try JSONParser.parse(Array(parts[1]), mode: .longNumbersAsText)
            } catch {
                try take(.bad([place.fault("not valid JSON: \(error)")]))
                continue
            }
            guard let elements = value.list else {
                try take(.bad([place.fault("expected a list of lines, found \(value.kind)")]))
                continue
            }
            for item in try items(elements, of: picture, at: place) { try take(item) }
        }
        for fault in try extras.unused() { try take(.bad([fault])) }
    }

    private mutating func items(
        _ elements: [JSONValue],
        of picture: String,
        at place: ImportPlace
    ) throws(DatasetError) -> [ImportItem] {
        var faults: [DatasetFault] = []
        var lines: [ForeignLine] = []
        var placed: [ExportedLabels.PlacedLine] = []
        var boxed = 0
        for (index, element) in elements.enumerated() {
            do throws(ImportFault) {
                let element = try Element(element)
                if element.points.count > 4 { boxed += 1 }
                if let line = element.placed { placed.append(line) }
                lines.append(element.line)
            } catch {
                faults += error.messages.map { place.fault("line of text \(index + 1): \($0)") }
            }
        }
        guard faults.isEmpty else {
            // Its labels are consumed, so that they are not reported as missing from the file.
            _ = try extras.next(for: picture)
            return [.bad(faults)]
        }
        if var labels = try extras.next(for: picture) {
            // Lines that were added after the export have no index, and come last.
            let added = zip(elements, lines).filter { Element.index(of: $0.0) == nil }.compactMap { _, line in
                line.text.map { LabelledLine(text: $0, role: line.role, quad: line.shape.corners) }
            }
            let stray = labels.place(placed + added.map { ExportedLabels.PlacedLine(value: $0) })
            return ImportItem.notes([(.strayLine, stray)]) + [
                .record(ImportRecord(place: place, picture: picture, content: .exported(labels)))
            ]
        }
        return ImportItem.notes([(.polygonBoxed, boxed)])
            + [.record(ImportRecord(place: place, picture: picture, lines: lines))]
    }
}

/// Line of text in PaddleOCR's terms.
private struct Element {
    let points: [Point]
    let line: ForeignLine
    /// Line as exported by this program; nil for a foreign one.
    let placed: ExportedLabels.PlacedLine?

    init(_ value: JSONValue) throws(ImportFault) {
        guard let fields = value.fields else { throw ImportFault("is \(value.kind); expected an object") }
        guard let text = fields["transcription"]?.text else {
            throw ImportFault("\"transcription\" is \(fields["transcription"]?.kind ?? "missing"); expected text")
        }
        let points = fields["points"]?.list?.map { pair -> Point? in
            guard let numbers = pair.numbers, numbers.count == 2 else { return nil }
            return Point(x: numbers[0], y: numbers[1])
        }
        guard let points, points.count >= 4, points.allSatisfy({ $0 != nil }) else {
            throw ImportFault("\"points\" are not four or more pairs of numbers")
        }
        self.points = points.compactMap { $0 }
        let role = (fields["role"] ?? fields["key_cls"])?.text.flatMap(LineRole.init(importing:))
        if let index = Self.index(of: value), self.points.count == 4 {
            let quad = Quad(corners: self.points)
            let (font, size) = (fields["font"]?.text, fields["size"]?.number)
            placed = ExportedLabels.PlacedLine(
                line: index,
                book: fields["book"]?.whole,
                value: LabelledLine(text: text, role: role, quad: quad, font: font, size: size)
            )
            line = ForeignLine(text: text, role: role, shape: Shape(corners: quad, isInReadingOrder: true))
            return
        }
        placed = nil
        guard let shape = Shape(points: self.points, isInReadingOrder: true) else {
            throw ImportFault("\"points\" have no area")
        }
        line = ForeignLine(text: ForeignLine.legible(text), role: role, shape: shape)
    }

    /// Returns the number of a line in its sample, which our export states.
    static func index(of value: JSONValue) -> Int? { value.fields?["line"]?.whole }
}

extension ForeignLine {
    /// Returns the text on one line; nil for the placeholders of illegible text in OCR datasets.
    static func legible(_ text: String) -> String? {
        let trimmed = text.onOneLine
        return trimmed.isEmpty || trimmed == "###" || trimmed == "*" ? nil : trimmed
    }
}

extension LineRole {
    /// Creates the role that a category, label or attribute means; nil when it means none.
    init?(importing name: String) {
        switch LabelField.normalised(name) {
        case "title", "booktitle": self = .title
        case "author", "authors", "writer", "authorname": self = .author
        case "publisher", "imprint", "publishername": self = .publisher
        case "series", "volume", "seriesname": self = .series
        case "sticker", "callnumber", "shelfmark": self = .sticker
        case "other": self = .other
        default: return nil
        }
    }
}
