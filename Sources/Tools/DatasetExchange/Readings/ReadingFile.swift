import Basics
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Formats of readings that were made elsewhere.
package enum ReadingFormat: String, Sendable, CaseIterable {
    /// JSON Lines of this project: a header, and a reading a line.
    case readings
    /// Folder of a run.
    case run
    /// Plain text, a file a picture.
    case text
    case hocr, alto, page
    /// `res.json` of PaddleOCR 3, and the lists of boxes and texts of earlier versions.
    case paddleocr
    /// Results for COCO-Text: a list of texts with the ids of their images.
    case cocoText = "coco-text"
    /// Observations of Apple's Vision.
    case vision

    package var label: String {
        switch self {
        case .readings: "readings in JSON Lines"
        case .run: "a run"
        case .text: "plain text"
        case .hocr: "hOCR"
        case .alto: "ALTO"
        case .page: "PAGE"
        case .paddleocr: "PaddleOCR results"
        case .cocoText: "COCO-Text results"
        case .vision: "Vision observations"
        }
    }

    /// Whether the file's name may be all that names the picture.
    var isNamedByFile: Bool { [.text, .hocr, .alto, .page, .paddleocr].contains(self) }
}

/// Reading of a picture as a file states it.
struct StatedReading {
    var place: ImportPlace
    /// Names of the picture, best first: a sample's id, a path, or a file's name with any ending or none.
    var names: [String]
    var repetition = 1
    var outcome: Result<Prediction, ReaderFailure>
    var milliseconds: Double?
    var stated: StatedFigures?
    /// Whether the name is a sample's id, and nothing else.
    var isByID = false
    /// Whether places are in shares of the picture with the origin at the lower left, as Vision has them.
    var isRelative = false
    /// Record of a run; nil for readings of others.
    var record: SampleRecord?

    init(place: ImportPlace, names: [String], lines: [Prediction.Line]) {
        (self.place, self.names, outcome) = (place, names, .success(Prediction(lines: lines)))
    }
}

/// Readings of one system in a file, with what the file names.
struct ReadingFile {
    var path: String
    var format: ReadingFormat
    var readings: [StatedReading] = []
    var system: String?
    var recorder: String?
    var device: String?
    var isPhone = false
    /// Whether this project's recorder measured the times, on a device.
    var isMeasured = false
    /// Settings of a run's variant; nil for readings of others.
    var variant: Variant?
    /// Number of samples that a run was limited to.
    var limit: Int?

    /// Files that are not read in lines are in memory as a whole.
    static let mostBytes = 128 << 20

