import Basics
import Evaluation
import Foundation
import Statistics

/// A sample that both sides of a pair read.
package struct SamplePair: Sendable {
    package var a: ReadingSet.Entry
    package var b: ReadingSet.Entry
}

/// A pair of sides, with the rows of their comparison: paired by sample, and of whole processes by the stint that they
/// worked in.
package struct SidePair: Sendable {
    let a: ReadingSet
    let b: ReadingSet
    let noise: NoiseFloor
    let tolerances: ComparisonTolerances
    package private(set) var samples: [SamplePair]
    private var category = "all"

    /// Pairs the sides; without tolerances, nothing gates.
    package init(
        _ a: ReadingSet,
        _ b: ReadingSet,
        noise: NoiseFloor = NoiseFloor(processSpread: 0, origin: ""),
        tolerances: ComparisonTolerances = ComparisonTolerances(changes: [:], leastBytes: 0)
    ) {
        (self.a, self.b, self.noise, self.tolerances) = (a, b, noise, tolerances)
        let others = Dictionary(first: b.entries.map { ($0.id, $0) })
        samples = a.entries.compactMap { entry in others[entry.id].map { SamplePair(a: entry, b: $0) } }
        if isOfOneRule { return }
        // Scores of two rules are not comparable.
        for index in samples.indices {
            samples[index].a.outcomes = samples[index].a.outcomes.filter { !$0.key.isByScoringRule }
            samples[index].b.outcomes = samples[index].b.outcomes.filter { !$0.key.isByScoringRule }
        }
    }

    var isOfOneRule: Bool { a.scoringRule == b.scoringRule }

    /// Number of stints that have a process of both sides.
    var pairedProcesses: Int {
        Set(a.workers.compactMap(\.stint)).intersection(b.workers.compactMap(\.stint)).count
    }

    /// Samples of one side alone.
    var unpaired: (a: [String], b: [String]) {
        let both = Set(samples.map(\.a.id))
        func rest(_ side: ReadingSet) -> [String] { side.entries.map(\.id).filter { !both.contains($0) } }
        return (rest(a), rest(b))
    }

    /// Returns the pair without some samples.
    func without(_ ids: Set<String>) -> SidePair {
        var rest = self
        rest.samples.removeAll { ids.contains($0.a.id) }
        return rest
    }

    /// All samples together: a row for each metric that is compared, but for those that no sample is scored in and
    /// that are not to gate.
    var overall: [ComparisonRow] {
        // Whether the samples are books on photos of shelves.
        let isOfShelves = samples.contains { $0.a.outcomes.keys.contains(where: \.isOfShelves) }
        return Metric.compared.filter { metric in
            switch metric.pairing {
            case .outcomes:
                samples.contains { $0.a.outcomes[metric] != nil && $0.b.outcomes[metric] != nil }
                    || metric.isOfShelves == isOfShelves && tolerances[metric] != nil
            // What neither side does, and what neither counts, is no row; one tells that a gate on counts has none.
            case .work(let work):
                samples.both { $0.work?[work] }.contains { $0.a + $0.b > 0 }
                    || metric == Metric.works.first && tolerances[metric] != nil
            // Only records of earlier versions have it.
            case .process: metric != .peakMemory || a.hasEarlierMemory || b.hasEarlierMemory
            default: true
            }
        }.map(row)
    }

    /// Rows of the texts and the latency of each category, in the order of the samples' first.
    var byCategory: [ComparisonRow] {
        let names = samples.reduce(into: [String]()) { if !$0.contains($1.a.category) { $0.append($1.a.category) } }
        if names.count < 2 { return [] }
        return names.flatMap { name in
            var own = self
            (own.category, own.samples) = (name, samples.filter { $0.a.category == name })
            return [Metric.titleRead, .latency].map(own.row)
        }
    }

    /// Source of further processes for the judgement: stored runs have no stint, and rounds cannot be added.
    private var moreProcesses: String {
        b.workers.contains { $0.stint == nil } ? "a baseline of several runs" : "more --rounds"
    }

    func row(_ metric: Metric) -> ComparisonRow {
        var row =
            switch metric.pairing {
            case .outcomes: share(metric)
            case .characters: errors
            case .shift: shift
            case .percentile: percentile(metric)
            case .work(let work): self.work(metric, work)
            case .process, nil: process(metric)
            }
        row.category = category
        row.judge(noise: noise[metric], tolerances)
        return row
    }
}

