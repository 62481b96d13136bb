import Basics
import Foundation
import Imaging
import SpineDatasets

/// PaddleOCR's labels: a path, a tab, and a JSON list of the lines of text in that picture.
///
/// Source: the documentation of PaddleOCR's detection data: `points` go clockwise from the text's top left corner,
/// and a line that reads `###` is to be left alone. `*` means the same to its trainer.
enum PaddleOCRSource {
    static func read(_ path: String, into intake: inout RecordIntake) throws(DatasetError) {
        var extras = try PaddleOCRExtras(beside: path)
        intake.manifest = extras.manifest
        var reader = try LineReader(path)
        while let line = try reader.next() {
            if line.isBlank { continue }
            let place = ImportPlace(file: path, line: reader.number)
            let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard parts.count == 2, let picture = Array(parts[0]).utf8Text, !picture.isEmpty else {
                let expected = "expected a picture's path, a tab and a JSON list"
                intake.refuse([place.fault("\(parts.count) fields; \(expected)")])
                continue
            }
            let value: JSONValue
            do {
                value = try JSONParser.parse(Array(parts[1]), mode: .longNumbersAsText)
            } catch {
                intake.refuse([place.fault("not valid JSON: \(error)")])
                continue
            }
            guard let elements = value.list else {
                intake.refuse([place.fault("expected a list of lines, found \(value.kind)")])
                continue
            }
            try take(elements, of: picture, at: place, &extras, &intake)
        }
        for fault in try extras.unused() { intake.refuse([fault]) }
    }

    private static func take(
        _ values: [JSONValue],
        of picture: String,
        at place: ImportPlace,
        _ extras: inout PaddleOCRExtras,
        _ intake: inout RecordIntake
    ) throws(DatasetError) {
        var faults: [DatasetFault] = []
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            do throws(ImportFault) {
                elements.append(try Element(value))
            } catch {
                faults += error.messages.map { place.fault("line of text \(index + 1): \($0)") }
            }
        }
        // Labels of a faulty line are consumed, too, so that they are not reported as missing from the file.
        let exported = try extras.next(for: picture)
        guard faults.isEmpty else { return intake.refuse(faults) }
        let content: ImportRecord.Content
        if var labels = exported {
            // Lines that were added after the export have no number, and come last.
            let stray = labels.place(elements.compactMap(\.placed) + elements.compactMap(\.added))
            intake.count(.strayLine, stray)
            content = .exported(labels)
        } else {
            intake.count(.polygonBoxed, elements.count { $0.points.count > 4 })
            content = .spine(ForeignSpine(lines: elements.map(\.line)))
        }
        try intake.take(ImportRecord(place: place, picture: picture, content: content))
    }
}

private struct Element {
    let points: [Point]
    let line: ForeignLine
    /// Line as exported by this program; nil for a foreign one.
    let placed: ExportedLabels.PlacedLine?
    /// Line that was added to an export; nil for one with a number.
    let added: ExportedLabels.PlacedLine?

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
        let isNumbered = fields["line"]?.whole != nil
        if isNumbered, self.points.count == 4 {
            let quad = Quad(corners: self.points)
            placed = ExportedLabels.PlacedLine(text, role, quad, fields)
            line = ForeignLine(text: text, role: role, shape: Shape(corners: quad, isInReadingOrder: true))
            added = nil
            return
        }
        placed = nil
        guard let shape = Shape(points: self.points, isInReadingOrder: true) else {
            throw ImportFault("\"points\" have no area")
        }
        line = ForeignLine(text: ForeignLine.legible(text), role: role, shape: shape)
        added = isNumbered ? nil : line.text.map { ExportedLabels.PlacedLine($0, role, shape.corners, [:]) }
    }
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
