package import Basics
package import Evaluation
import Foundation
package import SpineDatasets

/// Side of a comparison: one system's readings of each sample.
package struct ReadingSet: Sendable, Equatable {
    /// Time of a reading; infinite without an answer in time.
    package struct Time: Sendable, Equatable {
        package var round: Int
        package var milliseconds: Double
        /// Time until its text, by the clock of runs (``SampleRecord/millisecondsToText``); nil for the whole
        /// reading.
        package var millisecondsToText: Double?
    }

    /// Sample, scored once by its first reading, as in a run.
    package struct Entry: Sendable, Equatable {
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
        /// Mean milliseconds of each stage over its readings, without those of its parts, by names for people; empty for
        /// records without stages.
        package var stages: [String: Double] = [:]
        /// Whether the entry has times; false for a book on a photo of shelves whose times another one has.
        package var isTimed = true
        /// Whether the title was read in some readings and not in others.
        package var varies = false

        /// The median of its readings; infinite when half of them timed out, nil without any.
        package var milliseconds: Double? { readings.map(\.milliseconds).middle }

        package var millisecondsToText: Double? {
            readings.map { $0.millisecondsToText ?? $0.milliseconds }.middle
        }

        package var title: Bool? { outcomes[.titleRead] }
    }

    /// Process of a side.
    package struct Worker: Sendable, Equatable {
        /// The stint of a comparison that it worked in, which has one process of each side; nil in a run.
        package var stint: Int?
        /// Of the metrics that are compared process by process.
        package var figures: [Metric: Double] = [:]
    }

    package var name: String
    package var entries: [Entry]
    package var workers: [Worker] = []
    /// Descriptions of readings without an answer, and of lost workers.
    package var problems: [String] = []
    package var scoringRule = ScoringRule.current
}

extension ReadingSet {
    /// Creates a side's readings, of its records alone; samples without any record are omitted.
    package init(name: String, samples: [Sample], records: [SampleRecord], workers: [Worker], lost: [String] = []) {
        let byID = Dictionary(grouping: records, by: \.id)
        self.init(
            name: name,
            entries: samples.flatMap { sample in byID[sample.id].map { Entry.all(sample, records: $0) } ?? [] },
            workers: workers,
            problems: records.filter { $0.outcome != .read }.map {
                "\($0.id), round \($0.repetition): \($0.problem ?? $0.outcome.rawValue)"
            } + lost
        )
        // Nobody knows whether readings without times were in time.
        guard records.contains(where: { $0.outcome == .read && $0.milliseconds == nil }) else { return }
        for index in entries.indices { entries[index].outcomes[.readInTime] = nil }
    }
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
            if place > 0 { (entry.readings, entry.isTimed) = ([], false) }
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

    fileprivate init(_ sample: Sample, records: [SampleRecord]) {
        let ordered = records.sorted { $0.repetition < $1.repetition }
        let first = ordered.first
        self.init(id: sample.id, group: sample.group ?? sample.id, category: sample.category.rawValue)
        text = first?.text
        readings = ordered.compactMap { record in
            switch record.outcome {
            case .read:
                record.milliseconds.map {
                    .init(round: record.repetition, milliseconds: $0, millisecondsToText: record.millisecondsToText)
                }
            case .timedOut: .init(round: record.repetition, milliseconds: .infinity)
            case .failed, .workerDied, .notAttempted: nil
            }
        }
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

package struct SamplePairs: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        package var a: ReadingSet.Entry
        package var b: ReadingSet.Entry
    }

    package var pairs: [Pair]
    package var onlyA: [String]
    package var onlyB: [String]

    package init(_ a: ReadingSet, _ b: ReadingSet) {
        let byID = Dictionary(first: b.entries.map { ($0.id, $0) })
        pairs = a.entries.compactMap { entry in byID[entry.id].map { Pair(a: entry, b: $0) } }
        if a.scoringRule != b.scoringRule {
            // Scores of two rules are not comparable.
            for pair in pairs.indices {
                pairs[pair].a.outcomes = pairs[pair].a.outcomes.filter { !$0.key.isByScoringRule }
                pairs[pair].b.outcomes = pairs[pair].b.outcomes.filter { !$0.key.isByScoringRule }
            }
        }
        let both = Set(pairs.map(\.a.id))
        onlyA = a.entries.map(\.id).filter { !both.contains($0) }
        onlyB = b.entries.map(\.id).filter { !both.contains($0) }
    }

    static func bootstrap(_ pairs: [Pair], resamples: Int = 2_000) -> GroupBootstrap {
        GroupBootstrap(photos: pairs.map(\.a.group), resamples: resamples)
    }
}

extension GroupBootstrap {
    init(photos: [String?], resamples: Int = 2_000) {
        self.init(groups: RateEstimate.numbered(photos).groups, resamples: resamples)
    }
}