// Texts.
extension SidePair {
    private func share(_ metric: Metric) -> ComparisonRow {
        let scored = samples.both { $0.outcomes[metric] }
        guard !scored.isEmpty else {
            let rules = "A was scored by rule \(a.scoringRule), B by rule \(b.scoringRule): not comparable"
            return .absent(metric, isOfOneRule ? "no legible samples" : rules)
        }
        func share(_ count: Int) -> Figure { .value(Double(count) / Double(scored.count)) }
        let (lost, gained) = (scored.count { $0.a && !$0.b }, scored.count { !$0.a && $0.b })
        let (interval, p) = scored.map(\.pair).bootstrap()
            .ofRateDifference(scored.map(\.a), scored.map(\.b))
        return ComparisonRow(
            metric,
            a: share(scored.count(where: \.a)),
            b: share(scored.count(where: \.b)),
            change: share(gained - lost),
            interval: interval,
            p: p,
            isAlike: lost + gained == 0,
            note: "\(NumberText.count(scored.count, "sample")), \(lost) lost, \(gained) gained"
        )
    }

    private var errors: ComparisonRow {
        let scored = samples.both { $0.characters.referenceLength > 0 ? $0.characters : nil }
        if scored.isEmpty { return .absent(.characterErrors, "no legible samples") }
        let lengths = scored.map { Double($0.a.referenceLength) }
        let changes = scored.map { Double($0.b.errors - $0.a.errors) }
        let (a, b) = (scored.reduce(0) { $0 + $1.a.errors }, scored.reduce(0) { $0 + $1.b.errors })
        let length = lengths.reduce(0, +)
        return ComparisonRow(
            .characterErrors,
            a: .value(Double(a) / length),
            b: .value(Double(b) / length),
            change: .value(Double(b) / length - Double(a) / length),
            interval: scored.map(\.pair).bootstrap().ofRatio(changes, lengths),
            isAlike: changes.allSatisfy { $0 == 0 }
        )
    }
}

// Work.
extension SidePair {
    /// Returns the exact change of a count over the samples; what A does not do at all counts as 100 % more.
    private func work(_ metric: Metric, _ work: Work) -> ComparisonRow {
        let counted = samples.both { $0.work?[work] }
        if counted.isEmpty { return .absent(metric, "not counted on both sides") }
        let (a, b) = (counted.reduce(0) { $0 + $1.a }, counted.reduce(0) { $0 + $1.b })
        let change = a > 0 ? (b - a) / a : b > 0 ? 1 : 0
        let other = counted.filter { $0.a != $0.b }
        var notes: [String] = []
        if !other.isEmpty { notes.append("\(NumberText.count(other.count, "sample")) of \(counted.count) differ") }
        let texts = other.count { $0.pair.a.text != nil && $0.pair.b.text != nil && $0.pair.a.text != $0.pair.b.text }
        if texts > 0 { notes.append("\(texts) of them in their text, too") }
        if let first = self.a.precision, let second = self.b.precision, first != second, !other.isEmpty {
            notes.append("A was computed in \(first), B in \(second)")
        }
        return ComparisonRow(
            metric,
            a: .value(a / Double(counted.count)),
            b: .value(b / Double(counted.count)),
            change: .value(change),
            interval: .value(change...change),
            isAlike: other.isEmpty,
            note: notes.joined(separator: ", ")
        )
    }
}

