package import Basics
import Documents

/// Figure of measurements: how readings are observed, how observations are summed up, and how the sum is shown.
///
/// ``allCases`` is the only list of figures. Targets, suites, comparisons, gates, tables, charts and pages look a metric up
/// by its ``id``; in JSON it is spelled ``rawValue``.
@dynamicMemberLookup
package struct Metric: Sendable {
    /// Unit of a metric's values, and of its limits.
    package enum Unit: Sendable, Equatable {
        /// 0…1, printed in percent; its change is a difference, in points.
        case share
        /// 0…1, printed as it is.
        case score
        /// Milliseconds; the change is a ratio less 1.
        case milliseconds
        /// Memory of a process, printed in megabytes; its change is a ratio less 1.
        case bytes
        /// Difference of bytes; the change is a difference.
        case byteDifference
        /// Mean of the bytes that a scan sends or receives.
        case bytesPerScan
        case count
        /// Mean of a count over readings; its change is a ratio less 1.
        case work
    }

    /// Group of metrics that decide the same question.
    package enum Family: String, Sendable, Codable, CaseIterable {
        case accuracy, speed, memory, traffic
        /// Counts of work, which do not scatter: the same on every machine, under any load.
        case work
    }

    /// Part of the results that a metric belongs to; a measurement without that part has no such figure.
    package enum Topic: Sendable, CaseIterable {
        case text, latency, boxes, scans, gestures, books, shelves, frames, process, work
    }

    /// Fold of the observations of a category into one figure.
    package enum Fold: Sendable, Equatable {
        /// Share of outcomes, with its interval.
        case rate
        /// Ratio of two sums.
        case pooled
        case mean, sum
        /// Sum of the last value of each worker.
        case last
        case percentile(Int)
    }

    package typealias Observer<Value> = @Sendable (Reading) -> Value

    /// What a metric is computed from.
    package enum Source: Sendable {
        /// Each sample once, by its first reading.
        case first(Observer<[Observation]>)
        case every(Observer<[Observation]>)
        /// The measurement as a whole; nil where it has no such figure.
        case process(@Sendable (ProcessFacts) -> Figure?)
        case times(@Sendable (ProcessFacts) -> LatencySummary?)
        /// Other figures of the same category.
        case derived(@Sendable (_ value: (Metric) -> Value?) -> Figure?)
        /// Two measurements: neither side has the figure alone.
        case comparison
    }

    /// Evidence class of the figure.
    package enum Evidence: Sendable {
        /// Measured: the harness scores all readings, whoever made them.
        case scored
        /// That of the variant's times.
        case times
        /// Measured, or reported by the system; that of the variant's times for readings made elsewhere.
        case measured, reported
    }

    /// Estimation of the change from A to B.
    package enum Pairing: Sendable, Equatable {
        /// Sample by sample: ``GroupBootstrap/ofRateDifference(_:_:)``.
        case outcomes
        /// Character error rate of all samples, pooled.
        case characters
        /// The shift of the samples' medians, by Hodges and Lehmann.
        case shift
        /// The ratio of the percentiles of all readings.
        case percentile
        case process
        /// Counts of work, exactly.
        case work(Work)
    }

    /// Part of a figure.
    package enum Part: Sendable {
        case value
        /// The ends of the interval at 95 %.
        case low, high
        /// Counted items and their total, of a share or a rate.
        case count, total
    }

    /// Table of reports that has a column for each metric under a heading of it.
    package enum Table: Sendable {
        case latency, start, accuracy, shelves, milestones, closedSet, openSet, traffic
    }

    package struct Column: Sendable {
        package var heading: String
        /// Whether a column with the interval follows, and neither is omitted where nothing was counted.
        package var hasInterval: Bool
    }

    /// The line of a metric.
    package struct Definition: Sendable {
        /// Spelling in JSON: "latencyP95".
        package var rawValue: String
        package var name: String
        package var unit: Unit
        package var family: Family
        package var topic: Topic
        package var fold: Fold
        package var source: Source
        package var evidence = Evidence.scored
        package var higherIsBetter = false
        /// Whether an invalid measurement has none, as it depends on times.
        package var isTimed = false
        /// Whether it belongs to a measurement as a whole, for any category.
        package var isOfWhole = false
        /// Whether observations of one picture are correlated even where the picture is not cut from a photo.
        package var isWithinPicture = false
        /// Reason where nothing was observed, and the note of its verdict; empty for the reason.
        package var nothing = (reason: "nothing to count", note: "")
        package var pairing: Pairing?
        /// Columns in tables of reports.
        package var columns: [Table: Column] = [:]
        /// Name in files for services that chart figures over time, whose histories depend on it, in baselines, and in
        /// `--gate`; nil for metrics without a chart.
        package var chart: String?
    }

    /// Behind a reference, as a metric is the key of many dictionaries.
    private final class Box: Sendable {
        let definition: Definition

        init(_ definition: Definition) { self.definition = definition }
    }

    private let box: Box

    package init(_ definition: Definition) { box = Box(definition) }

    package subscript<Value>(dynamicMember path: KeyPath<Definition, Value>) -> Value { box.definition[keyPath: path] }

    /// Returns the metric with a change of its definition.
    func with(_ change: (inout Definition) -> Void) -> Metric {
        var definition = box.definition
        change(&definition)
        return Metric(definition)
    }

    /// Spelling in suites, at the command line and in messages: "latency-p95".
    package var id: String {
        self.rawValue.reduce(into: "") { id, letter in
            id += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// Whether it is of photos of shelves, and of nothing else.
    package var isOfShelves: Bool { self.topic == .shelves }
    /// Whether it is of a camera's frames, and of nothing else.
    package var isOfFrames: Bool { self.topic == .frames }
    /// Whether it is a peak of memory.
    package var isPeakOfMemory: Bool { [.peakFootprint, .peakResident, .peakMemory].contains(self) }
    /// Whether it is of whole readings: their shift, or a percentile.
    package var isLatency: Bool { self.topic == .latency }
    /// Whether the ``ScoringRule`` decides about its samples.
    package var isByScoringRule: Bool { self.topic == .text && self.fold == .rate || self == .bookTitleRead }

    /// The percentile that it is; nil for another figure.
    package var percent: Int? {
        guard case .percentile(let percent) = self.fold else { return nil }
        return percent
    }

    /// Name of the times that it is a percentile of: "timeToText"; nil for another figure.
    package var series: String? { percent.map { String(self.rawValue.dropLast("P\($0)".count)) } }

    /// Returns a change in the bad direction: positive when it is worse.
    package func harm(_ change: Double) -> Double { self.higherIsBetter ? -change : change }

    /// Returns the outcome of one sample, of which all of several have to be good; nil when it is not asked.
    package func outcome(of reading: Reading) -> Bool? {
        guard case .first(let observe) = self.source else { return nil }
        let outcomes = observe(reading).map { $0 == .outcome(true) }
        if outcomes.isEmpty { return nil }
        return self.higherIsBetter ? outcomes.allSatisfy(\.self) : outcomes.contains(true)
    }
}

/// One value of one reading.
package enum Observation: Sendable, Equatable {
    case outcome(Bool)
    case ratio(Double, of: Double)
    case value(Double)
    /// Never reached, or given up: later than every time.
    case never
}

extension Metric: Hashable, CaseIterable, Codable, CodingKeyRepresentable {
    package static func == (a: Metric, b: Metric) -> Bool { a.rawValue == b.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.rawValue) }

    private static let byRawValue = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package var codingKey: any CodingKey { Key(stringValue: self.rawValue) }

    package init?(codingKey: some CodingKey) {
        guard let metric = Self.byRawValue[codingKey.stringValue] else { return nil }
        self = metric
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let metric = Self.byRawValue[name] else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(name)\" is not a metric")
        }
        self = metric
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.rawValue)
    }

    /// Metrics that suites and gates may name: not that which only records of earlier versions have.
    package static let current = allCases.filter { $0 != .peakMemory }

    /// Metrics for comparing two measurements: titles, authors, other texts, and the rest.
    package static let compared: [Metric] = {
        let all = allCases.filter { $0.pairing != nil }
        let first: [Metric] = [.titleRead, .authorRead]
        let read = all.filter { $0.family == .accuracy && !first.contains($0) }
        return first + read + all.filter { $0.family != .accuracy }
    }()

    /// Names of the compared ones for `--gate`; those of work have the name `counts` together.
    package static var gateNames: String {
        compared.filter { current.contains($0) && $0.family != .work }.map(\.id).joined(separator: ", ")
    }

    /// Returns the metric with this ``id``, or the spelling of its chart: "in-time", "latency-p95" or "p95" alone.
    package static func named(_ name: String) -> Metric? {
        current.first { $0.id == name } ?? current.first { [name, "latency-\(name)"].contains($0.chart) }
    }

    /// Advice for the name of a metric that is taken no more; nil for other names.
    package static func advice(for name: String) -> String? {
        name != peakMemory.id
            ? nil
            : "\"\(name)\" is a figure of versions until 28 November 2026: use \"\(peakFootprint.id)\", which counts against "
                + "an app's limit on a phone, or \"\(peakResident.id)\""
    }
}
