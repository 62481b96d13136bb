package import Basics
package import Evaluation
import Foundation
package import SpineDatasets

/// Side of a comparison: one system's readings of each sample.
///
/// A stored one has what later runs are compared with.
package struct ReadingSet: Sendable, Equatable, Codable {
    /// Time of a reading; infinite without an answer in time.
    package struct Time: Sendable, Equatable, Codable {
        package var round: Int
        package var milliseconds: Double
        /// Time until its text, by the clock of runs (``SampleRecord/millisecondsToText``); nil for the whole
        /// reading.
        package var millisecondsToText: Double?
    }

    /// Sample, scored once by its first reading, as in a run.
    package struct Entry: Sendable, Equatable, Codable {
        package var id: String
        /// Photo of the sample; the sample itself when it is unknown.
        package var group: String
        package var category: String
        /// Outcome by metric that counts samples; without those in which it is not scored.
        package var outcomes: [Metric: Bool] = [:]
        package var characters = EditCounts()
        /// Text of the first reading; nil when it is unknown.
        package var text: String?
        /// Readings that were answered or timed out, in order.
        package var readings: [Time] = []
        /// Median processor time of the answered readings; nil when the system does not state it.
        ///
        /// Neighbours on a busy host lengthen the time on the clock and hardly this one.
        package var processorMilliseconds: Double?
        /// Mean milliseconds of each stage over its readings, without those of its parts, by names for people; empty for
        /// records without stages.
        package var stages: [String: Double] = [:]
        /// Whether the entry has times; false for a book on a photo of shelves whose times another one has.
        package var isTimed = true
        /// Whether the title was read in some readings and not in others.
        package var varies = false
        /// Work of the first reading; nil when the system does not count it.
        package var work: WorkCounts?
        /// Whether a repeated reading needed other work.
        package var workVaries = false

        private enum CodingKeys: CodingKey {
            case id, group, category, outcomes, characters, readings, processorMilliseconds, work
        }

        /// The median of its readings; infinite when half of them timed out, nil without any.
        package var milliseconds: Double? { readings.map(\.milliseconds).middle }

        package var millisecondsToText: Double? {
            readings.map { $0.millisecondsToText ?? $0.milliseconds }.middle
        }

        package var title: Bool? { outcomes[.titleRead] }
    }

    /// Process of a side.
    package struct Worker: Sendable, Equatable, Codable {
        /// The stint of a comparison that it worked in, which has one process of each side; nil in a run.
        package var stint: Int?
        /// Of the metrics that are compared process by process.
        package var figures: [Metric: Double] = [:]
    }

    package var name = ""
    package var entries: [Entry]
    package var workers: [Worker] = []
    /// Descriptions of readings without an answer, and of lost workers.
    package var problems: [String] = []
    package var scoringRule = ScoringRule.current
    /// Precision of its networks; nil when the system does not state it.
    package var precision: String?

    private enum CodingKeys: CodingKey { case entries, workers, scoringRule, precision }
}

extension ReadingSet {
    /// Creates a side's readings of a measurement's records and events; samples without any record are omitted.
    ///
    /// `stintOf` returns the stint of a reading in a comparison, which has a process for each; nil for a run.
    package init(
        name: String,
        samples: [Sample],
        records: [SampleRecord],
        events: [RunEvent] = [],
        stintOf: ((_ id: String, _ round: Int) -> Int?)? = nil
    ) {
        let byID = Dictionary(grouping: records, by: \.id)
        let description = events.compactMap(\.description).last
        let reader = description?["reader"]
        let lost = events.filter { $0.kind == .workerLost }
        self.init(
            name: name + (reader.map { " (\($0))" } ?? ""),
            entries: samples.flatMap { sample in byID[sample.id].map { Entry.all(sample, records: $0) } ?? [] },
            workers: [Worker(events: events, records: records)],
            problems: records.filter { $0.outcome != .read }.map {
                "\($0.id), round \($0.repetition): \($0.problem ?? $0.outcome.rawValue)"
            } + lost.compactMap(\.message)
        )
        precision = description?["precision"]
        if let stintOf {
            // One a stint, in order, unless some were lost: a stint with a lost worker has no figures.
            let byStint = Dictionary(grouping: records) { stintOf($0.id, $0.repetition) ?? -1 }
            let starts = zip(events.filter { $0.kind == .ready }, events.filter { $0.kind == .began })
            workers = (lost.isEmpty ? Array(starts) : []).enumerated().map { stint, start in
                Worker(stint: stint, events: [start.0, start.1], records: byStint[stint] ?? [])
            }
        }
        // Nobody knows whether readings without times were in time.
        guard records.contains(where: { $0.outcome == .read && $0.milliseconds == nil }) else { return }
        for index in entries.indices { entries[index].outcomes[.readInTime] = nil }
    }

