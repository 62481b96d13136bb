import Basics
import Evaluation
import Foundation

/// Rows of a pair of sides: paired by sample, and of whole processes by the stint that they worked in.
struct ComparisonRows: Sendable {
    let a: ReadingSet
    let b: ReadingSet
    let samples: SamplePairs
    let noise: NoiseFloor
    private let tolerances: ComparisonTolerances
    private var category = "all"
    private var pairs: [SamplePairs.Pair]

    init(a: ReadingSet, b: ReadingSet, noise: NoiseFloor, tolerances: ComparisonTolerances) {
        (self.a, self.b, self.noise, self.tolerances) = (a, b, noise, tolerances)
        samples = SamplePairs(a, b)
        pairs = samples.pairs
    }

    var isOfOneRule: Bool { a.scoringRule == b.scoringRule }

    /// Number of stints that have a process of both sides.
    var pairedProcesses: Int {
        Set(a.workers.compactMap(\.stint)).intersection(b.workers.compactMap(\.stint)).count
    }

    /// Returns the pair without some samples.
    func without(_ ids: Set<String>) -> ComparisonRows {
        func rest(_ side: ReadingSet) -> ReadingSet {
            var side = side
            side.entries.removeAll { ids.contains($0.id) }
            return side
        }
        return ComparisonRows(a: rest(a), b: rest(b), noise: noise, tolerances: tolerances)
    }

    /// All samples together: a row for each metric that is compared, but for those that no sample is scored in and
    /// that are not to gate.
    var overall: [ComparisonRow] {
        // Whether the samples are books on photos of shelves.
        let isOfShelves = pairs.contains { $0.a.outcomes.keys.contains(where: \.isOfShelves) }
        return Metric.compared.compactMap { metric in
            switch metric.pairing {
            case .outcomes:
                let isAsked = pairs.contains { $0.a.outcomes[metric] != nil && $0.b.outcomes[metric] != nil }
                let isOfKind = metric.isOfShelves == isOfShelves
                return isAsked || isOfKind && tolerances[metric] != nil ? row(metric, share(metric)) : nil
            case .characters: return row(metric, errors)
            case .shift: return row(metric, shift)
            case .percentile: return row(metric, percentile(metric))
            // Only records of earlier versions have it.
            case .process where metric == .peakMemory && !a.hasEarlierMemory && !b.hasEarlierMemory: return nil
            case .process: return row(metric, process(metric))
            case nil: return nil
            }
        }
    }

    /// Rows of the texts and the latency of each category, in the order of the samples' first.
    var byCategory: [ComparisonRow] {
        var names: [String] = []
        for pair in pairs where !names.contains(pair.a.category) { names.append(pair.a.category) }
        if names.count < 2 { return [] }
        return names.flatMap { name in
            var own = self
            own.category = name
            own.pairs = pairs.filter { $0.a.category == name }
            return [own.row(.titleRead, own.share(.titleRead)), own.row(.latency, own.shift)]
        }
    }

    /// Source of further processes for the judgement: stored runs have no stint, and rounds cannot be added.
    private var moreProcesses: String {
        b.workers.contains { $0.stint == nil } ? "a baseline of several runs" : "more --rounds"
    }

    private func row(_ metric: Metric, _ estimate: EstimatedChange) -> ComparisonRow {
        ComparisonRow(metric, estimate, category: category, noise: noise[metric], tolerances: tolerances)
    }
}

// Texts.
extension ComparisonRows {
    private func share(_ metric: Metric) -> EstimatedChange {
        let scored = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Bool, b: Bool)? in
            guard let a = pair.a.outcomes[metric], let b = pair.b.outcomes[metric] else { return nil }
            return (pair, a, b)
        }
        guard !scored.isEmpty else {
            let rules = "A was scored by rule \(a.scoringRule), B by rule \(b.scoringRule): not comparable"
            return .absent(isOfOneRule ? "no legible samples" : rules)
        }
        func share(_ count: Int) -> Figure { .value(Double(count) / Double(scored.count)) }
        let (lost, gained) = (scored.count { $0.a && !$0.b }, scored.count { !$0.a && $0.b })
        let bootstrap = SamplePairs.bootstrap(scored.map(\.pair))
        let (interval, p) = bootstrap.ofRateDifference(scored.map(\.a), scored.map(\.b))
        return EstimatedChange(
            a: share(scored.count(where: \.a)),
            b: share(scored.count(where: \.b)),
            change: share(gained - lost),
            interval: interval,
            p: p,
            isAlike: lost + gained == 0,
            note: "\(NumberText.count(scored.count, "sample")), \(lost) lost, \(gained) gained"
        )
    }

    private var errors: EstimatedChange {
        let scored = pairs.filter { $0.a.characters.referenceLength > 0 && $0.b.characters.referenceLength > 0 }
        let lengths = scored.map { Double($0.a.characters.referenceLength) }
        let length = lengths.reduce(0, +)
        guard length > 0 else { return .absent("no legible samples") }
        let changes = scored.map { Double($0.b.characters.errors - $0.a.characters.errors) }
        func rate(_ side: KeyPath<SamplePairs.Pair, ReadingSet.Entry>) -> Double {
            Double(scored.reduce(0) { $0 + $1[keyPath: side].characters.errors }) / length
        }
        let (a, b) = (rate(\.a), rate(\.b))
        return EstimatedChange(
            a: .value(a),
            b: .value(b),
            change: .value(b - a),
            interval: SamplePairs.bootstrap(scored).ofRatio(changes, lengths),
            isAlike: changes.allSatisfy { $0 == 0 }
        )
    }
}

