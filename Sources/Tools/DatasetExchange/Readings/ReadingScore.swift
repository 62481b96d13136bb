import Basics
package import Evaluation
import Foundation
package import Harness
import Imaging
package import SpineDatasets

/// A run made of readings that were made elsewhere.
package struct ReadingScore: Sendable {
    /// File or folder, with the name of its variant; nil for the name that it states itself.
    package struct Source: Sendable {
        package var name: String?
        package var path: String

        package init(name: String?, path: String) { (self.name, self.path) = (name, path) }
    }

    package struct Options: Sendable {
        /// Format of all files; nil for runs, and for JSON Lines by their names.
        package var format: ReadingFormat?
        /// The program that reads tables; nil for none.
        package var tables: FormatProgram?
        /// Names of the programs' formats, for the error when a format has to be named.
        package var formats: [String] = []
        /// COCO file with the file names of COCO-Text's images; nil for none.
        package var annotations: String?
        package var ignoresUnknown = false
        /// Variants whose targets decide the verdict; nil for those that did in their own run.
        package var gates: [String]?
        /// Tiers by the name of their variant.
        package var tiers: [String: String] = [:]
        package var decideBy = DecisionRule.point
        /// Suite whose targets hold, whose variants have tiers and gate, and whose keys sign recordings; nil for none.
        package var suite: Suite?

        package init() {}
    }

    package let configuration: RunConfiguration
    package private(set) var records: [SampleRecord] = []
    /// Devices that read.
    private var host = HostDescription(devices: [])
    /// What is known of each measurement, by its id.
    private var facts: [String: [String: String]] = [:]
    /// What was left out or is missing, in sentences.
    package private(set) var remarks: [String] = []

    /// Listed readings of unknown samples.
    private static let listed = 5

    /// - Throws: ``HarnessError/configuration(_:)`` for a file that is not understood, readings of unknown samples
    ///   unless they are ignored, and two readings of one sample and repetition.
    package init(_ sources: [Source], over dataset: Dataset, tool: String, options: Options) throws {
        var remarks: [String] = []
        var parts: [(name: String, files: [ReadingFile])] = []
        for source in sources {
            let files = try ReadingFile.read(source.path, options, over: dataset) { remarks.append($0) }
            for (name, file) in try Self.named(source, files) {
                let index = parts.firstIndex { $0.name == name } ?? parts.count
                if index == parts.count { parts.append((name, [])) }
                parts[index].files.append(file)
            }
        }
        let limits = Set(parts.flatMap(\.files).map(\.limit))
        let limit = limits.count == 1 ? limits.first ?? nil : nil
        var matched: [MatchedReadings] = []
        for part in parts {
            let subject = part.files.compactMap { $0.variant?.subject }.first
            let samples = dataset.pictures(of: subject ?? .spines, limit: limit)
            guard !samples.isEmpty else {
                throw HarnessError.configuration("\(dataset.path) has no pictures of \(subject ?? .spines)")
            }
            var one = MatchedReadings(name: part.name, samples: samples, store: dataset.store)
            try one.add(part.files, keys: options.suite?.recordingKeys.compactMap(SigningKey.init))
            if !one.unknown.isEmpty {
                let count = "\(NumberText.count(one.unknown.count, "reading")) of unknown samples"
                guard options.ignoresUnknown else {
                    let all = Set(dataset.pictures(of: subject ?? .spines).map(\.id))
                    let isBeyond = one.unknown.allSatisfy { all.contains($0.names.first ?? "") }
                    let list = one.unknown.prefix(Self.listed).map {
                        "\n  \($0.place.fault("\"\(($0.names.first ?? "").withoutControls)\""))"
                    }
                    let more = one.unknown.count - list.count
                    throw HarnessError.configuration(
                        "\(count) of \(dataset.manifest.name)\(isBeyond ? ", as one of the runs was limited" : ""); correct the names, "
                            + "or leave these readings out with --ignore-unknown:\(list.joined())"
                            + (more > 0 ? "\n  … and \(more) more" : "")
                    )
                }
                remarks.append("\(part.name): \(count) left out")
            }
            matched.append(one)
        }
        for name in (options.gates ?? []) + options.tiers.keys.sorted()
        where !matched.contains(where: { $0.name == name }) {
            throw HarnessError.configuration(
                "unknown variant \"\(name)\"; the files make \(matched.map(\.name).joined(separator: ", "))"
            )
        }
        let gates = options.gates ?? options.suite?.variants.filter(\.gates).map(\.name)
        let variants = try matched.map { part in
            let known = options.suite?.variants.first { $0.name == part.name }
            return try part.variant(gates: gates, tier: options.tiers[part.name] ?? known?.tier)
        }
        var run = RunConfiguration(tool: tool, datasets: [DatasetReference(dataset)], variants: variants)
        run.repetitions = matched.map(\.repetitions).max() ?? 1
        (run.warmUpReadings, run.limit, run.decideBy) = (0, limit, options.decideBy)
        if let suite = options.suite { (run.suite, run.targets) = (suite.name, suite.targets) }
        let shelves = variants.count { $0.subject == .shelves }
        if [0, variants.count].contains(shelves) { run.datasets[0].subjects = shelves > 0 ? [.shelves] : nil }
        try run.validate()
        configuration = run
        self.remarks = remarks
        complete(matched)
    }

    /// Writes `config.json`, `samples.jsonl` and `events.jsonl` into a new folder.
    package func write(to path: String) throws -> RunFolder {
        let folder = try RunFolder.create(path, configuration)
        do {
            try folder.write(records, host: host, facts: facts)
        } catch {
            // Half of a run cannot be continued; the command makes all of it again.
            for name in [RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events] {
                try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            }
            throw error
        }
        return folder
    }

    private mutating func complete(_ matched: [MatchedReadings]) {
        for (measurement, part) in zip(configuration.measurements, matched) {
            let (own, missing) = part.records(measurement.id)
            records += own
            if missing > 0 {
                let count = NumberText.count(missing, "reading")
                remarks.append("\(part.name): \(count) missing in \(part.paths), which count as failed")
            }
            let origin = measurement.variant.origin
            if let problems = origin?.problems {
                remarks.append(
                    "\(part.name): its times are \(EvidenceClass.reportedByRecording.rawValue), not "
                        + "\(EvidenceClass.measuredOnDevice.rawValue): \(problems.joined(separator: "; "))"
                )
            }
            facts[measurement.id] = [
                "system": origin?.system, "device": origin?.device, "recorder": origin?.recorder,
                "files": origin?.files.joined(separator: "; "),
            ].compactMapValues(\.self)
        }
        let timed = zip(configuration.variants, matched).filter { $1.isTimed }
        host = HostDescription(devices: timed.compactMap(\.0.origin?.device).uniqued)
    }

    /// Returns the variants of a source with their names.
    private static func named(_ source: Source, _ files: [ReadingFile]) throws -> [(name: String, file: ReadingFile)] {
        let own = files.compactMap { file in file.variant.map { ($0.name, file) } }
        guard !own.isEmpty else { return files.map { (source.name ?? Self.name(of: $0), $0) } }
        guard let name = source.name else { return own }
        if let chosen = own.first(where: { $0.0 == name }) { return [chosen] }
        guard own.count == 1 else {
            throw ReadingFile.refusal(
                source.path,
                "has the variants \(own.map(\.0).joined(separator: ", ")); name one of them, or give no name"
            )
        }
        return [(name, own[0].1)]
    }

    /// The stated system of a recording, or the name of the file, of its folder where the file is named as its one picture.
    private static func name(of file: ReadingFile) -> String {
        let (own, folder) = (ReadingFile.name(of: file.path), URL(filePath: file.path).deletingLastPathComponent())
        let isOfPicture =
            file.readings.count == 1 && file.format != .readings
            && file.readings[0].names.contains { own.hasPrefix($0) }
        let named = isOfPicture && !FileManager.default.isFolder(file.path) ? folder.lastPathComponent : own
        let name = file.format == .readings ? file.system ?? named : named
        let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
        return plain.allSatisfy { $0 == "." || $0 == "-" } ? "readings" : String(plain)
    }
}

