import Basics
import Foundation
package import SpineDatasets

/// `shard.json`: what one shard of a run is, where it was read and what came of it.
package struct ShardRecord: Sendable, Equatable, Codable {
    /// SHA-256 of what has to be the same for shards to be of one run, apart so that a difference has a name.
    package struct Digests: Sendable, Equatable, Codable {
        package var program: String
        /// Model files and catalogues of all variants.
        package var models: String
        /// The datasets, each over all of its labels and pictures.
        package var data: String
        /// The files of labels alone, by which a merge scores.
        package var labels: [String]
        /// All settings, with the ones above.
        package var configuration: String
    }

    /// The samples of a dataset that the shard reads, in the dataset's order.
    package struct Members: Sendable, Equatable, Codable {
        package var dataset: String
        package var subject: Subject
        package var ids: [String]
        /// Of the ids, each with a line's end.
        package var digest: String

        package init(dataset: String, subject: Subject, ids: [String]) {
            (self.dataset, self.subject, self.ids) = (dataset, subject, ids)
            digest = Self.digest(of: ids)
        }

        package static func digest(of ids: [String]) -> String {
            var digest = SHA256()
            for id in ids { digest.update(Array((id + "\n").utf8)) }
            return "sha256:" + digest.hex()
        }
    }

    package struct Attempt: Sendable, Equatable, Codable {
        /// Counted from 1.
        package var number: Int
        package var startedAt: String
        /// The machine's name among those of the cluster.
        package var machine: String
        package var host: HostDescription
        /// Readings that were there when it began.
        package var recordsBefore: Int
    }

    /// A file of the folder as it was when the shard was finished.
    package struct SealedFile: Sendable, Equatable, Codable {
        package var bytes: Int
        package var digest: String
    }

    package var format = Self.currentFormat
    package var tool: String
    package var shard: Shard
    package var digests: Digests
    package var members: [Members]
    package var attempts: [Attempt] = []
    /// Nil until all is read.
    package var finishedAt: String?
    /// Readings in all; nil until all is read.
    package var records: Int?
    /// By name; empty until all is read.
    package var files: [String: SealedFile] = [:]
    /// SHA-256 of everything above as JSON; nil until all is read.
    package var seal: String?

    package static let currentFormat = 1
    package static let file = "shard.json"

    /// Of a shard that is not begun.
    package init(_ shard: Shard, _ configuration: RunConfiguration, _ datasets: [Dataset]) throws {
        func digest(_ value: some Encodable) throws -> String {
            "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(value)))
        }
        tool = configuration.tool
        self.shard = shard
        digests = Digests(
            program: configuration.codeDigest ?? "unknown",
            models: try digest(
                configuration.variants.map { [$0.models, $0.catalogue.map { ["": $0.digest] } ?? [:]] }
            ),
            data: try digest(configuration.datasets.map(\.digest)),
            labels: try datasets.map { try PictureDigests.ofLabels(in: $0.path) },
            configuration: try configuration.digest
        )
        members = configuration.readPictures(of: datasets).map { dataset, subject, samples in
            Members(dataset: dataset, subject: subject, ids: samples.filter(shard.holds).map(\.id))
        }
    }

    package var sampleCount: Int { members.reduce(0) { $0 + $1.ids.count } }

    /// The attempt that took a reading, by its place in `samples.jsonl`, counted from 0.
    package func attempt(ofRecord place: Int) -> Attempt? { attempts.last { $0.recordsBefore <= place } }

    // MARK: File

    /// The record in a folder, nil without one; throws when it is of another version, or was changed after sealing.
    package static func read(in folder: String) throws(HarnessError) -> ShardRecord? {
        // One that is empty was being written when the power went; what was read is beside it.
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)"), !data.isEmpty else { return nil }
        func fault(_ problem: String) -> HarnessError { .runFolder(path: folder, problem: "\(file) \(problem)") }
        let record: ShardRecord
        do { record = try JSONDecoder().decode(ShardRecord.self, from: data) } catch {
            throw fault("cannot be read: \(JSONLine.reason(of: error))")
        }
        guard record.format == currentFormat else {
            throw fault("has format \(record.format), and this program knows \(currentFormat)")
        }
        if record.finishedAt != nil, record.seal != (try? record.expectedSeal()) {
            throw fault("was changed after the shard was finished")
        }
        return record
    }

    /// Checks that every file is as it was when the shard was finished; throws for one that is missing, cut off or
    /// changed.
    package func verify(_ folder: String) throws(HarnessError) {
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            let path = "\(folder)/\(name)"
            func fault(_ problem: String) -> HarnessError { .runFolder(path: folder, problem: "\(name) \(problem)") }
            guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber else {
                throw fault("is missing")
            }
            if size.intValue < file.bytes { throw fault("is cut off: \(size) bytes of \(file.bytes)") }
            guard let digest = try? SHA256.hex(ofFile: path), "sha256:" + digest == file.digest else {
                throw fault("was changed after the shard was finished")
            }
        }
        for one in members where Members.digest(of: one.ids) != one.digest {
            throw .runFolder(
                path: folder,
                problem: "\(Self.file) lists other samples of \(one.dataset) than it was sealed with"
            )
        }
    }

    package mutating func sealNow() throws { seal = try expectedSeal() }

    private func expectedSeal() throws -> String {
        var copy = self
        copy.seal = nil
        return "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(copy)))
    }

    /// What differs between the shards of two runs, in words; nil when they are of one run.
    package func difference(from other: ShardRecord) -> String? {
        func differs(_ key: KeyPath<Digests, some Equatable>) -> Bool {
            digests[keyPath: key] != other.digests[keyPath: key]
        }
        if shard.count != other.shard.count {
            return "it is one of \(shard.count) shards, and not of \(other.shard.count)"
        }
        if tool != other.tool || differs(\.program) { return "another program read it" }
        if differs(\.models) { return "it was read with other models or catalogues" }
        if differs(\.data) || differs(\.labels) { return "it is of other data" }
        return differs(\.configuration) ? "it has another configuration" : nil
    }
}

