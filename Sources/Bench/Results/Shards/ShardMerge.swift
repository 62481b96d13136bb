import Basics
import Foundation
package import Harness
package import SpineDatasets

/// A run put together from its shards: everything is counted anew from their readings.
package struct ShardMerge {
    /// A shard as the report tells of it.
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
    }

    /// The shards that were merged.
    package let set: ShardSet
    package private(set) var parts: [Part] = []
    /// Of the machines by their names, with every reading in the percentiles of its own machine alone.
    package private(set) var hosts: [String: HostDescription] = [:]
    package private(set) var latencies: [HostLatency] = []
    package private(set) var percentiles: [StratifiedPercentile] = []
    package private(set) var results: [MeasurementResult] = []

    /// Merges; memory does not grow with the length of what was read.
    ///
    /// - Parameters:
    ///   - set: one folder for each shard.
    ///   - datasets: their folders, in the configuration's order; empty for where they were read.
    ///   - progress: called after each shard.
    /// - Throws: ``HarnessError`` in one line that names the shard's folder, and what is wrong with it.
    package init(_ set: ShardSet, datasets: [String] = [], progress: (_ done: Int) -> Void = { _ in }) throws {
        self.set = set
        let configuration = set.configuration
        let folders = datasets.isEmpty ? configuration.datasets.map(\.path) : datasets
        guard folders.count == configuration.datasets.count else {
            throw HarnessError.configuration(
                "the shards read \(configuration.datasets.count) datasets, and --dataset names \(folders.count)"
            )
        }
        for (folder, digest) in zip(folders, set.entries[0].record.digests.labels)
        where try PictureDigests.ofLabels(in: folder) != digest {
            throw HarnessError.configuration(
                "\(folder) has other labels than the shards were read over; name the folder of those with --dataset"
            )
        }
        var indexes: [String: LabelIndex] = [:]
        let count = set.entries.count
        for (reference, folder) in zip(configuration.datasets, folders) {
            for measurement in configuration.measurements where measurement.dataset.name == reference.name {
                let subject = measurement.variant.subject ?? .spines
                let key = "\(reference.name)/\(subject.rawValue)"
                guard indexes[key] == nil else { continue }
                indexes[key] = try LabelIndex(folder, subject, limit: configuration.limit) {
                    UInt64(Shard.number(ofGroup: $0, count: count))
                }
            }
        }
        var tallies = configuration.measurements.compactMap { measurement in
            indexes["\(measurement.dataset.name)/\((measurement.variant.subject ?? .spines).rawValue)"].map {
                MeasurementTally(measurement, $0, configuration)
            }
        }
        var machines: [String] = []
        let sizes = indexes.mapValues { index in
            index.readGroups.reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 }
        }
        for (done, entry) in set.entries.enumerated() {
            try Self.checkMembers(entry, indexes, sizes)
            try Self.read(entry, indexes, &tallies, &machines)
            for attempt in entry.record.attempts { hosts[Self.name(of: attempt)] = attempt.host }
            progress(done + 1)
        }
        results = tallies.map(\.result)
        for tally in tallies {
            let byMachine = tally.latencies.sorted { machines[$0.key] < machines[$1.key] }
            latencies += byMachine.map { host, latency in
                let buckets = latency.buckets
                let figures = StratifiedPercentile.percents.map { percent -> (String, Figure) in
                    let minimum = Percentile.minimumCount(for: percent)
                    let value = latency.quantile(Double(percent) / 100, buckets: buckets)
                    let isEnough = latency.count + latency.timeouts >= minimum
                    return (
                        "\(percent)",
                        isEnough
                            ? value.map { .value($0) } ?? .absent("readings timed out") : .absent("needs ≥ \(minimum)")
                    )
                }
                return HostLatency(
                    measurement: tally.measurement.id,
                    machine: machines[host],
                    readings: latency.count,
                    timeouts: latency.timeouts,
                    samples: latency.sampleCount,
                    percentiles: Dictionary(uniqueKeysWithValues: figures)
                )
            }
            percentiles += StratifiedPercentile.percents.map {
                StratifiedPercentile(tally.measurement.id, $0, byMachine.map(\.value))
            }
        }
        parts = Self.parts(set.entries)
    }

    /// Machines of one name are told apart by what they are.
    private static func name(of attempt: ShardRecord.Attempt) -> String {
        "\(attempt.machine) (\(attempt.host.fingerprint))"
    }

    /// Checks that a shard lists every sample of its own, and no other.
    ///
    /// `sizes`: How many samples each shard has to have, by its number.
    private static func checkMembers(
        _ entry: ShardSet.Entry,
        _ indexes: [String: LabelIndex],
        _ sizes: [String: [UInt64: Int]]
    ) throws {
        let shard = entry.record.shard
        func fault(_ problem: String) -> HarnessError { .runFolder(path: entry.folder, problem: problem) }
        for (key, index) in indexes {
            let own = entry.record.members.filter { "\($0.dataset)/\($0.subject.rawValue)" == key }.flatMap(\.ids)
            for id in own {
                // Whether the id is the label's own is looked at with each reading.
                guard let number = index.group(likely: id).map(Int.init) else {
                    throw fault("lists \(id), which no label has")
                }
                guard number == shard.number else {
                    throw fault("lists \(id), which belongs to shard \(number)/\(shard.count)")
                }
            }
            let expected = sizes[key]?[UInt64(shard.number)] ?? 0
            guard own.count == expected, Set(own).count == own.count else {
                throw fault("lists \(own.count) samples of \(key), and \(expected) belong to shard \(shard)")
            }
        }
    }

    private static func read(
        _ entry: ShardSet.Entry,
        _ indexes: [String: LabelIndex],
        _ tallies: inout [MeasurementTally],
        _ machines: inout [String]
    ) throws {
        let shard = entry.record.shard
        func fault(_ problem: String) -> HarnessError {
            .runFolder(path: entry.folder, problem: "\(RunFolder.Name.samples) \(problem)")
        }
        var own: [String: (place: Int, index: LabelIndex)] = [:]
        for (place, tally) in tallies.enumerated() {
            let subject = tally.measurement.variant.subject ?? .spines
            guard let index = indexes["\(tally.measurement.dataset.name)/\(subject.rawValue)"] else { continue }
            own[tally.measurement.id] = (place, index)
        }
        let byID = own
        var counts = [Int](repeating: 0, count: tallies.count)
        var (line, attempt, host) = (0, -1, 0)
        try LineFile("\(entry.folder)/\(RunFolder.Name.samples)").read { bytes -> Parsed in
            guard let record = ShardReading.record(bytes) else { return .fault("is no reading") }
            guard let (_, index) = byID[record.measurement] else {
                return .fault("is of \(record.measurement), which is no measurement of the run")
            }
            guard let label = index.label(record.id) else { return .fault("is of \(record.id), which no label has") }
            let number = Int(index.group(label.number))
            guard number == shard.number else {
                return .fault("is of \(record.id), which belongs to shard \(number)/\(shard.count)")
            }
            var reading = ShardReading(
                record: record,
                number: label.number,
                shard: number,
                category: label.sample.category
            )
            if record.repetition == 1 { reading.score = ScoredReading(label.sample, record) }
            return .reading(reading)
        } take: { number, parsed in
            switch parsed {
            case .tooLong: throw fault("has a line without an end: line \(number)")
            case .parsed(.fault(let problem)): throw fault("line \(number) \(problem)")
            case .parsed(.reading(let reading)):
                guard reading.record.outcome != .notAttempted else { throw fault("line \(number) was never attempted") }
                if let next = entry.record.attempts.lastIndex(where: { $0.recordsBefore <= line }), next != attempt {
                    attempt = next
                    let name = name(of: entry.record.attempts[next])
                    host = machines.firstIndex(of: name) ?? machines.count
                    if host == machines.count { machines.append(name) }
                }
                line += 1
                guard let place = byID[reading.record.measurement]?.place else { return }
                counts[place] += 1
                if let problem = tallies[place].add(reading, host: host) { throw fault("has \(problem)") }
            }
        }
        for (place, tally) in tallies.enumerated() {
            let subject = tally.measurement.variant.subject ?? .spines
            let samples = entry.record.members.filter {
                $0.dataset == tally.measurement.dataset.name && $0.subject == subject
            }.reduce(0) { $0 + $1.ids.count }
            let expected = tally.readings(of: samples)
            guard counts[place] == expected else {
                throw fault("has \(counts[place]) readings of \(tally.measurement.id), and \(expected) make the shard")
            }
        }
    }

    private enum Parsed: Sendable {
        case reading(ShardReading)
        case fault(String)
    }

    private static func parts(_ entries: [ShardSet.Entry]) -> [Part] {
        func date(_ text: String?) -> Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
        var parts = entries.map { entry in
            let (start, end) = (date(entry.record.attempts.first?.startedAt), date(entry.record.finishedAt))
            return Part(
                shard: entry.record.shard,
                folder: URL(filePath: entry.folder).lastPathComponent,
                samples: entry.record.sampleCount,
                readings: entry.record.records ?? 0,
                attempts: entry.record.attempts,
                finishedAt: entry.record.finishedAt ?? "",
                seconds: start.flatMap { start in end.map { $0.timeIntervalSince(start) } } ?? 0,
                isStraggler: false
            )
        }
        guard parts.count >= 3, let middle = parts.map(\.seconds).middle, middle > 0 else { return parts }
        for index in parts.indices { parts[index].isStraggler = parts[index].seconds > 1.5 * middle }
        return parts
    }
}