/// The readings of one variant, each with its sample.
struct MatchedReadings {
    let name: String
    let samples: [Sample]
    let store: PictureStore
    private var files: [ReadingFile] = []
    private var readings: [Key: StatedReading] = [:]
    private(set) var unknown: [StatedReading] = []
    private(set) var repetitions = 1

    private struct Key: Hashable {
        var sample: Int
        var repetition: Int
    }

    init(name: String, samples: [Sample], store: PictureStore) {
        (self.name, self.samples, self.store) = (name, samples, store)
    }

    /// "phone.jsonl and 2 more".
    var paths: String {
        let names = files.map { URL(filePath: $0.path).lastPathComponent }
        return names.count < 2 ? names.joined() : "\(names[0]) and \(names.count - 1) more"
    }

    var isTimed: Bool { readings.values.contains { ($0.record?.milliseconds ?? $0.milliseconds) != nil } }

    mutating func add(_ new: [ReadingFile], keys: [SigningKey]?) throws {
        let finder = SampleFinder(samples)
        files = new
        for index in files.indices {
            files[index].check(over: store, keys: keys) { reading in
                ((try? finder.find(reading.names, isByID: reading.isByID)) ?? nil).map { samples[$0] }
            }
            for reading in files[index].readings {
                let sample: Int?
                do throws(ImportFault) { sample = try finder.find(reading.names, isByID: reading.isByID) } catch {
                    throw HarnessError.configuration("\(reading.place.fault(error.messages.joined()))")
                }
                guard let sample else {
                    unknown.append(reading)
                    continue
                }
                guard reading.repetition >= 1 else {
                    let fault = reading.place.fault("\"repetition\" is \(reading.repetition); expected 1 or more")
                    throw HarnessError.configuration("\(fault)")
                }
                let key = Key(sample: sample, repetition: reading.repetition)
                guard let first = readings.updateValue(reading, forKey: key)?.place else { continue }
                let origin = first.line.map { "\(first.file):\($0)" } ?? first.file
                throw HarnessError.configuration(
                    "\(reading.place.fault("a second reading of \(samples[sample].id), repetition \(reading.repetition)")); "
                        + "the first is in \(origin): remove one of them, number repetitions, or name two variants NAME=FILE"
                )
            }
        }
        let numbers = Set(readings.keys.map(\.repetition))
        repetitions = numbers.max() ?? 1
        guard repetitions == max(1, numbers.count) else {
            let gap = (1...repetitions).first { !numbers.contains($0) } ?? 1
            throw HarnessError.configuration(
                "\(name): there are readings of repetition \(repetitions), and none of repetition \(gap); number them from 1 on"
            )
        }
    }

