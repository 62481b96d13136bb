import Basics
import Evaluation
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Readings in JSON Lines: `{"readings": 1, …}` as a header, and then one reading a line; of a file, or of a program.
enum OwnReadings {
    private struct Program: Decodable {
        var name: String
        var version: String?

        var text: String { [name, version].compactMap { $0?.onOneLine.prefix(100) }.joined(separator: " ") }
    }

    private struct Device: Decodable {
        var model: String
        var os: String?
        var processor: String?
        var simulator: Bool?

        /// "iPhone17,1 (A18 Pro), iOS 26.1", with "simulator" in front where it is one.
        var text: String {
            let chip = processor.map { " (\($0.onOneLine.prefix(60)))" } ?? ""
            let name = model.onOneLine.prefix(60) + chip
            let system = os.map { ", \($0.onOneLine.prefix(60))" } ?? ""
            return (simulator == true ? "simulator, " : "") + name + system
        }

        var isPhone: Bool { simulator != true && ["iOS", "iPadOS", "Android"].contains { os?.hasPrefix($0) == true } }
    }

    private struct Line: Decodable {
        var readings: Int?
        var system: Program?
        var device: Device?
        var recorder: Program?
        var sample: String?
        var image: String?
        var id: String?
        var repetition: Int?
        var latency: Double?
        /// Field of labels alone.
        var transcription: String?
        var app: RecordingFacts.App?
        /// Field of the last line alone.
        var signature: String?
    }

    static func read(_ path: String) throws -> ReadingFile {
        var file = ReadingFile(path: path, format: .readings)
        let lines = try LabelFile.lines(path)
        if lines.isEmpty { throw ReadingFile.refusal(path, "is empty; expected readings") }
        for (number, bytes) in lines {
            let isFirst = number == lines[0].number
            try placed(ImportPlace(file: path, line: number)) { place throws(ImportFault) in
                try take(bytes, at: place, isFirst: isFirst, into: &file)
            }
        }
        return file
    }

    /// Fields that a program may print, beside those of places.
    private static let keys: Set = [
        "readings", "system", "device", "recorder", "started", "sample", "image", "repetition", "latency", "memory",
        "memoryPeak", "thermal", "energy", "battery", "lines", "text", "stages", "book", "error", "relative",
    ]

    /// Reads what a format's program prints of a file or a folder: the same lines, in which `image` may be a list of names, best first,
    /// and a quad any polygon.
    static func read(
        _ program: FormatProgram,
        _ paths: [String],
        _ remark: (String) -> Void
    ) throws -> ReadingFile {
        var file = ReadingFile(path: paths[0], format: .program(program))
        for record in try program.records(.readings, of: paths, keys: keys) {
            if let text = record.fields["remark"]?.plainText { remark(text) }
            try placed(record.place) { place throws(ImportFault) in
                if let fault = record.fault { throw ImportFault(messages: fault) }
                var fields = record.fields.filter { $0.key != "remark" && $0.key != "relative" }
                // A header of each file names the same program.
                if fields.isEmpty || fields["readings"] != nil && file.system != nil { return }
                let names = fields["image"].map { ($0.list ?? [$0]).compactMap(\.plainText) } ?? []
                fields["image"] = names.first.map(JSONValue.string)
                fields["lines"] = try fields["lines"].map(lines)
                guard let bytes = try? JSONEncoder().encode(JSONValue.object(fields)) else {
                    throw ImportFault("has a number that JSON cannot represent")
                }
                let count = file.readings.count
                try take(Array(bytes), at: place, isFirst: true, into: &file)
                guard file.readings.count > count else { return }
                if fields["sample"] == nil { file.readings[count].names = names }
                file.readings[count].isRelative = record.fields["relative"] == .bool(true)
            }
        }
        guard !file.readings.isEmpty else { throw ReadingFile.refusal(paths[0], "has no readings in it") }
        return file
    }

    /// Returns lines whose places are quads: a polygon's is the smallest rectangle around it.
    private static func lines(_ value: JSONValue) throws(ImportFault) -> JSONValue {
        var lines = value.list ?? []
        for index in lines.indices {
            guard var line = lines[index].fields else { continue }
            try FormatProgram.check(line, ["text", "confidence", "quad"])
            if let quad = line["quad"], quad != .null {
                guard let points = quad.points else {
                    throw ImportFault(
                        "lines[\(index)]: \"quad\" is \(quad.kind); expected three pairs of numbers or more"
                    )
                }
                let corners = Quad(around: points)?.corners
                line["quad"] = corners.map { .array($0.map { .array([.number($0.x), .number($0.y)]) }) }
            }
            lines[index] = .object(line)
        }
        return value.list == nil ? value : .array(lines)
    }

    /// Calls `body`, and throws its fault with its place.
    private static func placed(
        _ place: ImportPlace,
        _ body: (ImportPlace) throws(ImportFault) -> Void
    ) throws(HarnessError) {
        do throws(ImportFault) { try body(place) } catch {
            throw .configuration("\(place.fault(error.messages.joined(separator: "; ")))")
        }
    }

