import Basics
package import Evaluation
import Foundation
package import SpineDatasets

/// All data of a run: its result, every reading, and the labels for their scores.
package struct RunContents: Sendable {
    /// Name of its folder, which identifies the run.
    package var name: String
    package var result: RunResult
    package var records: [SampleRecord]
    package var datasets: [Dataset]
    var path = ""
    package var events: [RunEvent] = []
    /// Reasons for an incomplete report, such as a missing dataset.
    package var warnings: [String] = []

    package var samples: SampleIndex { SampleIndex(result.measurements, datasets: datasets) }

    /// Returns the ids of samples whose records were lost: planned ones without, of a measurement that was completed.
    package func lostSamples(of measurement: String) -> [String] {
        guard events.contains(where: { $0.kind == .measured && $0.measurement == measurement }),
            let measured = result.configuration.measurements.first(where: { $0.id == measurement }),
            let dataset = datasets.first(where: { $0.manifest.name == measured.dataset.name }),
            case .listed(let steps) = result.configuration.plan(measured, dataset).steps
        else { return [] }
        let read = Set(records.map(\.key))
        let lost = steps.filter {
            !read.contains(.init(measurement: measurement, repetition: $0.repetition, id: $0.sample.id))
        }
        return Set(lost.map(\.sample.id)).sorted()
    }
}

extension RunContents {
    package init(_ result: RunResult, in folder: RunFolder, datasets: [Dataset]) {
        let name = URL(filePath: folder.path).lastPathComponent
        self.init(name: name, result: result, records: folder.records(), datasets: datasets)
    }

    /// Returns the run in a folder, scored again over its datasets: in `folders`, in its order, or in the folders
    /// that it names, with labels as corrected since.
    ///
    /// - Throws: when a dataset is missing or another one than was read, or devices gate and have no results.
    package static func scored(_ path: String, datasets folders: [String] = []) throws -> RunContents {
        let stored = try RunFolder.contents(path)
        let datasets = try datasets(of: stored.configuration, readBy: path, in: folders)
        let contents = try RunContents(path, stored, datasets)
        // A stopped run decides nothing, and its devices are modelled when it is whole.
        let gates = contents.result.configuration.devices.map { $0.gates != .none } ?? false
        let misses = gates && contents.result.devices == nil
        guard contents.result.isPartial || !misses else {
            throw HarnessError.runFolder(
                path: "\(path)/\(RunFolder.Name.devices)",
                problem: "is missing or contains no device, but the run gates on devices; model them again: "
                    + "spinebench run --resume \(path)"
            )
        }
        return contents
    }

    /// Returns a run's datasets: in `folders`, in its order, or in the folders that it names, with labels as corrected since.
    ///
    /// - Throws: when a dataset is missing or another one than was read.
    package static func datasets(
        of configuration: RunConfiguration,
        readBy path: String,
        in folders: [String]
    ) throws -> [Dataset] {
        let references = configuration.datasets
        guard folders.isEmpty || folders.count == references.count else {
            throw HarnessError.configuration(
                "\(path) read \(references.count) datasets (\(references.map(\.name).joined(separator: ", "))), and "
                    + "--dataset names \(folders.count)"
            )
        }
        let datasets = try (folders.isEmpty ? references.map { $0.place(of: path) } : folders).map {
            try DatasetLoader().load($0)
        }
        for (reference, dataset) in zip(references, datasets) where dataset.mends(since: reference.digest) == nil {
            throw HarnessError.configuration(
                "\(dataset.path) has the digest \(dataset.digest), but \(path) read \(reference.name) with "
                    + "\(reference.digest): specify the folder of that dataset with --dataset, or run again over this one"
            )
        }
        return datasets
    }

    package init(
        _ path: String,
        _ stored: RunFolder.Contents,
        _ datasets: [Dataset],
        warnings: [String] = []
    ) throws {
        (self.path, self.datasets, self.warnings) = (path, datasets, warnings)
        name = URL(filePath: path).standardizedFileURL.lastPathComponent
        (records, events) = (stored.records, stored.events)
        guard warnings.isEmpty else {
            result = try Self.reported(in: path, because: warnings)
            return
        }
        var configuration = stored.configuration
        var origins: [String: RunResult.DatasetSummary.Mend] = [:]
        for (place, dataset) in zip(configuration.datasets.indices, datasets) {
            let digest = configuration.datasets[place].digest
            let mends = dataset.mends(since: digest) ?? []
            Self.rescorePhotos(of: dataset, configuration, &records)
            guard !mends.isEmpty else { continue }
            let samples = Set(mends.flatMap(\.samples))
            origins[dataset.manifest.name] = .init(digest: digest, samples: samples.count)
            configuration.datasets[place].digest = dataset.digest
            let measurements = Set(
                configuration.measurements.filter { $0.dataset.name == dataset.manifest.name }.map(\.id)
            )
            for index in records.indices
            where samples.contains(records[index].id) && measurements.contains(records[index].measurement) {
                // The text is scored with the new label; who judged the book's name is not here.
                (records[index].score, records[index].book) = (nil, nil)
            }
        }
        result = try RunResult(
            configuration: configuration,
            datasets: datasets,
            records: records,
            events: events
        )
        for index in result.datasets.indices { result.datasets[index].mended = origins[result.datasets[index].name] }
        if let record = try DeviceRecord.load(from: path) { result.add(record) }
    }