    func variant(gates: [String]?, tier: String?) throws -> Variant {
        let own = files.compactMap(\.variant).first
        var variant = own ?? Variant(name: name, tier: nil, settings: [:])
        (variant.name, variant.limitSeconds) = (name, nil)
        variant.tier = tier ?? variant.tier
        variant.gates = gates?.contains(name) ?? variant.gates
        let evidence = Set(files.map(\.evidence))
        variant.evidence = evidence.count == 1 ? evidence.first : .reported
        func all(_ fact: (ReadingFile) -> String?) -> String? {
            let facts = files.compactMap(fact).uniqued
            return facts.isEmpty ? nil : facts.joined(separator: "; ")
        }
        variant.origin = ReadingOrigin(
            files: try Self.digests(of: files),
            repetitions: repetitions,
            system: all(\.system),
            recorder: all(\.recorder),
            device: all(\.device),
            isPhone: files.allSatisfy(\.isPhone)
        )
        let problems = files.flatMap(\.problems).uniqued
        variant.origin?.problems = problems.isEmpty ? nil : problems
        variant.origin?.key = all {
            $0.evidence == .measuredOnDevice ? $0.facts?.signature?.key ?? $0.variant?.origin?.key : nil
        }
        return variant
    }

    /// Returns the name and SHA-256 of each file; of more than eight, one of all.
    private static func digests(of files: [ReadingFile]) throws -> [String] {
        let paths = files.flatMap { file in
            file.format == .run
                ? ["\(file.path)/\(RunFolder.Name.samples)"] : Set(file.readings.map(\.place.file)).sorted()
        }
        let digests = try paths.map { (URL(filePath: $0).lastPathComponent, try SHA256.hex(ofFile: $0)) }
        guard digests.count > 8 else { return digests.map { "\($0) sha256:\($1)" } }
        let listing = digests.map { "\($1)  \($0)\n" }.joined()
        return ["\(digests.count) files sha256:\(SHA256.hex(of: Array(listing.utf8)))"]
    }

