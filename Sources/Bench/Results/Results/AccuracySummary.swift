package import Basics
package import Evaluation
package import Harness
import SpineDatasets

package struct AccuracySummary: Sendable, Equatable {
    /// Score of a sample with further facts of its reading.
    package struct Entry: Sendable {
        var score: SampleScore
        /// Photo that the sample was cut from; nil for its own.
        var group: String?
        /// Time until its text; nil when its reading did not finish.
        var milliseconds: Double?

        package init(_ score: SampleScore, group: String? = nil, milliseconds: Double? = nil) {
            (self.score, self.group, self.milliseconds) = (score, group, milliseconds)
        }
    }

    /// Reading a title takes no longer when it is read in time (S0-M08).
    package static let timeLimitMilliseconds = 500.0

    static func isInTime(_ milliseconds: Double?) -> Bool {
        milliseconds.map { $0 <= timeLimitMilliseconds } ?? false
    }

    /// Legible samples.
    package var scored: Int
    /// Legible samples that were read but are in no figure here, by why; nil when there are none.
    package var notScored: [String: Int]?
    fileprivate var shares: [Metric: RateEstimate]
    /// Pooled over the samples: their rate is the micro average.
    package var characters: EditCounts
    package var words: EditCounts
    /// Mean of the samples' character error rates: the macro average.
    package var meanCER: Figure
    /// Mean of the samples' 1-NED.
    package var similarity: Figure
    /// Pooled over the samples.
    package var overlap: WordOverlap

    fileprivate static let shared = Metric.allCases.filter { $0.taking.outcome != nil }

    /// Creates the summary of legible samples, and of the numbers of others by the reason why they are not scored.
    package init(_ entries: [Entry], notScored: [String: Int] = [:]) {
        var tally = AccuracyTally()
        for entry in entries { tally.add(entry) }
        tally.notScored = notScored
        self.init(tally)
    }

    package init(_ tally: AccuracyTally) {
        notScored = tally.notScored.isEmpty ? nil : tally.notScored
        scored = tally.scored
        shares = Self.shared.enumerated().reduce(into: [:]) { $0[$1.element] = tally.shares.estimate($1.offset) }
        (characters, words, overlap) = (tally.characters, tally.words, tally.overlap)
        meanCER = tally.characterErrorRates.mean.map { .value($0) } ?? .absent("no samples")
        similarity = tally.similarities.mean.map { .value($0) } ?? .absent("no samples")
    }

    package subscript(metric: Metric) -> RateEstimate { shares[metric] ?? RateEstimate([], groups: []) }

    package var titleRead: RateEstimate { self[.titleRead] }

    mutating func takeAway(_ reason: String) {
        for metric in shares.keys { shares[metric]?.interval = .absent(reason) }
        (meanCER, similarity) = (.absent(reason), .absent(reason))
    }
}

extension AccuracySummary {
    var withoutTimes: AccuracySummary {
        var copy = self
        copy.shares[.readInTime] = nil
        return copy
    }
}

/// Tally of samples' scores; the result does not depend on their order, to the last bit.
package struct AccuracyTally {
    fileprivate var shares = GroupedCounts(questions: AccuracySummary.shared.count)
    fileprivate var scored = 0
    fileprivate var characters = EditCounts()
    fileprivate var words = EditCounts()
    fileprivate var overlap = WordOverlap()
    fileprivate var characterErrorRates = OrderFreeSum()
    fileprivate var similarities = OrderFreeSum()
    package var notScored: [String: Int] = [:]

    private let outcomes = AccuracySummary.shared.compactMap(\.taking.outcome)

    package init() {}

    package mutating func add(_ entry: AccuracySummary.Entry) {
        let score = entry.score
        scored += 1
        shares.add(outcomes.map { $0(score, entry.milliseconds) }, group: entry.group)
        characters = characters + score.characters
        words = words + score.words
        overlap = overlap + score.overlap
        if let rate = score.characters.rate.value { characterErrorRates.add(rate) }
        similarities.add(score.similarity)
    }
}

extension AccuracySummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case scored, notScored, characters, words, meanCER, similarity, overlap
    }

    /// Decodes the shares beside the other figures, each by its metric's raw value; those of earlier versions have
    /// fewer.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scored = try container.decode(Int.self, forKey: .scored)
        notScored = try container.decodeIfPresent([String: Int].self, forKey: .notScored)
        characters = try container.decode(EditCounts.self, forKey: .characters)
        words = try container.decode(EditCounts.self, forKey: .words)
        meanCER = try container.decode(Figure.self, forKey: .meanCER)
        similarity = try container.decode(Figure.self, forKey: .similarity)
        overlap = try container.decode(WordOverlap.self, forKey: .overlap)
        let named = try decoder.container(keyedBy: MetricKey.self)
        shares = try Self.shared.reduce(into: [:]) {
            $0[$1] = try named.decodeIfPresent(RateEstimate.self, forKey: MetricKey($1))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scored, forKey: .scored)
        try container.encodeIfPresent(notScored, forKey: .notScored)
        try container.encode(characters, forKey: .characters)
        try container.encode(words, forKey: .words)
        try container.encode(meanCER, forKey: .meanCER)
        try container.encode(similarity, forKey: .similarity)
        try container.encode(overlap, forKey: .overlap)
        var named = encoder.container(keyedBy: MetricKey.self)
        for (metric, rate) in shares { try named.encode(rate, forKey: MetricKey(metric)) }
    }

    private struct MetricKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ metric: Metric) { stringValue = metric.rawValue }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
