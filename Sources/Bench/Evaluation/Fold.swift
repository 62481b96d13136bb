package import Basics
import SpineDatasets
package import Statistics

/// A figure with its counts and its interval, or the reason for its absence.
package struct Value: Sendable, Equatable, Codable {
    package var value: Figure
    /// Of a share of samples; nil for others.
    package var rate: RateEstimate?
    /// Of a ratio of counts, these; of a mean, the number of values as the total.
    package var count: Int?
    package var total: Int?

    package init(_ value: Figure, rate: RateEstimate? = nil, count: Int? = nil, total: Int? = nil) {
        (self.value, self.rate, self.count, self.total) = (value, rate, count, total)
    }

    package init(_ rate: RateEstimate) { (value, self.rate) = (rate.rate, rate) }
}

/// Figures of one category of a measurement, or of all of it.
package struct Figures: Sendable, Equatable, Codable {
    package var category: String
    /// Samples, the illegible ones included.
    package var samples: Int
    /// By metric, without percentiles; metrics of parts that the readings do not have are missing.
    package var values: [Metric: Value] = [:]
    /// Times by the series of their percentiles: "latency", "timeToText".
    package var times: [String: LatencySummary] = [:]
    /// Counts beside the metrics, by what is counted and by kind.
    package var counts: [Counted: [String: Int]] = [:]

    /// What is counted beside metrics.
    package enum Counted: String, Sendable, Codable, CodingKeyRepresentable {
        /// Legible samples that were read but are in no figure of texts, by why.
        case notScored
        /// Of photos of shelves: `photos`, `books` with a legible title, `labelled` books, `spines` found.
        case shelves
        /// Scans by the tiers that they went through: "fast, enrich".
        case paths
        /// Of streams of answers: `reconnects`, and `malformedEvents` that were passed over (S2-39).
        case streams
        /// Readings that ended neither with an answer nor with a timeout: "all".
        case failures
    }

    /// Times of whole readings.
    package var latency: LatencySummary { times["latency"] ?? LatencySummary(milliseconds: []) }

    /// Legible samples whose text is scored.
    package var scored: Int { values[.similarity]?.total ?? 0 }

    package func rate(_ metric: Metric) -> RateEstimate { values[metric]?.rate ?? RateEstimate([], groups: []) }

    package func count(_ what: Counted, _ which: String = "all") -> Int { counts[what]?[which] ?? 0 }

    /// Whether books of spines were to be named.
    package var namesBooks: Bool { rate(.identified).trials + rate(.openDraft).trials > 0 }

    /// Whether readings have a part of the results.
    package func has(_ topic: Metric.Topic) -> Bool { values.keys.contains { $0.topic == topic } }

    /// Takes all figures away for a reason; the counts of shares stay.
    package mutating func takeAway(_ reason: String) {
        for metric in values.keys {
            values[metric]?.value = .absent(reason)
            values[metric]?.rate?.interval = .absent(reason)
        }
        for series in times.keys { times[series]?.takeAway(reason) }
    }
}

/// Fold of readings into figures, one reading after the other.
package struct FigureFold: Sendable {
    private var sums: [Sum]
    private var topics: Set<Metric.Topic> = [.text, .latency, .books, .process]
    private var counts: [Figures.Counted: [String: Int]] = [:]
    private var (samples, ids, read): (Int, Set<String>, Set<String>) = (0, [], [])

    /// Creates a fold; that of one category has no figures of the measurement as a whole.
    package init(isOfCategory: Bool = false) {
        var series: Set<String> = []
        sums = Metric.allCases.filter { metric in
            // Percentiles of a series have their times in common.
            !(isOfCategory && metric.isOfWhole) && metric.series.map { series.insert($0).inserted } ?? true
        }.compactMap(Sum.init)
    }

    /// Adds a reading: the first one of a sample, or that there is none, scores it; the others are in their order.
    package mutating func add(_ reading: Reading) {
        for topic in Metric.Topic.allCases where !topics.contains(topic) && reading.shows(topic) {
            topics.insert(topic)
        }
        for index in sums.indices where sums[index].isOfFirst ? reading.isFirst : reading.record != nil {
            sums[index].add(reading)
        }
        if reading.isFirst { addSample(reading) }
        guard let record = reading.record else { return }
        ids.insert(record.id)
        guard reading.isRead else {
            if !reading.isTimedOut { count(.failures, "all") }
            return
        }
        read.insert(record.id)
        if let path = record.prediction?.path { count(.paths, path.joined(separator: ", ")) }
        count(.streams, "reconnects", record.prediction?.reconnects)
        count(.streams, "malformedEvents", record.prediction?.malformedEvents)
    }

    private mutating func addSample(_ reading: Reading) {
        samples += 1
        if let reason = reading.notScored { count(.notScored, reason) }
        if let shelf = reading.shelf {
            count(.shelves, "photos")
            count(.shelves, "books", shelf.books.count)
            count(.shelves, "labelled", shelf.labelled)
            count(.shelves, "spines", shelf.spines.count)
        }
    }

    private mutating func count(_ what: Figures.Counted, _ which: String, _ number: Int? = 1) {
        if let number { counts[what, default: [:]][which, default: 0] += number }
    }

    /// Returns the figures; `topics` are parts that the measurement has whatever its readings show, and `method` is that
    /// of percentiles.
    package func figures(
        _ category: String = "all",
        topics more: [Metric.Topic] = [],
        method: PercentileMethod = .nearestRank
    ) -> Figures {
        let topics = topics.union(more)
        var figures = Figures(category: category, samples: samples)
        figures.counts = counts.filter { what, _ in
            switch what {
            case .paths, .streams: topics.contains(.scans)
            case .notScored, .shelves, .failures: true
            }
        }
        for sum in sums where topics.contains(sum.metric.topic) {
            if let series = sum.metric.series {
                let independent = sum.metric.topic == .latency ? ids.count : read.count
                figures.times[series] = sum.times(independent: independent, method)
            } else {
                figures.values[sum.metric] = sum.value
            }
        }
        for metric in Metric.allCases where topics.contains(metric.topic) {
            guard case .derived(let figure) = metric.source else { continue }
            figures.values[metric] = figure { figures.values[$0] }.map { Value($0) }
        }
        return figures
    }
}