// Processes and times.
extension ComparisonRows {
    /// Returns a figure of whole processes: paired by the stint that they worked in, as they read the same samples
    /// there.
    private func process(_ metric: Metric) -> EstimatedChange {
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
        if metric.family == .memory, a.hasEarlierMemory != b.hasEarlierMemory {
            let side = a.hasEarlierMemory ? "A" : "the other side"
            return .absent("of \(side), \(MemorySummary.redefined)", figure(first), figure(second))
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
        // One process each shows no spread; the known noise, which is of several, replaces it.
        guard let middle, let half else {
            let alone = IntervalFigure.absent("one process each shows no spread; use \(moreProcesses)")
            let change =
                middle.map { isRelative ? .change(logarithm: $0) : .value($0) } ?? Figure.absent("not measured")
            return EstimatedChange(a: figure(first), b: figure(second), change: change, interval: alone)
        }
        return EstimatedChange(
            a: figure(first),
            b: figure(second),
            change: isRelative ? .change(logarithm: middle) : .value(middle),
            interval: isRelative
                ? .change(logarithms: middle - half, middle + half, orAbsent: reason)
                : .value((middle - half)...(middle + half))
        )
    }

    /// The Hodges–Lehmann shift of the samples' median latencies, as a ratio.
    private var shift: EstimatedChange {
        let medians = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Double, b: Double)? in
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds, a.isFinite, b.isFinite, a > 0, b > 0 else {
                return nil
            }
            return (pair, a, b)
        }
        let left = pairs.count { $0.a.isTimed && $0.b.isTimed } - medians.count
        guard !medians.isEmpty else { return .absent("no sample was timed on both sides") }
        // An estimate of all pairs takes its time, and 500 resamples give the ends of an interval well enough.
        let bootstrap = SamplePairs.bootstrap(medians.map(\.pair), resamples: 500)
        let shift = HodgesLehmann(differences: medians.map { log($0.b) - log($0.a) }, resampledBy: bootstrap)
        let ofPairs = Figure.absent("an estimate of ratios, which neither side has alone")
        return EstimatedChange(
            a: ofPairs,
            b: ofPairs,
            change: shift.estimate.value.map(Figure.change) ?? shift.estimate,
            interval: widened(shift.interval, about: shift.estimate, metric: .latency),
            note: left == 0 ? "" : "\(NumberText.count(left, "sample")) without a time on both sides"
        )
    }

    /// Returns the ratio of a percentile of all readings; of the samples' medians where the sides were not read
    /// equally often.
    private func percentile(_ metric: Metric) -> EstimatedChange {
        guard let percent = metric.percent else { return .absent("not measured") }
        let isAlike = pairs.allSatisfy { $0.a.readings.count == $0.b.readings.count }
        let readings = pairs.flatMap { pair -> [(pair: SamplePairs.Pair, a: Double, b: Double)] in
            if isAlike { return zip(pair.a.readings, pair.b.readings).map { (pair, $0.milliseconds, $1.milliseconds) } }
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds else { return [] }
            return [(pair, a, b)]
        }
        let needed = Percentile.minimumCount(for: percent)
        guard readings.count >= needed else { return .absent("n too small (needs ≥ \(needed))") }
        let (timesA, timesB) = (readings.map(\.a), readings.map(\.b))
        guard let a = timesA.percentile(percent), let b = timesB.percentile(percent), (log(b) - log(a)).isFinite else {
            return .absent("more than \(100 - percent) % of the readings timed out")
        }
        let ratio = log(b) - log(a)
        let interval = SamplePairs.bootstrap(readings.map(\.pair)).ofQuantileRatio(percent, timesA, timesB)
        return EstimatedChange(
            a: .value(a),
            b: .value(b),
            change: .change(logarithm: ratio),
            interval: widened(interval.mapped { log($0) }, about: .value(ratio), metric: metric),
            note: isAlike ? "" : "of the samples' medians"
        )
    }

    /// Returns the interval of a log ratio as one of a change, widened by the spread of processes.
    private func widened(_ interval: IntervalFigure, about estimate: Figure, metric: Metric) -> IntervalFigure {
        guard let ends = interval.value, let middle = estimate.value else { return interval }
        guard let spread = noise.processSpread else { return .absent(noise[metric].reason ?? NoiseFloor.onePair) }
        func half(_ width: Double) -> Double { (max(0, width) * max(0, width) + spread * spread).squareRoot() }
        return .change(
            logarithms: middle - half(middle - ends.lowerBound),
            middle + half(ends.upperBound - middle),
            orAbsent: "readings or processes differ too much for a bound; use a quieter machine or \(moreProcesses)"
        )
    }
}

extension ReadingSet {
    /// Whether its memory is by the definition of versions until 28 November 2026.
    fileprivate var hasEarlierMemory: Bool { workers.contains { $0.figures[.peakMemory] != nil } }
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
    static let widestFactor = 10.0

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
        switch self {
        case .value(let range): .value(transform(range.lowerBound)...transform(range.upperBound))
        case .absent: self
        }
    }
}
