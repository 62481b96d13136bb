package import Basics
import Evaluation
import Harness

/// When users see something of a scan: P50 to P99 of each milestone, from file bytes, by the harness's clock.
///
/// A scan that never came to a milestone which others came to is later than all of them.
package struct MilestoneSummary: Sendable, Equatable, Codable {
    /// Until the draft of a book; nil when the system makes none.
    package var draft: LatencySummary?
    /// Until the picture was ready to be sent; nil where none is sent.
    package var prepared: LatencySummary?
    package var text: LatencySummary?
    /// Until what the catalogue knows of the book.
    package var enriched: LatencySummary?
    /// Until a capture is told and ready; nil of systems that keep none.
    package var ready: LatencySummary?
    /// From the text to what the catalogue knows: what enrichment takes by itself.
    package var enrichment: LatencySummary?
    /// Scans that came to their end, enriched or known not to be in the catalogue, of those that were begun.
    package var completed: Proportion
    /// Scans that are kept for later.
    package var queued: Int
    /// Of these, those that were answered later.
    package var drained: Int
    /// Of these, those that still waited at the end.
    package var waiting: Int
    /// Scans that neither completed nor were queued, and queued scans that were neither answered nor wait at the end.
    package var lost: Int {
        max(0, completed.trials - completed.successes - queued) + max(0, queued - drained - waiting)
    }
    /// How many scans went through which tiers: "fast, enrich".
    package var paths: [String: Int]
    /// How often a picture is read for the questions of one gesture, the mean; nil of systems that are asked once.
    package var gestureReadings: Double?
    /// From question to answer, of all questions of a gesture but the first, by the system's own clock.
    package var repeats: LatencySummary?
    /// How often streams of answers had to be opened anew; nil when no answer came as one.
    package var reconnects: Int?
    /// Events of them that could not be read, and were passed over (S2-39).
    package var malformedEvents: Int?

    /// Of one measurement, or of one category of it; nil when no reading tells of a milestone.
    init?(_ records: [SampleRecord], method: PercentileMethod) {
        let read = records.filter { $0.outcome == .read }
        let predictions = read.compactMap(\.prediction)
        guard predictions.contains(where: { $0.milestones != nil }) else { return nil }
        let samples = Set(read.map(\.id)).count
        // What took too long came to nothing; what failed did not come to its end.
        let late = records.count { $0.outcome == .timedOut }
        let failed = records.count { [.timedOut, .failed, .workerDied].contains($0.outcome) }
        func summary(_ value: (Prediction) -> Double?) -> LatencySummary? {
            let reached = predictions.compactMap(value)
            guard !reached.isEmpty else { return nil }
            return LatencySummary(
                milliseconds: reached,
                timeouts: predictions.count - reached.count + late,
                samples: samples,
                method: method,
                infinite: "never came so far"
            )
        }
        draft = summary { $0.milliseconds(until: .draft) }
        prepared = summary { $0.milliseconds(until: .prepared) }
        text = summary { $0.milliseconds(until: .text) }
        enriched = summary { $0.milliseconds(until: .enriched) }
        ready = summary { $0.milliseconds(until: .ready) }
        enrichment = summary(\.enrichmentMilliseconds)
        let gestures = predictions.compactMap(\.gesture)
        if !gestures.isEmpty {
            gestureReadings = Double(gestures.reduce(0) { $0 + $1.readings }) / Double(gestures.count)
            repeats = LatencySummary(
                milliseconds: gestures.flatMap(\.repeatMilliseconds),
                timeouts: 0,
                samples: samples,
                method: method,
                infinite: "never answered"
            )
        }
        let ends = predictions.count { $0.milliseconds(until: .enriched) != nil }
        completed = Proportion(successes: ends, trials: predictions.count + failed)
        queued = predictions.count { $0.isQueued == true }
        drained = predictions.reduce(0) { $0 + ($1.drained ?? 0) }
        // Each worker has a queue of its own.
        waiting = Dictionary(grouping: read, by: \.worker).values.reduce(0) { sum, own in
            sum + (own.last?.prediction?.waiting ?? 0)
        }
        paths = Dictionary(grouping: predictions.compactMap(\.path)) { $0.joined(separator: ", ") }.mapValues(\.count)
        func sum(_ count: (Prediction) -> Int?) -> Int? {
            let counts = predictions.compactMap(count)
            return counts.isEmpty ? nil : counts.reduce(0, +)
        }
        reconnects = sum(\.reconnects)
        malformedEvents = sum(\.malformedEvents)
    }
}

extension Prediction {
    /// From the text to what the catalogue knows; nil when it did not come so far.
    var enrichmentMilliseconds: Double? {
        milliseconds(until: .enriched).flatMap { end in milliseconds(until: .text).map { end - $0 } }
    }
}
