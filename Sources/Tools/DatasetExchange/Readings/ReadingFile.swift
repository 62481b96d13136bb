import Basics
import Evaluation
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
    var recorded = RecordedReading()
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
    /// What a file carries that names this project's recorder; nil for others.
    var facts: RecordingFacts?
    /// Class of its figures, as far as they are checked.
    var evidence = EvidenceClass.reported
    /// What fails or is absent, in words.
    var problems: [String] = []
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
            return [try folder(path, as: format, images: images, remark: remark)]
        }
        let data = try LineReader.data(path)
        if let kind = foreignKind(of: data) { throw refusal(path, kind) }
        if format != .text { try checkContent(of: data, path) }
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
        images: [String: String],
        remark: (String) -> Void
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
            let found: ReadingFormat
            do {
                try checkContent(of: data, file)
                // A text may begin like another format.
                let isPlain = format == .text && file.lowercased().hasSuffix(".txt")
                found = isPlain ? .text : try ReadingSniffer.format(of: data, file)
            } catch let error as HarnessError where format != nil {
                remark("\(error); the file is left out")
                continue
            }
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

    /// Checks that a file is not empty, unless it is a text: a program that read nothing writes a blank one.
    private static func checkContent(of data: Data, _ path: String) throws {
        guard ReadingSniffer.otherKind(of: path) == nil || data.contains(where: { $0 > 0x20 }) else {
            throw refusal(path, "is empty; expected readings")
        }
    }

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

    /// Returns text in UTF-8, or the encoding that XML declares.
    private static func decoded(_ data: Data) throws(ImportFault) -> String {
        if let text = String(validating: data, as: UTF8.self) { return text }
        let start = String(decoding: data.prefix(200), as: UTF8.self).lowercased()
        if start.contains(/encoding=["'](iso-8859-1|windows-1252)["']/),
            let text = String(data: data, encoding: .windowsCP1252)
        {
            return text
        }
        let line = data.prefix { $0 < 0x80 }.count { $0 == 0x0A } + 1
        throw ImportFault("is not UTF-8 (the first other byte is in line \(line)); convert it: iconv -t UTF-8")
    }

    /// Reason why a file cannot be readings by its first bytes; nil for any text.
    private static func foreignKind(of data: Data) -> String? {
        if data.starts(with: [0x1F, 0x8B]) { return "is compressed with gzip; unpack it first: gunzip" }
        if data.starts(with: Array("PK\u{3}\u{4}".utf8)) { return "is a ZIP archive; unpack it first: unzip" }
        if data.starts(with: Array("%PDF".utf8)) { return "is a PDF; expected the readings of pictures" }
        let magics: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8)]
        let isHEIC = data.count > 12 && data.dropFirst(4).starts(with: Array("ftyp".utf8))
        if isHEIC || magics.contains(where: { data.starts(with: $0) }) { return "is a picture; expected its readings" }
        return data.prefix(1 << 20).contains(0) ? "is a binary file; expected text" : nil
    }

    static func refusal(_ path: String, _ problem: String) -> HarnessError { .configuration("\(path): \(problem)") }
}
