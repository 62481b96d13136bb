import Basics
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

/// Run of made readings, in one piece and in parts: a sample's text depends on its id alone.
struct PartedRun {
    let folder: TemporaryFolder
    let dataset: Dataset
    var configuration: RunConfiguration

    init(samples count: Int = 90, repetitions: Int = 2) throws {
        folder = try TemporaryFolder()
        let samples = (0..<count).map { number in
            Sample.made(
                "s\(number)",
                SampleCategory.allCases[number % 4],
                title: "Winter Harbour \(number)",
                author: number % 5 == 0 ? nil : "Ida Bloom",
                legible: number % 11 != 0,
                group: number % 3 == 0 ? nil : "photo \(number / 6)"
            )
        }
        let lines = try samples.map { String(decoding: try JSONLine.encode($0), as: UTF8.self) }
        try folder.write(lines.joined(), "set/samples.jsonl")
        dataset = .made(samples, path: folder("set"))
        configuration = RunConfiguration(
            tool: "test",
            datasets: [DatasetReference(dataset)],
            variants: ["a", "b"].map { Variant(name: $0) },
            repetitions: repetitions
        )
    }

    /// Returns the record of a step, read by a machine with this speed.
    func record(_ measurement: Harness.Measurement, _ step: SamplePlan.Step, factor: Double = 1) -> SampleRecord {
        var hash = FNV1a()
        for byte in "\(measurement.id)\(step.sample.id)\(step.repetition == 1 ? "" : "again")".utf8 {
            hash.append(byte)
        }
        var random = SplitMix64(state: hash.value)
        var record = SampleRecord(
            measurement: measurement.id,
            repetition: step.repetition,
            position: step.position,
            id: step.sample.id
        )
        record.memory = .made(footprint: 1, peak: 2)
        switch random.below(10) {
        case 0:
            record.outcome = .failed
            record.problem = "corrupt"
            return record
        case 1:
            record.outcome = .timedOut
            return record
        case 2...4:
            record.prediction = Prediction(lines: [
                Prediction.Line(text: "Wint Harbor"), Prediction.Line(text: "Bloom"),
            ])
        default:
            record.prediction = Prediction(lines: [Prediction.Line(text: step.sample.transcription, confidence: 0.5)])
        }
        record.milliseconds = factor * (1 + 100 * random.nextDouble())
        record.prediction?.traffic = Traffic(
            up: ["text": random.below(500)],
            down: ["image": 3],
            wireUp: random.below(900)
        )
        if step.sample.legible {
            let answer = BookOutcome.Answer.allCases[random.below(4)]
            record.book = BookOutcome(answer, rank: random.below(30) + 1, isCatalogued: random.below(4) > 0)
        }
        return record
    }

    private func steps(_ measurement: Harness.Measurement, _ part: Part?) -> [SamplePlan.Step] {
        if case .listed(let steps) = configuration.plan(measurement, dataset, part: part).steps { steps } else { [] }
    }

    /// Readings of the run in one piece, in their order.
    func records(on machine: String? = "node-1") -> [SampleRecord] {
        configuration.measurements.flatMap { measurement in
            steps(measurement, nil).map { step in
                var record = record(measurement, step)
                record.machine = machine
                return record
            }
        }
    }

    /// Reads a part, of which `before` readings are there from an attempt that was cut off; gives its folder.
    @discardableResult
    func read(
        _ part: Part,
        as name: String? = nil,
        on machine: String = "node-1",
        cutAfter before: Int? = nil,
        factor: Double = 1
    ) throws -> String {
        let path = folder(name ?? "part \(part.number) of \(part.count)")
        let all = configuration.measurements.flatMap { measurement in
            steps(measurement, part).map { step in
                var record = record(measurement, step, factor: factor)
                record.machine = machine
                return record
            }
        }
        if let before { try readSome(all.prefix(before), part, path) }
        let run = try RunFolder.begin(part, of: configuration, at: path)
        try run.append(RunEvent(kind: before == nil ? .runStarted : .runResumed, host: .current(), planned: ["a": 1]))
        for record in all.dropFirst(before ?? 0) { try run.append(record) }
        for measurement in configuration.measurements {
            try run.append(RunEvent(kind: .ready, measurement: measurement.id, description: ["engine": "1"]))
            try run.append(RunEvent(kind: .measured, measurement: measurement.id))
        }
        try run.append(RunEvent(kind: .runFinished))
        return path
    }

    /// Records an attempt that was cut off in the middle of a line; it releases the folder at its end.
    private func readSome(_ records: ArraySlice<SampleRecord>, _ part: Part, _ path: String) throws {
        let run = try RunFolder.begin(part, of: configuration, at: path)
        try run.append(RunEvent(kind: .runStarted, host: .current(), planned: ["a": 1]))
        for record in records { try run.append(record) }
        try Data("{\"half".utf8).append(to: path + "/samples.jsonl")
    }

    /// Returns the merged run, whose folder is "merged".
    func merged(_ folders: [String]) throws -> RunFolder.Contents {
        try? FileManager.default.removeItem(atPath: folder("merged"))
        try RunMerge(folders).write(over: [dataset], to: folder("merged"))
        return try RunFolder.contents(folder("merged"))
    }

    /// Returns the run's report, without the digests of pictures.
    func reports(_ contents: RunFolder.Contents) throws -> [String: [UInt8]] {
        try RunReports(RunContents(folder("run"), contents, [dataset])).files()
    }

    /// Returns the run in one piece with the events of another one.
    func onePiece(_ events: [RunEvent]) -> RunFolder.Contents {
        RunFolder.Contents(configuration: configuration, records: records(on: nil), events: events)
    }
}

extension Data {
    /// Puts them at the end of a file.
    func append(to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: self)
        try file.close()
    }
}
