import Basics
package import Evaluation
import Foundation
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
        /// Overall figures of the first run, by metric, for people and charts.
        package var figures: [Line]
        /// Difference of the runs from each other.
        package var noise: NoiseFloor
        package var peakFootprintBytes: Double?
        package var peakResidentBytes: Double?
        /// Peak by the definition of versions until 28 November 2026; nil since.
        package var peakBytes: Double?
        package var leftBytes: Double?
        package var startMilliseconds: Double?
        /// ``ScoringRule`` of the samples' outcomes; nil for the first one.
        package var scoringRule: Int? = ScoringRule.current
        package var samples: [Sample]

        package struct Line: Sendable, Equatable, Codable {
            package var name: String
            package var value: Double
            package var lower: Double?
            package var upper: Double?
        }
    }

    /// Values of one sample, with short keys, as there are many.
    package struct Sample: Sendable, Equatable, Codable {
        package var id: String
        package var category: String
        /// Photo of the sample; nil for its own.
        package var group: String?
        /// Whether the title was read, and the author.
        package var title: Bool?
        package var author: Bool?
        /// Outcomes of other metrics that count samples; nil when it is not scored in any.
        package var outcomes: [Metric: Bool]?
        /// Character errors, and the characters that they are a share of.
        package var errors: Int
        package var length: Int
        /// The median over all readings of all runs; nil when half of them timed out, or without any.
        package var ms: Double?
        /// Milliseconds until the text; nil where that is the whole reading.
        package var textMs: Double?
    }

    package var format: Int
    package var name: String
    package var tool: String
    /// UTC, when the first run began.
    package var date: String
    /// Fingerprint as in ``HostDescription/fingerprint``; nil for runs on several machines.
    package var host: String?
    package var runs: Int
    package var measurements: [Part]

    private static let format = 1

    /// The file's bytes: keys sorted, one sample a line, so that a change shows as few lines.
    package var bytes: [UInt8] {
        get throws {
            var head = self
            head.measurements = []
            let parts = try measurements.map { part in
                var head = part
                head.samples = []
                let lines = try part.samples.map(Self.json).joined(separator: ",\n")
                // An empty list is a text that no string can hold, as its quotes would be escaped.
                return try Self.json(head).replacing("\"samples\":[]", with: "\"samples\":[\n\(lines)\n]")
            }
            let all = "\"measurements\":[\n\(parts.joined(separator: ",\n"))\n]"
            return Array((try Self.json(head).replacing("\"measurements\":[]", with: all) + "\n").utf8)
        }
    }

    /// Returns the baseline in a file; throws when there is none, or one of another version.
    package static func load(_ path: String) throws -> Baseline {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.configuration(
                "baseline not found: \(path); create one from a few accepted runs: "
                    + "spinebench baseline update RUN RUN RUN --name NAME"
            )
        }
        let baseline: Baseline
        do {
            baseline = try JSONDecoder().decode(Baseline.self, from: data)
        } catch {
            throw HarnessError.configuration("invalid baseline \(path): \(JSONLine.reason(of: error))")
        }
        guard baseline.format == format else {
            throw HarnessError.configuration(
                "\(path) has format \(baseline.format), but this program reads \(format); update it: spinebench baseline update"
            )
        }
        return baseline
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
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
        format = Self.format
        self.name = name
        tool = first.result.configuration.tool
        date = first.result.startedAt
        let hosts = Set(runs.map(\.result.host.fingerprint))
        host = hosts.count == 1 ? hosts.first : nil
        self.runs = runs.count
        measurements = try first.comparable.map { try Part($0, runs: runs) }
        guard !measurements.isEmpty else {
            throw HarnessError.configuration(
                "\(first.path) has no measurement of the scenario single, which baselines require"
            )
        }
    }
}

extension Baseline.Part {
    init(_ measurement: Harness.Measurement, runs: [RunContents]) throws {
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
            return run.readings(own, name: run.path)
        }
        let first = sets[0]
        id = measurement.id
        (dataset, datasetDigest) = (measurement.dataset.name, measurement.dataset.digest)
        (settings, models) = (sought.settings, sought.models)
        figures = Self.figures(runs[0].result, measurement.id)
        noise = NoiseFloor(runs: sets)
        let worker = first.workers.first?.figures ?? [:]
        (peakFootprintBytes, peakResidentBytes) = (worker[.peakFootprint], worker[.peakResident])
        (peakBytes, leftBytes) = (worker[.peakMemory], worker[.memoryDelta])
        startMilliseconds = worker[.start].map(Self.rounded)
        let entries = Dictionary(grouping: sets.flatMap(\.entries), by: \.id)
        samples = first.entries.map { entry in
            var entry = entry
            entry.readings = entries[entry.id, default: []].flatMap(\.readings)
            return Baseline.Sample(
                id: entry.id,
                category: entry.category,
                group: entry.group == entry.id ? nil : entry.group,
                title: entry.title,
                author: entry.outcomes[.authorRead],
                outcomes: Self.others(of: entry),
                errors: entry.characters.errors,
                length: entry.characters.referenceLength,
                ms: Self.finite(entry.milliseconds),
                textMs: entry.millisecondsToText == entry.milliseconds ? nil : Self.finite(entry.millisecondsToText)
            )
        }.sorted { $0.id < $1.id }
    }

    /// Rounds to a microsecond: more digits are noise in every diff.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }

    private static func finite(_ milliseconds: Double?) -> Double? {
        milliseconds.flatMap { $0.isFinite ? rounded($0) : nil }
    }

    /// Returns the outcomes that do not follow from the others: nil when there are none.
    private static func others(of entry: ReadingSet.Entry) -> [Metric: Bool]? {
        let others = entry.outcomes.filter { ![.titleRead, .authorRead, .readInTime].contains($0.key) }
        return others.isEmpty ? nil : others
    }

    private static func figures(_ result: RunResult, _ id: String) -> [Line] {
        result.measurements.filter { $0.id == id }.flatMap(ChartedFigure.of).map {
            Line(
                name: "\($0.measure) (\($0.unit))",
                value: rounded($0.value),
                lower: ($0.range?.lowerBound).map(rounded),
                upper: ($0.range?.upperBound).map(rounded)
            )
        }
    }

    package func readings(name: String) -> ReadingSet {
        var worker = ReadingSet.Worker()
        (worker.figures[.peakFootprint], worker.figures[.peakResident]) = (peakFootprintBytes, peakResidentBytes)
        (worker.figures[.peakMemory], worker.figures[.memoryDelta]) = (peakBytes, leftBytes)
        worker.figures[.start] = startMilliseconds
        let entries = samples.map { sample in
            ReadingSet.Entry(
                id: sample.id,
                group: sample.group ?? sample.id,
                category: sample.category,
                outcomes: sample.allOutcomes,
                characters: EditCounts(substitutions: sample.errors, referenceLength: sample.length),
                readings: sample.ms.map { [.init(round: 1, milliseconds: $0, millisecondsToText: sample.textMs)] } ?? []
            )
        }
        return ReadingSet(name: name, entries: entries, workers: [worker], scoringRule: scoringRule ?? 1)
    }
}

extension Baseline.Sample {
    fileprivate var allOutcomes: [Metric: Bool] {
        var all = outcomes ?? [:]
        (all[.titleRead], all[.authorRead]) = (title, author)
        let limit = Reading.timeLimitMilliseconds
        all[.readInTime] = title.map { $0 && textMs ?? ms ?? .infinity <= limit }
        return all
    }
}
