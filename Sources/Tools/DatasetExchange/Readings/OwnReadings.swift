import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Readings in JSON Lines: `{"readings": 1, …}` as a header, and then one reading a line.
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
        var repetition: Int?
        var latency: Double?
        /// Field of labels alone.
        var transcription: String?
        var figures: StatedFigures
        var app: RecordingFacts.App?
        var recorded: RecordedReading
        var signature: RecordingFacts.Signature?

        private enum Key: CodingKey {
            case readings, system, device, recorder, sample, image, repetition, latency, transcription, app, signature
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            readings = try fields.decodeIfPresent(Int.self, forKey: .readings)
            system = try fields.decodeIfPresent(Program.self, forKey: .system)
            device = try fields.decodeIfPresent(Device.self, forKey: .device)
            recorder = try fields.decodeIfPresent(Program.self, forKey: .recorder)
            sample = try fields.decodeIfPresent(String.self, forKey: .sample)
            image = try fields.decodeIfPresent(String.self, forKey: .image)
            repetition = try fields.decodeIfPresent(Int.self, forKey: .repetition)
            latency = try fields.decodeIfPresent(Double.self, forKey: .latency)
            transcription = try fields.decodeIfPresent(String.self, forKey: .transcription)
            figures = try StatedFigures(from: decoder)
            app = try fields.decodeIfPresent(RecordingFacts.App.self, forKey: .app)
            recorded = try RecordedReading(from: decoder)
            signature = fields.contains(.signature) ? try RecordingFacts.Signature(from: decoder) : nil
        }
    }

    static func read(_ path: String) throws -> ReadingFile {
        var file = ReadingFile(path: path, format: .readings)
        var reader = try LineReader(path)
        var isFirst = true
        while let bytes = try reader.next() {
            if bytes.isBlank { continue }
            let place = ImportPlace(file: path, line: reader.number)
            do throws(ImportFault) {
                try take(bytes, at: place, isFirst: isFirst, into: &file)
            } catch {
                throw HarnessError.configuration("\(place.fault(error.messages.joined(separator: "; ")))")
            }
            isFirst = false
        }
        return file
    }

    private static func take(
        _ bytes: [UInt8],
        at place: ImportPlace,
        isFirst: Bool,
        into file: inout ReadingFile
    ) throws(ImportFault) {
        guard bytes.utf8Text != nil else { throw ImportFault("is not UTF-8") }
        let isCut = bytes.last != UInt8(ascii: "}")
        let hint = isCut ? "; the line is cut off: remove it to score the others" : ""
        // Its faults have a column, and no key may stand twice.
        do { _ = try JSONParser.parse(bytes) } catch {
            throw ImportFault("is not a reading: \(error)\(hint)")
        }
        let line: Line
        do { line = try JSONDecoder().decode(Line.self, from: Data(bytes)) } catch {
            throw ImportFault("is not a reading: \(JSONLine.reason(of: error))")
        }
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
        if let signature = line.signature {
            guard file.facts != nil else {
                throw ImportFault(
                    "is a signature, but the header does not name the recorder \(RecordingCheck.recorder)"
                )
            }
            file.facts?.signature = signature
            return
        }
        guard line.transcription == nil else { throw ImportFault("is a label of a dataset, not a reading") }
        guard let name = line.sample ?? line.image else { throw ImportFault("\"sample\" or \"image\" is missing") }
        let repetition = line.repetition ?? 1
        guard repetition >= 1 else { throw ImportFault("\"repetition\" is \(repetition); expected 1 or more") }
        let figures = line.figures
        try check("latency", line.latency, 0...86_400_000)
        try check("energy", figures.energy, 0...1e9)
        try check("memory", figures.memory, -1e9...1e9)
        try check("memoryPeak", figures.memoryPeak, -1e9...1e9)
        try check("battery", figures.battery, 0...1)
        var reading = StatedReading(place: place, names: [name], lines: [])
        reading.isByID = line.sample != nil
        do { reading.outcome = try ReaderAnswer(reading: bytes).outcome() } catch {
            throw ImportFault(error.description)
        }
        (reading.repetition, reading.milliseconds) = (repetition, line.latency)
        reading.stated = figures.isEmpty ? nil : figures
        reading.recorded = line.recorded
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
                var reading = StatedReading(
                    place: ImportPlace(file: "\(path)/\(RunFolder.Name.samples)"),
                    names: names,
                    lines: []
                )
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
