import Basics
import Evaluation
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Kinds of readings that were made elsewhere.
package enum ReadingFormat: Sendable, Equatable {
    /// JSON Lines of this project: a header, and a reading a line.
    case readings
    /// Folder of a run.
    case run
    /// Readings of another tool, which a program prints.
    case program(FormatProgram)
}

/// Reading of a picture as a file states it.
struct StatedReading {
    var place: ImportPlace
    /// Names of the picture, best first: a sample's id, a path, or a file's name with any ending or none.
    var names: [String]
    var repetition = 1
    var outcome = Result<Prediction, ReaderFailure>.success(Prediction(lines: []))
    var milliseconds: Double?
    var stated: StatedFigures?
    var recorded = RecordedReading()
    /// Whether the name is a sample's id, and nothing else.
    var isByID = false
    /// Whether places are in shares of the picture.
    var isRelative = false
    /// Record of a run; nil for readings of others.
    var record: SampleRecord?

    init(place: ImportPlace, names: [String]) { (self.place, self.names) = (place, names) }
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

    init(path: String, format: ReadingFormat) { (self.path, self.format) = (path, format) }

    private static let endings: Set = ["jsonl", "ndjson"]

    /// Reads a file or a folder; a run's folder gives a part for each of its variants.
    ///
    /// `remark`: Receives what is left out.
    /// - Throws: ``HarnessError/configuration(_:)`` with file and line for anything that is not understood.
    static func read(
        _ path: String,
        _ options: ReadingScore.Options,
        over dataset: Dataset,
        remark: (String) -> Void
    ) throws -> [ReadingFile] {
        let format = options.format
        guard FileManager.default.fileExists(atPath: path) else { throw refusal(path, "does not exist") }
        if case .program(let program) = format {
            let paths = [path] + [options.annotations].compactMap(\.self)
            return [try OwnReadings.read(program, paths, remark)]
        }
        let isFolder = FileManager.default.isFolder(path)
        let isRecords = URL(filePath: path).lastPathComponent == RunFolder.Name.samples
        let folder = isRecords ? URL(filePath: path).deletingLastPathComponent().path : path
        let isRun = FileManager.default.fileExists(atPath: "\(folder)/\(RunFolder.Name.configuration)")
        if isRun, format != .readings { return try RunReadings.read(folder, over: dataset, remark: remark) }
        guard format != .run else { throw refusal(path, "is not the folder of a run: it has no config.json") }
        if format == nil, let tables = options.tables, isTable(path) {
            return [try OwnReadings.read(tables, [path], remark)]
        }
        let files = LabelFile.files(path, endings)
        guard let first = files.first, format == .readings || endings.contains(LabelFile.ending(first)) else {
            throw refusal(
                path,
                "is neither a run, JSON Lines (jsonl, ndjson) nor a table (csv, tsv, or json of texts); name the format of other readings with "
                    + "--format (\(options.formats.joined(separator: ", ")))\(LabelFile.guess(path) { guesses[LabelFile.ending($0)] })"
            )
        }
        if !isFolder { return [try OwnReadings.read(first)] }
        let parts = try files.map(OwnReadings.read)
        var whole = ReadingFile(path: path, format: .readings)
        (whole.system, whole.readings) = (parts[0].system, parts.flatMap(\.readings))
        return [whole]
    }

    /// Whether it is a table, or one object of texts: `{"id": "text"}`.
    private static func isTable(_ path: String) -> Bool {
        guard LabelFile.ending(path) == "json" else { return ["csv", "tsv"].contains(LabelFile.ending(path)) }
        let value = (try? Data(contentsOf: URL(filePath: path))).flatMap { try? JSONParser.parse(Array($0)) }
        return value?.fields?.values.allSatisfy { $0.text != nil } ?? false
    }

    /// Formats that other readings may be in, by the ending of the first file.
    private static let guesses = [
        "hocr": "hocr", "html": "hocr", "htm": "hocr", "xml": "alto or page", "txt": "text or paddleocr",
        "json": "paddleocr, coco-text or vision",
    ]

    /// Name of a file without its ending, which names a picture.
    static func name(of path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    static func refusal(_ path: String, _ problem: String) -> HarnessError { .configuration("\(path): \(problem)") }
}
