package import Basics
import Evaluation
import Harness

/// Latency of each milestone of a scan from file bytes; later than all others where a scan never reached it.
package struct MilestoneSummary: Sendable, Equatable, Codable {
    /// Latency until the draft of a book; nil when the system makes none.
    package var draft: LatencySummary?
    /// Latency until the picture was ready to be sent; nil where none is sent.
    package var prepared: LatencySummary?
    package var text: LatencySummary?
    /// Latency until the catalogue's data of the book.
    package var enriched: LatencySummary?
    /// Latency until a capture is described and ready; nil for systems that store none.
    package var ready: LatencySummary?
    /// Latency from the text to the catalogue's data: the duration of enrichment alone.
    package var enrichment: LatencySummary?
    /// Proportion of begun scans that were completed: enriched, or known to be missing from the catalogue.
    package var completed: Proportion
    package var queued: Int
    package var drained: Int
    package var waiting: Int
    /// Scans that neither completed nor were queued, and queued scans that were neither answered nor wait at the end.
    package var lost: Int {
        max(0, completed.trials - completed.successes - queued) + max(0, queued - drained - waiting)
    }
    /// How many scans went through which tiers: "fast, enrich".
    package var paths: [String: Int]
    /// Mean number of readings of a picture for the questions of one gesture; nil for systems that are asked once.
    package var gestureReadings: Double?
    /// Latency from question to answer, of all questions of a gesture but the first, by the system's own clock.
    package var repeats: LatencySummary?
    /// Number of reopened answer streams; nil when no answer was a stream.
    package var reconnects: Int?
    /// Events of them that could not be read, and were passed over (S2-39).
    package var malformedEvents: Int?

    /// Creates the summary of one measurement or one of its categories; nil when no reading reports a milestone.
    init?(_ records: [SampleRecord], method: PercentileMethod) {
        let read = records.filter { $0.outcome == .read }
        let predictions = read.compactMap(\.prediction)
        guard predictions.contains(where: { $0.milestones != nil }) else { return nil }
        let samples = Set(read.map(\.id)).count
        // Timed-out scans have no result; failed ones are not completed.
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
                infinite: "never got that far"
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
        // Each worker has its own queue.
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
    /// Time from the text to the catalogue's data; nil when the scan did not reach it.
    var enrichmentMilliseconds: Double? {
        milliseconds(until: .enriched).flatMap { end in milliseconds(until: .text).map { end - $0 } }
    }
}
