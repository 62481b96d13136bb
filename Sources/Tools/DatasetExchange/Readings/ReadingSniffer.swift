import Basics
import Foundation
import Harness
import SpineDatasets

/// Detector of a file's format by its content; what is of no known format, and not plain text, is refused by its name.
enum ReadingSniffer {
    static func format(of data: Data, _ path: String) throws -> ReadingFormat {
        let text = data.drop { $0 <= 0x20 }
        // Enough for a head with styles and for a table's first rows.
        let start = String(decoding: text.prefix(1 << 16), as: UTF8.self)
        if text.first == UInt8(ascii: "<"), let found = try markup(start, text, path) { return found }
        if let found = try json(start, text, path) { return found }
        let line = start.prefix { !$0.isNewline }
        if line.prefixMatch(of: /[^\t]+\t\s*\[\s*[\[{\]]/) != nil { return .paddleocr }
        if let kind = Self.kind(of: start) { throw refusal(path, "is \(kind)") }
        if let kind = otherKind(of: path) { throw refusal(path, "is named as \(kind), and is of no known format") }
        return .text
    }

    private static func refusal(_ path: String, _ problem: String) -> HarnessError {
        let formats = ReadingFormat.allCases.map(\.rawValue).joined(separator: ", ")
        return ReadingFile.refusal(path, "\(problem); expected \(formats)")
    }

    // MARK: Markup

    /// Returns the format of XML and HTML by the outermost element; nil for a text that only begins with "<".
    private static func markup(_ start: String, _ text: Data, _ path: String) throws -> ReadingFormat? {
        // An element may end behind the beginning.
        let whole = text.count <= 1 << 16 ? start : String(decoding: text, as: UTF8.self)
        guard let root = MarkupRoot(whole) else { return nil }
        switch root.name {
        case "alto": return .alto
        case "pcgts": return .page
        default:
            guard root.isHTML else { throw refusal(path, "has XML of an unknown kind, <\(root.tag)>") }
            let classes = ["ocr_page", "ocr_line", "ocrx_word"]
            guard classes.contains(where: { text.range(of: Data($0.utf8)) != nil }) else {
                throw refusal(path, "is HTML without hOCR, as it has no ocr_page")
            }
            return .hocr
        }
    }

    // MARK: JSON

    /// Returns the format of JSON; nil for a text that only begins like it, such as "[sic]".
    private static func json(_ start: String, _ text: Data, _ path: String) throws -> ReadingFormat? {
        guard let first = start.first, "{[(".contains(first) else { return nil }
        let line = text.prefix { $0 != 0x0A }
        let isStructured = start.prefixMatch(of: structure) != nil
        if isStructured {
            guard text.count <= ReadingFile.mostBytes || line.count < text.count else {
                throw ReadingFile.refusal(path, "is one line of JSON without an end; specify --format")
            }
            if let value = try? JSONParser.parse(Array(line), mode: .tolerant), let found = json(value) { return found }
            if first == "{", text.dropFirst(line.count).first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                return .readings
            }
            guard text.count <= ReadingFile.mostBytes else {
                throw ReadingFile.refusal(path, "is too long for its format to be found; specify --format")
            }
        }
        let value: JSONValue
        do { value = try ReadingFile.json(Data(text), path) } catch {
            if isStructured { throw error }
            return nil
        }
        if let found = json(value) { return found }
        // "[1984]" is a title.
        if case .array(let values) = value, values.count == 1, values[0].number != nil { return nil }
        throw refusal(path, "has JSON of an unknown kind")
    }

    /// Beginning of JSON, and of what Python prints for it: an object with a key, or a list of lists or objects.
    private static var structure: Regex<Substring> {
        /[\[(]?\s*\{\s*(?:"[^"\n]*"|'[^'\n]*')\s*:|[\[(]\s*(?:null|None)?\s*\]|[\[(]\s*[\[(]\s*[\[("'\d\-]/
    }

    private static func json(_ value: JSONValue) -> ReadingFormat? {
        if let fields = value.fields {
            func has(_ names: String...) -> Bool { names.contains { fields[$0] != nil } }
            if has("measurement"), has("outcome") { return .run }
            if has("readings", "sample") || has("image") && has("lines", "text", "error") { return .readings }
            if has("rec_texts") || fields["res"]?.fields?["rec_texts"] != nil { return .paddleocr }
            return has("observations") ? .vision : nil
        }
        switch value.list?.first {
        case .object(let fields):
            if fields["image_id"] != nil { return .cocoText }
            if fields["observations"] != nil { return .vision }
            return fields["transcription"] != nil || fields["rec_texts"] != nil ? .paddleocr : nil
        case .array, .null: return .paddleocr
        default: return nil
        }
    }

    // MARK: Text

    /// Kinds of files that are no plain text, by their endings.
    private static let kinds = [
        "csv": "a table", "tsv": "a table", "log": "a log", "json": "JSON", "jsonl": "JSON", "ndjson": "JSON",
        "xml": "XML", "html": "HTML", "htm": "HTML", "xhtml": "HTML", "hocr": "hOCR", "yaml": "YAML", "yml": "YAML",
        "rtf": "RTF",
    ]

    /// Returns what a file is by the ending of its name; nil for one that may be plain text.
    static func otherKind(of path: String) -> String? { kinds[URL(filePath: path).pathExtension.lowercased()] }

    /// Returns what a text is that its grammar shows to be no plain text; nil for plain text.
    private static func kind(of start: String) -> String? {
        if start.hasPrefix("{\\rtf") { return "RTF" }
        if start.hasPrefix("%!PS") { return "PostScript" }
        if start.hasPrefix("```") { return "Markdown with a code block" }
        let lines = start.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }.prefix(50)
        guard let first = lines.first else { return nil }
        if first.hasPrefix("level\tpage_num\t") {
            return "Tesseract's TSV (let it write hOCR: tesseract IMAGE OUT hocr)"
        }
        func all(_ pattern: Regex<Substring>) -> Bool { lines.allSatisfy { $0.prefixMatch(of: pattern) != nil } }
        let time = /\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s.*\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b/
        let level = /\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\]?[ :]\s*\S.*/
        if lines.count > 1 && all(level) || lines.contains(where: { $0.prefixMatch(of: time) != nil }) {
            return "a log"
        }
        if first.hasPrefix("Traceback (most recent call last):") { return "an error of a Python program" }
        let corners = /-?\d+(?:\.\d+)?(?:,-?\d+(?:\.\d+)?){7},.*/
        let box = /(?:-?\d+(?:\.\d+)?(?:,-?\d+(?:\.\d+)?){3},.*|\S+(?: -?\d+(?:\.\d+)?){4,5})$/
        if all(corners) || lines.count > 1 && all(box) { return "a list of boxes" }
        let picture = /[^\t,;|]+\.(?i:jpe?g|png|tiff?|webp|heic|bmp|gif)["']?[\t,;| :].*/
        return all(picture) ? "a list of pictures and texts" : isTable(start) ? "a table" : nil
    }

    /// Columns of tables of readings, beyond those of labels.
    private static let columns: Set = [
        "confidence", "conf", "score", "prediction", "pred", "ocr", "result", "word", "words", "line", "page", "box",
        "bbox", "left", "top", "width", "height", "x", "y", "xmin", "ymin", "xmax", "ymax",
    ]

    /// Returns whether a text has a header, most of which are known columns, and rows with as many fields.
    private static func isTable(_ start: String) -> Bool {
        let bytes = Array(start.utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            let opening = CSV.opening(of: bytes)
            var splitter = RecordSplitter(opening)
            let rows = splitter.next(10, in: bytes).map { span in
                let row = UnsafeBufferPointer(rebasing: bytes[span.range])
                return (try? TableRow(row, separator: opening.separator).texts()) ?? []
            }
            guard let header = rows.first, header.count > 1, rows.count > 1 else { return false }
            let known = header.map(LabelField.normalised).count {
                LabelField.named($0) != nil || columns.contains($0)
            }
            return known > 1 && 2 * known >= header.count && rows.allSatisfy { $0.count == header.count }
        }
    }
}
