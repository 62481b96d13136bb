import Basics
import Harness
import SpineDatasets

/// Labels of a run's datasets by dataset and subject, of which only places are in memory.
struct RunLabels {
    private(set) var indexes: [String: LabelIndex] = [:]

    /// Indexes the labels, with the number of its shard for each group.
    init(_ configuration: RunConfiguration, shards count: Int) throws {
        for measurement in configuration.measurements {
            let key = Self.key(measurement)
            guard indexes[key] == nil else { continue }
            let subject = measurement.variant.subject ?? .spines
            indexes[key] = try LabelIndex(measurement.dataset.path, subject, limit: configuration.limit) {
                UInt64(Shard.number(ofGroup: $0, count: count))
            }
        }
    }

    static func key(_ measurement: Measurement) -> String {
        key(measurement.dataset.name, measurement.variant.subject ?? .spines)
    }

    static func key(_ dataset: String, _ subject: Subject) -> String { "\(dataset)/\(subject.rawValue)" }

    /// The labels that each measurement reads, in the configuration's order.
    func own(_ configuration: RunConfiguration) -> [LabelIndex] {
        configuration.measurements.compactMap { indexes[Self.key($0)] }
    }
}

/// Checks shards one after the other: every reading of every sample once, each in its own shard.
struct ShardCheck {
    private let labels: RunLabels
    private let measurements: [Measurement]
    private let own: [LabelIndex]
    private let numbers: [String: Int]
    private let repetitions: Int
    /// Samples of each shard, by dataset and subject.
    private let sizes: [String: [UInt64: Int]]
    /// Of each measurement, by reading: repetition, from 0, times the number of labels, plus the label's number.
    private var seen: [[UInt64]]
    private(set) var counts: [Int]
    private(set) var lines: ShardLines
    /// Beginnings of attempts in each shard's file, with the index of the machine.
    private(set) var machines: [[(place: Int, machine: Int)]] = []

    init(_ labels: RunLabels, _ configuration: RunConfiguration, readings: Int) {
        self.labels = labels
        let measurements = configuration.measurements
        self.measurements = measurements
        let repetitions = configuration.repetitions * configuration.seeds.count
        self.repetitions = repetitions
        own = labels.own(configuration)
        numbers = Dictionary(first: zip(measurements.map(\.id), 0...))
        sizes = labels.indexes.mapValues { index in
            index.readGroups.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        seen = own.map { [UInt64](repeating: 0, count: ($0.count * repetitions + 63) / 64) }
        counts = [Int](repeating: 0, count: measurements.count)
        lines = ShardLines(capacity: readings)
    }

    /// Beginning of a line of `samples.jsonl`: which reading it is.
    private struct Head: Sendable {
        var measurement: Int
        var repetition: Int
        var position: Int
        var id: String
        var label: Int
        var isAttempted: Bool
        var place: Int
    }

    private enum Parsed: Sendable {
        case head(Head)
        case fault(String)
    }

    /// Checks the next shard; `machines` are the names of all machines, and the first fault is thrown.
    mutating func add(_ entry: ShardSet.Entry, machines names: [String]) throws {
        let (shard, attempts) = (entry.record.shard, entry.record.attempts)
        let sizes = try checkMembers(of: entry)
        let path = "\(entry.folder)/\(RunFolder.Name.samples)"
        func fault(_ problem: String) -> HarnessError {
            .runFolder(path: entry.folder, problem: "\(RunFolder.Name.samples) \(problem)")
        }
        let (before, countsBefore) = (lines.count, counts)
        var (attempt, begun) = (-1, [(place: Int, machine: Int)]())
        let (own, numbers) = (own, numbers)
        try LineFile(path).read { bytes, place -> Parsed in
            Self.parsed(bytes, place, own, numbers, shard)
        } take: { number, parsed in
            let head: Head
            switch parsed {
            case .tooLong: throw fault("has a line without an end: line \(number)")
            case .parsed(.fault(let problem)): throw fault("line \(number) \(problem)")
            case .parsed(.head(let parsed)): head = parsed
            }
            guard head.isAttempted else { throw fault("line \(number) was never attempted") }
            if let next = attempts.lastIndex(where: { $0.recordsBefore <= lines.count - before }), next != attempt {
                attempt = next
                begun.append((head.place, names.firstIndex(of: attempts[next].machineName) ?? 0))
            }
            let id = measurements[head.measurement].id
            guard (1...repetitions).contains(head.repetition) else {
                throw fault("has repetition \(head.repetition) of \(head.id), and there are \(repetitions)")
            }
            let reading = (head.repetition - 1) * own[head.measurement].count + head.label
            guard seen[head.measurement][reading / 64] & 1 << UInt64(reading % 64) == 0 else {
                throw fault("has \(head.id) twice in repetition \(head.repetition) of \(id)")
            }
            seen[head.measurement][reading / 64] |= 1 << UInt64(reading % 64)
            counts[head.measurement] += 1
            let isAdded = lines.add(
                shard: self.machines.count,
                place: head.place,
                measurement: head.measurement,
                repetition: head.repetition,
                position: head.position
            )
            guard isAdded else { throw fault("line \(number) is not a reading") }
        }
        for (number, measurement) in measurements.enumerated() {
            let expected = (sizes[RunLabels.key(measurement)] ?? 0) * repetitions
            let count = counts[number] - countsBefore[number]
            guard count == expected else {
                throw fault("has \(count) readings of \(measurement.id), and \(expected) make the shard")
            }
        }
        self.machines.append(begun)
    }

    /// Brings the lines of all shards into the order of the run in one piece.
    mutating func sort() { lines.sort() }

    private static func parsed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ place: Int,
        _ own: [LabelIndex],
        _ numbers: [String: Int],
        _ shard: Shard
    ) -> Parsed {
        guard case .object(let members)? = try? JSONParser.parse(bytes), case .string(let id)? = members["id"],
            case .string(let measurement)? = members["measurement"],
            case .number(let repetition)? = members["repetition"], let repetition = Int(exactly: repetition),
            case .number(let position)? = members["position"], let position = Int(exactly: position),
            case .string(let word)? = members["outcome"], let outcome = SampleRecord.Outcome(rawValue: word)
        else { return .fault("is not a reading") }
        guard let number = numbers[measurement] else {
            return .fault("is of \(measurement), which is not a measurement of the run")
        }
        guard let label = own[number].label(id)?.number else { return .fault("is of \(id), which no label has") }
        let group = Int(own[number].group(label))
        guard group == shard.number else {
            return .fault("is of \(id), which belongs to shard \(group)/\(shard.count)")
        }
        return .head(
            Head(
                measurement: number,
                repetition: repetition,
                position: position,
                id: id,
                label: label,
                isAttempted: outcome != .notAttempted,
                place: place
            )
        )
    }

    /// Checks that a shard lists every sample of its own and no other; returns how many, by dataset and subject.
    private func checkMembers(of entry: ShardSet.Entry) throws -> [String: Int] {
        let shard = entry.record.shard
        func fault(_ problem: String) -> HarnessError { .runFolder(path: entry.folder, problem: problem) }
        let members = try ShardRecord.read(in: entry.folder)?.members ?? []
        var counts: [String: Int] = [:]
        for (key, index) in labels.indexes {
            let own = members.filter { RunLabels.key($0.dataset, $0.subject) == key }.flatMap(\.ids)
            for id in own {
                // Each reading checks whether the id is the label's own.
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
            counts[key] = own.count
        }
        return counts
    }
}