    private static func take(
        _ bytes: [UInt8],
        at place: ImportPlace,
        isFirst: Bool,
        into file: inout ReadingFile
    ) throws(ImportFault) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw ImportFault("is not UTF-8") }
        let isCut = bytes.last != UInt8(ascii: "}")
        let hint = isCut ? "; the line is cut off: remove it to score the others" : ""
        // Its faults have a column, and no key may stand twice.
        do { _ = try JSONParser.parse(bytes) } catch {
            throw ImportFault("is not a reading: \(error)\(hint)")
        }
        func decoded<Part: Decodable>(_ part: Part.Type) throws(ImportFault) -> Part {
            do { return try JSONDecoder().decode(part, from: Data(bytes)) } catch {
                throw ImportFault("is not a reading: \(error.systemReason)")
            }
        }
        let line = try decoded(Line.self)
        if let version = line.readings {
            guard version == 1 else { throw ImportFault("\"readings\" is \(version); expected 1") }
            guard isFirst else { throw ImportFault("is a second header; score the two files apart") }
            (file.system, file.recorder, file.device) = (line.system?.text, line.recorder?.text, line.device?.text)
            file.isPhone = line.device?.isPhone ?? false
            guard line.recorder?.name == RecordingCheck.recorder else { return }
            file.facts = RecordingFacts(
                version: line.recorder?.version,
                model: line.device?.model,
                isSimulator: line.device?.simulator == true,
                app: line.app
            )
            file.evidence = .reportedByRecording
            file.isPhone = file.isPhone && line.device.map { RecordingCheck.isIdentifier($0.model) } == true
            return
        }
        guard file.facts?.signature == nil else { throw ImportFault("follows the signature, which is the last line") }
        if line.signature != nil {
            guard file.facts != nil else {
                throw ImportFault(
                    "is a signature, but the header does not name the recorder \(RecordingCheck.recorder)"
                )
            }
            file.facts?.signature = try decoded(RecordingFacts.Signature.self)
            return
        }
        guard line.transcription == nil else { throw ImportFault("is a label of a dataset, not a reading") }
        guard let name = line.sample ?? line.image ?? line.id else {
            throw ImportFault("\"sample\" or \"image\" is missing")
        }
        let repetition = line.repetition ?? 1
        guard repetition >= 1 else { throw ImportFault("\"repetition\" is \(repetition); expected 1 or more") }
        let figures = try decoded(StatedFigures.self)
        try check("latency", line.latency, 0...86_400_000)
        try check("energy", figures.energy, 0...1e9)
        try check("memory", figures.memory, -1e9...1e9)
        try check("memoryPeak", figures.memoryPeak, -1e9...1e9)
        try check("battery", figures.battery, 0...1)
        var reading = StatedReading(place: place, names: [name])
        reading.isByID = line.sample != nil
        do { reading.outcome = try ReaderAnswer(reading: bytes).outcome() } catch {
            throw ImportFault(error.description)
        }
        (reading.repetition, reading.milliseconds) = (repetition, line.latency)
        reading.stated = figures.isEmpty ? nil : figures
        reading.recorded = try decoded(RecordedReading.self)
        file.readings.append(reading)
    }

    private static func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(ImportFault) {
        guard let value, !range.contains(value) else { return }
        let (low, high) = (NumberText.short(range.lowerBound), NumberText.short(range.upperBound))
        throw ImportFault("\"\(name)\" is \(value); expected \(low) to \(high)")
    }
}

/// Readings of a run: those of the scenario `single`, by variant.
enum RunReadings {
    static func read(_ path: String, over dataset: Dataset, remark: (String) -> Void) throws -> [ReadingFile] {
        let run = try RunFolder.contents(path)
        let host = run.events.compactMap(\.host).first
        let records = Dictionary(grouping: run.records, by: \.measurement)
        var files: [ReadingFile] = []
        for measurement in run.configuration.measurements {
            guard measurement.scenario.kind == .single else {
                remark("\(path): \(measurement.id) is left out: only readings of the scenario single can be scored")
                continue
            }
            guard measurement.dataset.name == dataset.manifest.name else {
                remark("\(path): \(measurement.id) is left out: it read the dataset \(measurement.dataset.name)")
                continue
            }
            let isSame = measurement.dataset.digest == dataset.digest
            guard isSame || measurement.variant.subject != .shelves else {
                throw ReadingFile.refusal(path, "\(measurement.id) read shelves of another version of \(dataset.path)")
            }
            var file = ReadingFile(path: path, format: .run)
            file.variant = measurement.variant
            let (own, origin) = (records[measurement.id] ?? [], measurement.variant.origin)
            file.system = origin?.system ?? run.configuration.tool
            file.device = origin.map(\.device) ?? host?.fingerprint
            (file.recorder, file.limit) = (origin?.recorder, run.configuration.limit)
            file.isPhone = origin.map { $0.isPhone == true } ?? (host?.isPhone == true)
            file.evidence = origin == nil ? .reported : measurement.variant.evidence ?? .reported
            if own.contains(where: { $0.book != nil }), !isSame {
                remark(
                    "\(path): \(measurement.id): books are not scored, as the run read another version of the dataset"
                )
            }
            file.readings = own.map { record in
                var record = record
                if !isSame { record.book = nil }
                let names = ["\(record.id)"]
                let place = ImportPlace(file: "\(path)/\(RunFolder.Name.samples)")
                var reading = StatedReading(place: place, names: names)
                (reading.repetition, reading.record) = (record.repetition, record)
                return reading
            }
            files.append(file)
        }
        guard !files.isEmpty else {
            throw ReadingFile.refusal(path, "has no readings of \(dataset.manifest.name) in the scenario single")
        }
        return files
    }
}