    /// Returns a record of every sample in every repetition, and how many have no reading.
    func records(_ measurement: String) -> (records: [SampleRecord], missing: Int) {
        var (records, missing) = ([SampleRecord](), 0)
        for repetition in 1...repetitions {
            for (position, sample) in samples.enumerated() {
                let reading = readings[Key(sample: position, repetition: repetition)]
                if reading == nil { missing += 1 }
                var record = SampleRecord(
                    measurement: measurement,
                    repetition: repetition,
                    position: position,
                    id: sample.id
                )
                fill(&record, from: reading, of: sample)
                records.append(record)
            }
        }
        return (records, missing)
    }

    private func fill(_ record: inout SampleRecord, from reading: StatedReading?, of sample: Sample) {
        if let own = reading?.record {
            let measurement = record.measurement
            record = own
            (record.measurement, record.worker, record.machine) = (measurement, nil, nil)
        } else if let reading {
            (record.milliseconds, record.stated) = (reading.milliseconds, reading.stated)
            switch reading.outcome {
            case .success(let prediction):
                record.prediction = reading.isRelative ? inPixels(prediction, of: sample.image) : prediction
            case .failure(let failure): (record.outcome, record.problem) = (.failed, failure.description)
            }
        } else {
            (record.outcome, record.problem) = (.failed, "no reading in \(paths)")
        }
        record.score = sample.shelf == nil ? record.score(against: sample) : nil
    }

    /// Returns a prediction with places in pixels instead of shares of a picture; without its size there are none.
    private func inPixels(_ prediction: Prediction, of image: String) -> Prediction {
        let size = (try? store.contents(of: image)).flatMap { try? ImageCodec.header(of: $0, name: image) }?.size
        var prediction = prediction
        for index in prediction.lines.indices {
            prediction.lines[index].quad = size.flatMap { size in
                prediction.lines[index].quad?.mapped {
                    Point(x: $0.x * Double(size.width), y: $0.y * Double(size.height))
                }
            }
        }
        return prediction
    }
}

/// Finder of the sample that a reading is of.
struct SampleFinder {
    private let samples: [Sample]
    private let byID: [String: Int]
    /// By the picture's path, by its last part, and by that without its ending.
    private let byImage: [String: [Int]]
    private let byName: [String: [Int]]
    private let byStem: [String: [Int]]

    init(_ samples: [Sample]) {
        func name(_ index: Int) -> String { String(samples[index].image.split(separator: "/").last ?? "") }
        self.samples = samples
        byID = Dictionary(samples.indices.map { (samples[$0].id, $0) }) { $1 }
        byImage = Dictionary(grouping: samples.indices) { samples[$0].image }
        byName = Dictionary(grouping: samples.indices, by: name)
        byStem = Dictionary(grouping: samples.indices) { Self.stem(name($0)) }
    }

    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }

    /// Returns the place of the sample that the first known name means; nil when all are unknown.
    ///
    /// - Throws: ``ImportFault`` for a picture of several samples.
    func find(_ names: [String], isByID: Bool = false) throws(ImportFault) -> Int? {
        for name in names {
            if let index = byID[name] { return index }
            if isByID { continue }
            for path in ForeignPath.meanings(of: name) {
                let last = path.name
                var found = byImage[path.relative] ?? byName[last] ?? []
                if found.count > 1 {
                    let exact = found.filter { "/\(path.relative)".hasSuffix("/\(samples[$0].image)") }
                    if !exact.isEmpty { found = exact }
                }
                if found.isEmpty, let index = byID[Self.stem(last)] { return index }
                if found.isEmpty { found = byStem[Self.stem(last)] ?? byStem[last] ?? [] }
                guard found.count <= 1 else {
                    let ids = found.prefix(3).map { samples[$0].id }.joined(separator: ", ")
                    throw ImportFault(
                        "picture \"\(name)\" is of \(found.count) samples (\(ids)\(found.count > 3 ? ", …" : "")); name the sample instead"
                    )
                }
                if let index = found.first { return index }
            }
        }
        return nil
    }
}

extension [String] {
    /// The texts in order, each once.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