// Processes and times.
extension SidePair {
    /// Returns a figure of whole processes: paired by the stint that they worked in, as they read the same samples
    /// there.
    private func process(_ metric: Metric) -> ComparisonRow {
        let isRelative = metric.unit.isRelative
        // Of figures whose ratio is judged, the geometric means have that ratio.
        func scaled(_ worker: ReadingSet.Worker) -> Double? {
            worker.figures[metric].flatMap { isRelative ? ($0 > 0 ? log($0) : nil) : $0 }
        }
        func mean(_ figures: [Double]) -> Double? {
            figures.isEmpty ? nil : figures.sorted().reduce(0, +) / Double(figures.count)
        }
        func figure(_ mean: Double?) -> Figure {
            mean.map { .value(isRelative ? exp($0) : $0) } ?? .absent("not measured")
        }
        let others = Dictionary(first: b.workers.map { ($0.stint, scaled($0)) })
        let paired = a.workers.compactMap { worker -> (a: Double, b: Double)? in
            guard worker.stint != nil, let a = scaled(worker), let b = others[worker.stint] ?? nil else { return nil }
            return (a, b)
        }
        let isPaired = paired.count >= 2
        let first = mean(isPaired ? paired.map(\.a) : a.workers.compactMap(scaled))
        let second = mean(isPaired ? paired.map(\.b) : b.workers.compactMap(scaled))
        var row = ComparisonRow.absent(metric, "not measured", figure(first), figure(second))
        if metric.family == .memory, a.hasEarlierMemory != b.hasEarlierMemory {
            let side = a.hasEarlierMemory ? "A" : "the other side"
            return .absent(metric, "of \(side), \(MemorySummary.redefined)", row.a, row.b)
        }
        // The middle and half of the interval are of changes, or of their logarithms.
        var (middle, half) = (first.flatMap { a in second.map { $0 - a } }, noise[metric].value)
        var reason = "runs differ too much for a bound; use more runs"
        if isPaired {
            (middle, half) = paired.map { $0.b - $0.a }.meanAndHalf
            reason = "\(paired.count) pairs of processes differ too much for a bound; use \(moreProcesses)"
        } else if isRelative {
            half = half.map { log1p($0) }
        }
        if let middle { row.change = isRelative ? .change(logarithm: middle) : .value(middle) }
        // One process each shows no spread; the known noise, which is of several, replaces it.
        row.interval = .absent("one process each shows no spread; use \(moreProcesses)")
        if let middle, let half {
            row.interval =
                isRelative
                ? .change(logarithms: middle - half, middle + half, orAbsent: reason)
                : .value((middle - half)...(middle + half))
        }
        return row
    }

    /// The Hodges–Lehmann shift of the samples' median latencies, as a ratio.
    private var shift: ComparisonRow {
        let medians = samples.both { $0.milliseconds.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
        let left = samples.count { $0.a.isTimed && $0.b.isTimed } - medians.count
        if medians.isEmpty { return .absent(.latency, "no sample was timed on both sides") }
        // An estimate of all pairs takes its time, and 500 resamples give the ends of an interval well enough.
        let bootstrap = medians.map(\.pair).bootstrap(resamples: 500)
        let shift = HodgesLehmann(differences: medians.map { log($0.b) - log($0.a) }, resampledBy: bootstrap)
        let ofPairs = Figure.absent("an estimate of ratios, which neither side has alone")
        return ratio(
            .latency,
            (ofPairs, ofPairs),
            shift.estimate,
            shift.interval,
            note: left == 0 ? "" : "\(NumberText.count(left, "sample")) without a time on both sides"
        )
    }

    /// Returns the ratio of a percentile of all readings; of the samples' medians where the sides were not read
    /// equally often.
    private func percentile(_ metric: Metric) -> ComparisonRow {
        guard let percent = metric.percent else { return .absent(metric, "not measured") }
        let isAlike = samples.allSatisfy { $0.a.readings.count == $0.b.readings.count }
        let readings =
            isAlike
            ? samples.flatMap { pair in
                zip(pair.a.readings, pair.b.readings).map { (pair: pair, a: $0.milliseconds, b: $1.milliseconds) }
            } : samples.both(\.milliseconds)
        let needed = Percentile.minimumCount(for: percent)
        guard readings.count >= needed else { return .absent(metric, "n too small (needs ≥ \(needed))") }
        let (timesA, timesB) = (readings.map(\.a), readings.map(\.b))
        guard let a = timesA.percentile(percent), let b = timesB.percentile(percent), (log(b) - log(a)).isFinite else {
            return .absent(metric, "more than \(100 - percent) % of the readings timed out")
        }
        return ratio(
            metric,
            (.value(a), .value(b)),
            .value(log(b) - log(a)),
            readings.map(\.pair).bootstrap().ofQuantileRatio(percent, timesA, timesB).mapped { log($0) },
            note: isAlike ? "" : "of the samples' medians"
        )
    }

    /// Returns the row of a ratio by its logarithm, whose interval is widened by the spread of processes.
    private func ratio(
        _ metric: Metric,
        _ sides: (a: Figure, b: Figure),
        _ estimate: Figure,
        _ interval: IntervalFigure,
        note: String
    ) -> ComparisonRow {
        var interval = interval
        if let ends = interval.value, let middle = estimate.value {
            interval = .absent(noise[metric].reason ?? NoiseFloor.onePair)
            if let spread = noise.processSpread {
                func half(_ width: Double) -> Double { (max(0, width) * max(0, width) + spread * spread).squareRoot() }
                interval = .change(
                    logarithms: middle - half(middle - ends.lowerBound),
                    middle + half(ends.upperBound - middle),
                    orAbsent:
                        "readings or processes differ too much for a bound; use a quieter machine or \(moreProcesses)"
                )
            }
        }
        let change = estimate.value.map(Figure.change) ?? estimate
        return ComparisonRow(metric, a: sides.a, b: sides.b, change: change, interval: interval, note: note)
    }
}

extension [SamplePair] {
    /// Returns those with a value on both sides, and the values.
    package func both<Value>(_ value: (ReadingSet.Entry) -> Value?) -> [(pair: SamplePair, a: Value, b: Value)] {
        compactMap { pair in value(pair.a).flatMap { a in value(pair.b).map { (pair, a, $0) } } }
    }