    /// Finds the titles on a dataset's photos of shelves by the present rule.
    private static func rescorePhotos(
        of dataset: Dataset,
        _ configuration: RunConfiguration,
        _ records: inout [SampleRecord]
    ) {
        let photos = Dictionary(first: dataset.pictures(of: .shelves).map { ($0.id, $0) })
        let own = Set(configuration.measurements.filter { $0.dataset.name == dataset.manifest.name }.map(\.id))
        for index in records.indices where records[index].shelf != nil && own.contains(records[index].measurement) {
            records[index].shelf = records[index].shelf(against: photos[records[index].id])
        }
    }

    /// Returns the run in a folder or of its `report.json`, scored again when its datasets are unchanged, else as
    /// reported.
    ///
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when there is no run, or neither datasets nor a report.
    package static func load(_ path: String) throws -> RunContents {
        let url = URL(filePath: path)
        let folder = url.pathExtension == "json" ? url.deletingLastPathComponent().path : path
        let name = URL(filePath: folder).standardizedFileURL.lastPathComponent
        let stored = try RunFolder.contents(folder)
        var (datasets, warnings): ([Dataset], [String]) = ([], [])
        for reference in stored.configuration.datasets {
            guard let dataset = try? DatasetLoader().load(reference.place(of: folder)) else {
                warnings.append("\(name): \(reference.path) cannot be read; its pictures and labels are omitted")
                continue
            }
            if dataset.mends(since: reference.digest) != nil {
                datasets.append(dataset)
            } else {
                warnings.append("\(name): \(reference.path) has changed since it was read, and is omitted")
            }
        }
        var contents = try RunContents(folder, stored, datasets, warnings: warnings)
        let rule = contents.result.scoringRule ?? 1
        if rule != ScoringRule.current {
            contents.warnings.append(
                "\(name): its titles, authors and publishers were found by rule \(rule), and are not comparable with those of "
                    + "this program (rule \(ScoringRule.current)); with its dataset they are scored again"
            )
        }
        return contents
    }

    private static func reported(in folder: String, because warnings: [String]) throws -> RunResult {
        let path = "\(folder)/\(RunFolder.Name.report)"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.runFolder(path: path, problem: "is missing, and \(warnings.joined(separator: "; "))")
        }
        return try RunResult(report: Array(data), path, because: warnings)
    }
}

extension RunResult {
    /// Reads a `report.json`; `warnings` are the reasons why its readings cannot be scored in its place.
    package init(report bytes: [UInt8], _ path: String, because warnings: [String] = []) throws {
        self = try JSONFile.read(Data(bytes), format: Self.format) { reason, isOther in
            let reason = ([reason] + (isOther ? warnings : [])).joined(separator: ", and ")
            let folder = URL(filePath: path).deletingLastPathComponent().relativePath
            let way = "; put its datasets back, and 'spinebench report \(folder)' scores its readings again"
            return .runFolder(path: path, problem: reason + (isOther ? way : ""))
        }
    }
}

/// Index from a record to its sample and dataset.
package struct SampleIndex: Sendable {
    private var labels: [String: (dataset: Dataset, samples: [String: Sample])] = [:]

    package init(_ measurements: [MeasurementResult], datasets: [Dataset]) {
        for dataset in datasets.reversed() {
            let samples = Subject.allCases.map { subject in
                (subject, Dictionary(first: dataset.pictures(of: subject).map { ($0.id, $0) }))
            }
            let bySubject = Dictionary(uniqueKeysWithValues: samples)
            for measurement in measurements where measurement.dataset == dataset.manifest.name {
                labels[measurement.id] = (dataset, bySubject[measurement.variant.subject ?? .spines] ?? [:])
            }
        }
    }

    /// Returns the sample that `record` is a reading of, with its dataset's name and digest; nil when its labels are
    /// not at hand.
    package func sample(of record: SampleRecord) -> (sample: Sample, dataset: String, digest: String)? {
        guard let labels = labels[record.measurement], let sample = labels.samples[record.id] else { return nil }
        return (sample, labels.dataset.manifest.name, labels.dataset.digest)
    }
}

extension Dictionary {
    /// Creates a dictionary with the first of several values of a key.
    init(first pairs: some Sequence<(Key, Value)>) { self.init(pairs) { first, _ in first } }
}