    /// Whether its memory is by the definition of versions until 28 November 2026.
    var hasEarlierMemory: Bool { workers.contains { $0.figures[.peakMemory] != nil } }
}

extension ReadingSet.Worker {
    init(stint: Int? = nil, events: [RunEvent], records: [SampleRecord]) {
        let facts = ProcessFacts(
            memory: MemorySummary(events: events, records: records),
            coldStart: ColdStart(events: events),
            traffic: nil
        )
        self.stint = stint
        for metric in Metric.compared where metric.pairing == .process {
            if case .process(let figure) = metric.source { figures[metric] = figure(facts)?.value }
        }
    }
}

extension ReadingSet.Entry {
    /// Returns one reading for a picture of one spine; for a photo of shelves, one for each of its books, the first
    /// of which has its times.
    fileprivate static func all(_ sample: Sample, records: [SampleRecord]) -> [ReadingSet.Entry] {
        let photo = ReadingSet.Entry(sample, records: records)
        guard sample.shelf != nil, let score = records.first(where: { $0.repetition == 1 })?.shelf,
            !score.books.isEmpty
        else { return [photo] }
        var reading = Reading(sample, records.first)
        reading.shelf = score
        return score.books.enumerated().map { place, book in
            var entry = photo
            entry.id += "#\(book.number + 1)"
            reading.shelf?.books = [book]
            entry.outcomes = Self.outcomes(of: reading)
            if place > 0 {
                (entry.readings, entry.processorMilliseconds, entry.isTimed, entry.work) = ([], nil, false, nil)
            }
            return entry
        }
    }

    /// Returns the means of stages, each without its parts: "detection", "recognition", "rest of reading".
    static func stages(_ readings: [StageTimes]) -> [String: Double] {
        readings.reduce(into: [:]) { means, times in
            for entry in times.entries {
                let parts = times.entries.filter { $0.stage.parent == entry.stage.name }
                let own = entry.milliseconds - parts.reduce(0) { $0 + $1.milliseconds }
                let name = entry.stage.name.replacing("Inference", with: "")
                means[parts.isEmpty ? name : "rest of \(name)", default: 0] += own / Double(readings.count)
            }
        }
    }

    private static func outcomes(of reading: Reading) -> [Metric: Bool] {
        Metric.compared.filter { $0.pairing == .outcomes }.reduce(into: [:]) { $0[$1] = $1.outcome(of: reading) }
    }

    /// Creates the entry with its times alone; records are in order.
    init(_ sample: Sample, timesOf records: [SampleRecord]) {
        self.init(id: sample.id, group: sample.group ?? sample.id, category: sample.category.rawValue)
        readings = records.compactMap { record in
            switch record.outcome {
            case .read:
                record.milliseconds.map {
                    .init(round: record.repetition, milliseconds: $0, millisecondsToText: record.millisecondsToText)
                }
            case .timedOut: .init(round: record.repetition, milliseconds: .infinity)
            case .failed, .workerDied, .notAttempted: nil
            }
        }
    }

    fileprivate init(_ sample: Sample, records: [SampleRecord]) {
        let ordered = records.sorted { $0.repetition < $1.repetition }
        let first = ordered.first
        self.init(sample, timesOf: ordered)
        text = first?.text
        let processor = ordered.filter { $0.outcome == .read }.compactMap { $0.prediction?.cpuMilliseconds }
        processorMilliseconds = processor.filter { $0 > 0 }.middle
        let counts = ordered.compactMap { $0.outcome == .read ? $0.prediction?.work : nil }
        (work, workVaries) = (counts.first, counts.contains { $0 != counts.first })
        stages = Self.stages(ordered.compactMap { $0.prediction?.stages }.filter { !$0.entries.isEmpty })
        var reading = Reading(sample, first)
        reading.millisecondsToText = millisecondsToText
        outcomes = Self.outcomes(of: reading)
        guard let score = reading.score else { return }
        characters = score.characters
        varies = ordered.contains { record in
            record.score(against: sample).map { $0.title.isRead != score.title.isRead } ?? false
        }
    }
}