    /// Reads a file or a folder; a run's folder gives a part for each of its variants.
    ///
    /// `images`: File names by the ids of images, for COCO-Text. `remark`: Receives what is left out.
    /// - Throws: ``HarnessError/configuration(_:)`` with file and line for anything that is not understood.
    static func read(
        _ path: String,
        as format: ReadingFormat?,
        over dataset: Dataset,
        images: [String: String],
        remark: (String) -> Void
    ) throws -> [ReadingFile] {
        guard FileManager.default.fileExists(atPath: path) else { throw refusal(path, "does not exist") }
        if ImportSniffer.isFolder(path) {
            if FileManager.default.fileExists(atPath: "\(path)/\(RunFolder.Name.configuration)") {
                return try RunReadings.read(path, over: dataset, remark: remark)
            }
            return [try folder(path, as: format, images: images)]
        }
        let data = try LineReader.data(path)
        if let kind = foreignKind(of: data) { throw refusal(path, kind) }
        // A program that read nothing writes a blank text.
        guard !isBlank(data) || format == .text || path.lowercased().hasSuffix(".txt") else {
            throw refusal(path, "is empty; expected readings")
        }
        let found = try format ?? ReadingSniffer.format(of: data, path)
        if found == .run {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: "\(folder)/\(RunFolder.Name.configuration)") else {
                throw refusal(path, "has records of a run without its config.json; specify the run's folder")
            }
            return try RunReadings.read(folder, over: dataset, remark: remark)
        }
        return [try file(path, data, as: found, images: images)]
    }

    /// Reads all files of a folder, which have one format.
    private static func folder(
        _ path: String,
        as format: ReadingFormat?,
        images: [String: String]
    ) throws -> ReadingFile {
        let files = (FileManager.default.subpaths(atPath: path) ?? []).sorted()
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.map { "\(path)/\($0)" }
            .filter { !ImportSniffer.isFolder($0) }
        var parts: [ReadingFile] = []
        for file in files {
            let data = try LineReader.data(file)
            let isText = textEndings.contains(URL(filePath: file).pathExtension.lowercased())
            if let kind = foreignKind(of: data) {
                // Pictures and archives may be beside the texts.
                guard isText else { continue }
                throw refusal(file, kind)
            }
            // A text may begin like another format.
            let isPlain = isBlank(data) || format == .text && file.lowercased().hasSuffix(".txt")
            let found = isPlain ? .text : try ReadingSniffer.format(of: data, file)
            if format == nil || format == found { parts.append(try Self.file(file, data, as: found, images: images)) }
        }
        let formats = Dictionary(grouping: parts, by: \.format)
        guard formats.count <= 1 else {
            let found = formats.map { "\($1.count) of \($0.rawValue)" }.sorted().joined(separator: ", ")
            throw refusal(path, "has files of several formats (\(found)); choose one with --format")
        }
        guard let first = parts.first else {
            throw refusal(path, "has no \(format.map(\.label) ?? "readings") in it")
        }
        var whole = ReadingFile(path: path, format: first.format)
        (whole.system, whole.readings) = (first.system, parts.flatMap(\.readings))
        return whole
    }

    private static let textEndings: Set = ["txt", "json", "jsonl", "xml", "hocr", "html", "htm"]

    private static func file(
        _ path: String,
        _ data: Data,
        as format: ReadingFormat,
        images: [String: String]
    ) throws -> ReadingFile {
        let file = try parsed(path, data, as: format, images: images)
        for reading in file.readings {
            guard case .success(let prediction) = reading.outcome else { continue }
            for (number, line) in prediction.lines.enumerated()
            where line.quad?.corners.contains(where: { !(abs($0.x) <= 1e6 && abs($0.y) <= 1e6) }) == true {
                let fault = reading.place.fault("line of text \(number + 1): a corner is beyond ±1,000,000")
                throw HarnessError.configuration("\(fault)")
            }
        }
        return file
    }

    private static func parsed(
        _ path: String,
        _ data: Data,
        as format: ReadingFormat,
        images: [String: String]
    ) throws -> ReadingFile {
        if format == .readings { return try OwnReadings.read(path) }
        guard data.count <= mostBytes else {
            let size = "\(data.count >> 20) MiB; \(format.label) may have \(mostBytes >> 20) MiB"
            throw refusal(path, "has \(size): divide it, or convert it to readings in JSON Lines")
        }
        do {
            switch format {
            case .text: return try text(path, data)
            case .hocr, .alto, .page: return try MarkupReadings.read(path, try decoded(data), as: format)
            case .paddleocr: return try JSONReadings.paddleOCR(path, data)
            case .cocoText: return try JSONReadings.cocoText(path, data, images: images)
            case .vision: return try JSONReadings.vision(path, data)
            case .readings, .run: return ReadingFile(path: path, format: format)
            }
        } catch let fault as ImportFault {
            throw refusal(path, fault.messages.joined(separator: "; "))
        }
    }

    private static func isBlank(_ data: Data) -> Bool { data.withoutByteOrderMark.allSatisfy { $0 <= 0x20 } }

    /// Returns the JSON of a file.
    static func json(_ data: Data, _ path: String) throws -> JSONValue {
        do { return try JSONValue.parse(data, path: path) } catch {
            guard case .faults(_, let faults, _) = error, let fault = faults.first else { throw error }
            throw HarnessError.configuration("\(fault)")
        }
    }

    private static func text(_ path: String, _ data: Data) throws(ImportFault) -> ReadingFile {
        let text = try decoded(data)
        let lines = Prediction.lines(of: text)
        var file = ReadingFile(path: path, format: .text)
        file.readings = [StatedReading(place: ImportPlace(file: path), names: [name(of: path)], lines: lines)]
        return file
    }

    /// Name of a file without its ending, which names a picture.
    static func name(of path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    /// Returns text in UTF-8, UTF-16 with its mark, or the encoding that XML declares.
    private static func decoded(_ data: Data) throws(ImportFault) -> String {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            guard let text = String(data: data, encoding: .utf16) else { throw ImportFault("is not valid UTF-16") }
            return text
        }
        let bytes = data.withoutByteOrderMark
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
        if start.contains(/encoding=["'](iso-8859-1|windows-1252)["']/),
            let text = String(data: bytes, encoding: .windowsCP1252)
        {
            return text
        }
        let line = bytes.prefix { $0 < 0x80 }.count { $0 == 0x0A } + 1
        throw ImportFault("is not UTF-8 (the first other byte is in line \(line)); convert it: iconv -t UTF-8")
    }

    /// Reason why a file cannot be readings by its first bytes; nil for any text.
    private static func foreignKind(of data: Data) -> String? {
        if data.starts(with: [0x1F, 0x8B]) { return "is compressed with gzip; unpack it first: gunzip" }
        if data.starts(with: Array("PK\u{3}\u{4}".utf8)) { return "is a ZIP archive; unpack it first: unzip" }
        let magics: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("%PDF".utf8), Array("GIF8".utf8),
        ]
        let isHEIC = data.count > 12 && data.dropFirst(4).starts(with: Array("ftyp".utf8))
        if isHEIC || magics.contains(where: { data.starts(with: $0) }) { return "is a picture; expected its readings" }
        let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        return !isWide && data.prefix(4_096).contains(0) ? "is a binary file; expected text" : nil
    }

    static func refusal(_ path: String, _ problem: String) -> HarnessError { .configuration("\(path): \(problem)") }
}

