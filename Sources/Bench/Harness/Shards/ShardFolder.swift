import Basics
import Foundation
import SpineDatasets

/// The folder of a shard: `DIR.part` while it is read, `DIR` from the moment when all of it is on disk.
package final class ShardFolder: Sendable {
    package enum State: Sendable {
        case absent
        /// Some of it was read by a process that is gone.
        case broken
        case finished(ShardRecord)
    }

    private let folder: PartFolder

    /// Place of the finished shard.
    package var path: String { folder.path }
    /// Place until then.
    package var part: String { folder.part }

    package static let partEnding = PartFolder.ending

    private init(_ folder: PartFolder) { self.folder = folder }

    /// Returns what lies at the path of a finished shard: `finished` after its files were checked.
    ///
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when it is something else than expected, or damaged.
    package static func state(of path: String, expecting expected: ShardRecord) throws(HarnessError) -> State {
        for folder in [path, path + partEnding] {
            guard let record = try ShardRecord.read(in: folder) else { continue }
            let difference =
                record.difference(from: expected)
                ?? (record.shard != expected.shard ? "it is shard \(record.shard), and not \(expected.shard)" : nil)
            if let difference {
                throw .runFolder(path: folder, problem: "holds another shard: \(difference); name another folder")
            }
            guard folder == path else { return .broken }
            guard record.finishedAt != nil else {
                throw .runFolder(path: path, problem: "was not finished; give it its name \(path)\(partEnding) again")
            }
            try record.verify(path)
            return .finished(record)
        }
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
            throw .runFolder(path: path, problem: "is not empty and holds no shard; name another folder")
        }
        return .absent
    }

    /// Begins a shard of a run with this configuration, or continues one; throws while another process reads it.
    package static func begin(
        _ record: ShardRecord,
        at path: String,
        _ configuration: RunConfiguration
    ) throws -> (shard: ShardFolder, run: RunFolder) {
        let folder = ShardFolder(try PartFolder(at: path))
        let part = folder.part
        let hasBegun = FileManager.default.fileExists(atPath: "\(part)/\(RunFolder.Name.configuration)")
        let run = hasBegun ? try RunFolder.open(part).folder : try RunFolder.create(part, configuration)
        var begun = try ShardRecord.read(in: part) ?? record
        // Killed between its last reading and the folder's new name: what was sealed is sealed anew.
        (begun.finishedAt, begun.records, begun.files, begun.seal) = (nil, nil, [:], nil)
        begun.attempts.append(
            ShardRecord.Attempt(
                number: (begun.attempts.last?.number ?? 0) + 1,
                startedAt: RunClock.now(),
                machine: HostDescription.machineName(),
                host: .current(),
                recordsBefore: try run.recordCount()
            )
        )
        try RunFolder.write(Data(JSONFile.bytes(begun)), ShardRecord.file, part)
        return (folder, run)
    }

    /// Puts the finished shard in its place: every reading is there once, and everything is on the disk first.
    package func finish(_ configuration: RunConfiguration) throws -> ShardRecord {
        guard var record = try ShardRecord.read(in: part) else {
            throw HarnessError.runFolder(path: part, problem: "has lost its \(ShardRecord.file)")
        }
        let samples = "\(part)/\(RunFolder.Name.samples)"
        let readings = try ShardReadings(samples)
        try readings.check(configuration, record)
        if readings.hasSuperseded {
            try RunFolder.write(readings.kept(), RunFolder.Name.samples, part)
            for index in record.attempts.indices {
                record.attempts[index].recordsBefore = readings.kept(before: record.attempts[index].recordsBefore)
            }
        }
        record.records = readings.latest.count
        for name in [RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events] {
            let file = "\(part)/\(name)"
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
            record.files[name] = ShardRecord.SealedFile(
                bytes: size?.intValue ?? 0,
                digest: "sha256:" + (try SHA256.hex(ofFile: file))
            )
        }
        record.finishedAt = RunClock.now()
        try record.sealNow()
        try RunFolder.write(Data(JSONFile.bytes(record)), ShardRecord.file, part)
        try folder.publish(record.files.keys.sorted() + [ShardRecord.file])
        return record
    }
}

/// The lines of a shard's `samples.jsonl`, without what was read.
private struct ShardReadings {
    /// Of a line, what tells which reading it is.
    private struct Head: Decodable {
        var measurement: String
        var repetition: Int
        var id: String
        var outcome: SampleRecord.Outcome

        var key: SampleRecord.Key { .init(measurement: measurement, phase: nil, repetition: repetition, id: id) }
    }

    private let lines: [Data.SubSequence]
    private let heads: [Head]
    /// The last line of each reading.
    private(set) var latest: [Int]

    init(_ path: String) throws {
        lines = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped).split(separator: 0x0A)
        heads = try lines.enumerated().map { number, line in
            guard let head = JSONLine.decode(Head.self, from: line) else {
                throw HarnessError.runFolder(path: path, problem: "line \(number + 1) is not a reading")
            }
            return head
        }
        latest = Dictionary(zip(heads.map(\.key), heads.indices)) { $1 }.values.sorted()
    }

    var hasSuperseded: Bool { latest.count < lines.count }

    func kept() -> Data { latest.reduce(into: Data()) { $0 += lines[$1] + [0x0A] } }

    func kept(before place: Int) -> Int { latest.count { $0 < place } }

    /// Checks that every sample was attempted so often by every measurement.
    func check(_ configuration: RunConfiguration, _ record: ShardRecord) throws(HarnessError) {
        let repetitions = configuration.repetitions * configuration.seeds.count
        var attempted: [String: Int] = [:]
        for place in latest where heads[place].outcome != .notAttempted {
            attempted[heads[place].measurement, default: 0] += 1
        }
        for measurement in configuration.measurements {
            let subject = measurement.variant.subject ?? .spines
            let members = record.members.first { $0.dataset == measurement.dataset.name && $0.subject == subject }
            let expected = (members?.ids.count ?? 0) * repetitions
            let done = attempted[measurement.id] ?? 0
            guard done == expected else {
                throw .unavailable(
                    variant: measurement.variant.name,
                    reason:
                        "\(expected - done) of \(expected) readings of this shard were not made; what was read is kept, and "
                        + "the same command continues"
                )
            }
        }
    }
}