extension RunConfiguration {
    /// The samples that are read of each dataset: of every subject that a variant reads.
    package func readPictures(of datasets: [Dataset]) -> [(dataset: String, subject: Subject, samples: [Sample])] {
        zip(self.datasets, datasets).flatMap { reference, dataset in
            Subject.allCases.filter { subject in
                reference.shows(subject) && variants.contains { ($0.subject ?? .spines) == subject }
            }.map { (reference.name, $0, dataset.pictures(of: $0, limit: limit)) }
        }
    }
}

/// `shards` of a merged run's `config.json`: which shards the run was put together from, and where each was read.
package struct MergedShards: Sendable, Equatable, Codable {
    package struct Part: Sendable, Equatable, Codable {
        package var shard: Shard
        package var folder: String
        package var samples: Int
        package var readings: Int
        package var attempts: [ShardRecord.Attempt]
        package var finishedAt: String
        /// From the start of its first attempt, waiting between attempts included.
        package var seconds: Double
        /// Whether it took more than half as long again as the middle one of three shards or more.
        package var isStraggler: Bool

        package init(
            shard: Shard,
            folder: String,
            samples: Int,
            readings: Int,
            attempts: [ShardRecord.Attempt],
            finishedAt: String,
            seconds: Double
        ) {
            (self.shard, self.folder, self.samples, self.readings) = (shard, folder, samples, readings)
            (self.attempts, self.finishedAt, self.seconds, isStraggler) = (attempts, finishedAt, seconds, false)
        }
    }

    /// Names of the machines, in ascending order: ``SampleRecord/machine`` is an index of them.
    package var machines: [String]
    /// In the order of the shards.
    package var parts: [Part]
    /// Names of the folders that newer attempts of their shards replace.
    package var superseded: [String]

    package init(machines: [String], parts: [Part], superseded: [String]) {
        (self.machines, self.parts, self.superseded) = (machines, parts, superseded)
    }
}

extension ShardRecord.Attempt {
    /// Name of the machine with its fingerprint: machines of one name differ by what they are.
    package var machineName: String { "\(machine) (\(host.fingerprint))" }
}