/// Detector of a file's format by its content.
enum ReadingSniffer {
    static func format(of data: Data, _ path: String) throws -> ReadingFormat {
        let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        let text = (isWide ? String(data: data, encoding: .utf16).map { Data($0.utf8) } ?? data : data)
            .drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        let line = text.prefix { $0 != 0x0A }
        switch text.first {
        case UInt8(ascii: "<"): return markup(String(decoding: text.prefix(1 << 16), as: UTF8.self)) ?? .text
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard text.count <= ReadingFile.mostBytes || line.count < text.count else {
                throw ReadingFile.refusal(path, "is one line of JSON without an end; specify --format")
            }
            if let value = try? JSONParser.parse(Array(line), mode: .tolerant), let found = json(value) { return found }
            let isLines =
                text.dropFirst(line.count).first { $0 > 0x20 } == UInt8(ascii: "{") && line.first != UInt8(ascii: "[")
            if isLines { return .readings }
            guard text.count <= ReadingFile.mostBytes else {
                throw ReadingFile.refusal(path, "is too long for its format to be found; specify --format")
            }
            // Text of a spine may begin with a bracket.
            let value = try? ReadingFile.json(Data(text), path)
            if value == nil, path.lowercased().hasSuffix(".txt") { return .text }
            guard let found = json(try value ?? ReadingFile.json(Data(text), path)) else {
                throw ReadingFile.refusal(
                    path,
                    "has JSON of an unknown kind; expected \(ReadingFormat.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            return found
        default:
            guard let tab = line.firstIndex(of: 0x09) else { return .text }
            return line[(tab + 1)...].first == UInt8(ascii: "[") ? .paddleocr : .text
        }
    }

    private static func markup(_ start: String) -> ReadingFormat? {
        if start.contains(/<(?:\w+:)?alto[\s>]/) { return .alto }
        if start.contains(/<(?:\w+:)?PcGts[\s>]/) { return .page }
        return start.contains("ocr_page") || start.contains("ocr_line") ? .hocr : nil
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
}