    func bootstrap(resamples: Int = 2_000) -> GroupBootstrap {
        GroupBootstrap(photos: map(\.a.group), resamples: resamples)
    }
}

extension GroupBootstrap {
    init(photos: [String?], resamples: Int = 2_000) {
        self.init(groups: RateEstimate.numbered(photos).groups, resamples: resamples)
    }
}

extension [Double] {
    /// The mean, with half the width of its 95 % interval by Student's t; nil for one value alone.
    var meanAndHalf: (mean: Double, half: Double?) {
        let (mean, variance) = meanAndVariance
        guard count > 1 else { return (mean, nil) }
        let t = StudentT.quantile(0.975, degreesOfFreedom: Double(count) - 1)
        return (mean, t * (variance / Double(count)).squareRoot())
    }
}

extension HodgesLehmann {
    /// Creates the interval of independent differences as Wilcoxon's, of photos with several by resampling those: the
    /// interval for independent ones would be too narrow.
    fileprivate init(differences: [Double], resampledBy bootstrap: GroupBootstrap) {
        self.init(differences: differences)
        guard bootstrap.groupCount < differences.count else { return }
        interval = bootstrap.interval { weights in
            Self.estimate(of: zip(differences, weights).flatMap { [Double](repeating: $0, count: $1) })
        }
    }
}

extension Figure {
    /// Returns a ratio less 1 from the ratio's logarithm; absent unless it is a number above −1.
    fileprivate static func change(logarithm: Double) -> Figure {
        let change = expm1(logarithm)
        return change.isFinite && change > -1
            ? .value(change) : .absent("the difference between the sides is not finite")
    }
}

extension IntervalFigure {
    /// An interval whose ends are further apart bounds nothing, as Student's t of one or two degrees of freedom may be.
    static var widestFactor: Double { 10 }

    /// Returns the interval of a ratio less 1 from the ends of its logarithm: finite, above −1 and of ``widestFactor``
    /// at most.
    fileprivate static func change(logarithms lower: Double, _ upper: Double, orAbsent reason: String) -> IntervalFigure
    {
        guard upper - lower <= log(widestFactor), let first = Figure.change(logarithm: lower).value,
            let last = Figure.change(logarithm: upper).value, first <= last
        else { return .absent(reason) }
        return .value(first...last)
    }

    func mapped(_ transform: (Double) -> Double) -> IntervalFigure {
        map { transform($0.lowerBound)...transform($0.upperBound) }
    }
}
