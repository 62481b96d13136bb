import Basics
package import Evaluation
package import Foundation
import SpineDatasets

/// Readings and times of a system when it was last accepted: the committed measure of later runs.
package struct Baseline: Sendable, Equatable, Codable {
    package struct Part: Sendable, Equatable, Codable {
        package var id: String
        /// The dataset's name and digest.
        package var dataset: String
        package var datasetDigest: String
        /// The variant's settings, and the digests of its models.
        package var settings: [String: String]
        package var models: [String: String]
        /// Overall figures of the first run, for people and charts.
        package var figures: [Metric: BoundedValue]
        /// Difference of the runs from each other.
        package var noise: NoiseFloor
        /// Of the first run; a sample's one time is the median over all readings of all runs.
        package var readings: ReadingSet
    }

    package var format = Self.format
    package var name: String
    package var tool: String
    /// UTC, when the first run began.
    package var date: String
    /// Fingerprint as in ``HostDescription/fingerprint``; nil for runs on several machines.
    package var host: String?
    package var runs: Int
    package var measurements: [Part]

    private static let format = 2

    /// The file's bytes: keys sorted, one sample a line, so that a change shows as few lines.
    package var bytes: [UInt8] {
        get throws {
            let text = String(decoding: try JSONLine.encode(self), as: UTF8.self)
            // No string holds this, as its quotes would be escaped.
            return Array(text.replacing("{\"category\":", with: "\n{\"category\":").utf8)
        }
    }

    /// Returns the baseline in a file; throws when there is none, or one of another format.
    package static func load(_ path: String) throws -> Baseline {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.configuration(
                "baseline not found: \(path); create one from a few accepted runs: "
                    + "spinebench baseline update RUN RUN RUN --name NAME"
            )
        }
        return try JSONFile.read(data, format: format) { reason, _ in
            .configuration("invalid baseline \(path): \(reason); update it: spinebench baseline update")
        }
    }
}

extension JSONFile {
    private struct Head: Decodable { var format: Int }

    /// Reads a file of one format, which is asked for first; `fault` makes the error from a reason, and from whether the
    /// file is of another format.
    package static func read<Value: Decodable>(
        _ data: Data,
        format: Int,
        fault: (_ reason: String, _ isOther: Bool) -> HarnessError
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let found = try decoder.decode(Head.self, from: data).format
            if found == format { return try decoder.decode(Value.self, from: data) }
            throw fault("its format is \(found), expected \(format)", true)
        } catch let error as DecodingError {
            let names = (try? JSONSerialization.jsonObject(with: data)).map(unknownMetrics) ?? []
            let reason = "it has metrics of another version: \(names.sorted().joined(separator: ", "))"
            throw fault(names.isEmpty ? error.systemReason : reason, false)
        }
    }

    /// Returns the names that stand for metrics and are none: to Foundation each of them is a key without a place.
    private static func unknownMetrics(in value: Any) -> Set<String> {
        let known = Set(Metric.allCases.map(\.rawValue))
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(unknownMetrics(in: $1)) } }
        return (value as? [String: Any] ?? [:]).reduce(into: []) { names, member in
            let keys =
                ["figures", "outcomes", "floors"].contains(member.key) ? (member.value as? [String: Any])?.keys : nil
            names.formUnion(Set(keys.map(Array.init) ?? []).subtracting(known))
            names.formUnion(unknownMetrics(in: member.value))
        }
    }
}

extension Baseline {
    /// Accuracy is that of the first run, latency the median over all, and the noise how far they differ.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when the runs are not of the same measurements over the same
    ///   datasets.
    package init(name: String, runs: [RunContents]) throws {
        guard let first = runs.first else { throw HarnessError.configuration("a baseline needs at least one run") }
        for run in runs where run.result.isPartial {
            throw HarnessError.configuration(
                "\(run.path) is not complete; finish it with: spinebench run --resume \(run.path)"
            )
        }
        let hosts = Set(runs.map(\.result.host.fingerprint))
        self.init(
            name: name,
            tool: first.result.configuration.tool,
            date: first.result.startedAt,
            host: hosts.count == 1 ? hosts.first : nil,
            runs: runs.count,
            measurements: try first.comparable.map { try Part($0, runs: runs) }
        )
        guard !measurements.isEmpty else {
            throw HarnessError.configuration(
                "\(first.path) has no measurement of the scenario single, which baselines require"
            )
        }
    }
}

extension Baseline.Part {
    fileprivate init(_ measurement: Measurement, runs: [RunContents]) throws {
        let (sought, path) = (measurement.variant, runs[0].path)
        let sets = try runs.map { run in
            func check(_ isAlike: Bool, _ problem: String) throws(HarnessError) {
                if !isAlike { throw .configuration("\(run.path) \(problem)") }
            }
            guard let own = run.comparable.first(where: { $0.id == measurement.id }) else {
                throw HarnessError.configuration("\(run.path) lacks the measurement \(measurement.id) of \(path)")
            }
            try check(
                own.dataset.digest == measurement.dataset.digest,
                "read \(own.dataset.digest), \(path) read \(measurement.dataset.digest) for \(measurement.id): a baseline covers "
                    + "one dataset"
            )
            try check(
                own.variant.settings == sought.settings && own.variant.models == sought.models,
                "ran \(measurement.id) with settings or models different from \(path)"
            )
            return run.readings(own, name: "")
        }
        let result = runs[0].result.measurements.first { $0.id == measurement.id }
        let charted = Metric.allCases.filter { $0.chart != nil }
        self.init(
            id: measurement.id,
            dataset: measurement.dataset.name,
            datasetDigest: measurement.dataset.digest,
            settings: sought.settings,
            models: sought.models,
            figures: charted.reduce(into: [:]) { $0[$1] = result?.bounded($1) },
            noise: NoiseFloor(runs: sets),
            readings: sets[0]
        )
        let entries = Dictionary(grouping: sets.flatMap(\.entries), by: \.id)
        readings.entries = sets[0].entries.map { first in
            var entry = first
            entry.readings = entries[entry.id, default: []].flatMap(\.readings)
            let (whole, text) = (Self.rounded(entry.milliseconds), Self.rounded(entry.millisecondsToText))
            entry.readings =
                whole.map { [.init(round: 1, milliseconds: $0, millisecondsToText: text == $0 ? nil : text)] } ?? []
            entry.processorMilliseconds = Self.rounded(entry.processorMilliseconds)
            entry.outcomes[.readInTime] = entry.title.map { $0 && text ?? .infinity <= Reading.timeLimitMilliseconds }
            return entry
        }.sorted { $0.id < $1.id }
    }

    /// Rounds to a microsecond, as more digits are noise in every diff; nil for infinite times.
    private static func rounded(_ milliseconds: Double?) -> Double? {
        milliseconds.flatMap { $0.isFinite ? ($0 * 1_000).rounded() / 1_000 : nil }
    }
}