/// Observations of one metric; sums of scores do not depend on their order.
private struct Sum: Sendable {
    let metric: Metric
    let isOfFirst: Bool
    private let (isWithinPicture, isOfScores, isOfLast): (Bool, Bool, Bool)
    private let observe: Metric.Observer<[Observation]>
    private var outcomes = GroupedCounts()
    private var (part, whole, scores) = (0.0, 0.0, OrderFreeSum())
    private var (numbers, last): ([Double], [Int: Double]) = ([], [:])
    private var (count, never) = (0, 0)

    init?(_ metric: Metric) {
        self.metric = metric
        (isWithinPicture, isOfScores, isOfLast) = (metric.isWithinPicture, metric.unit == .score, metric.fold == .last)
        switch metric.source {
        case .first(let observe): (isOfFirst, self.observe) = (true, observe)
        case .every(let observe): (isOfFirst, self.observe) = (false, observe)
        case .process, .times, .derived, .comparison: return nil
        }
    }

    mutating func add(_ reading: Reading) {
        let (group, isWithin) = (reading.sample.group, isWithinPicture || reading.shelf != nil)
        for observation in observe(reading) {
            count += 1
            switch observation {
            case .outcome(let isTrue):
                outcomes.add(isTrue, group: isWithin ? group ?? reading.sample.id : group)
            case .ratio(let part, let whole): (self.part, self.whole) = (self.part + part, self.whole + whole)
            case .value(let value) where isOfScores: scores.add(value)
            case .value(let value) where isOfLast: last[reading.record?.worker ?? 0] = value
            case .value(let value): numbers.append(value)
            case .never: never += 1
            }
        }
    }

    var value: Value {
        let nothing = Figure.absent(metric.nothing.reason)
        func mean(_ sum: Double) -> Figure { count > 0 ? .value(sum / Double(count)) : nothing }
        switch metric.fold {
        case .rate: return Value(outcomes.estimate)
        case .pooled where never > 0: return Value(.absent("\(never) of \(count) photos with books were not read"))
        case .pooled:
            let ratio = whole > 0 ? .value(part / whole) : nothing
            let isOfCounts = metric.unit == .share && (metric.topic == .text || metric.topic == .scans)
            return isOfCounts ? Value(ratio, count: Int(part), total: Int(whole)) : Value(ratio)
        case .mean where metric.unit == .score: return Value(scores.mean.map { .value($0) } ?? nothing, total: count)
        case .mean: return Value(mean(numbers.reduce(0, +)), total: count)
        case .sum: return Value(.value(numbers.reduce(0, +)))
        case .last: return Value(.value(last.values.reduce(0, +)))
        case .percentile: return Value(nothing)
        }
    }

    /// Returns the times; nil for a milestone that nothing reached.
    func times(independent: Int, _ method: PercentileMethod) -> LatencySummary? {
        let isLatency = metric.topic == .latency
        if numbers.isEmpty && !isLatency { return nil }
        return LatencySummary(
            milliseconds: numbers,
            timeouts: never,
            samples: independent,
            method: method,
            infinite: isLatency ? "timed out" : "never got that far"
        )
    }
}
