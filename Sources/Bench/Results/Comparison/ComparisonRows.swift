import Basics
import Evaluation
import Foundation
import Harness

struct ComparisonRows {
    private(set) var pairs: [SamplePairs.Pair]
    private var category = "all"
    private let workers: (a: [ReadingSet.Worker], b: [ReadingSet.Worker])
    let noise: NoiseFloor
    /// Reason why titles, authors and publishers are not compared; nil when they are.
    private let movedRuler: String?
    private let tolerances: ComparisonTolerances

    init(a: ReadingSet, b: ReadingSet, noise: NoiseFloor, tolerances: ComparisonTolerances) {
        pairs = SamplePairs(a, b).pairs
        workers = (a.workers, b.workers)
        movedRuler =
            a.scoringRule == b.scoringRule
            ? nil : "A was scored by rule \(a.scoringRule), B by rule \(b.scoringRule): not comparable"
        self.noise = noise
        self.tolerances = tolerances
    }

    /// Whether the samples are books on photos of shelves.
    private var isOfShelves: Bool { pairs.contains { $0.a.outcomes.keys.contains(where: \.isOfShelves) } }

    /// All samples together: a row for each metric that is compared, but for those that no sample is scored in and
    /// that are not to gate.
    var overall: [ComparisonRow] {
        Metric.compared.compactMap { metric in
            switch metric.pairing {
            case .outcomes:
                let isAsked = pairs.contains { $0.a.outcomes[metric] != nil && $0.b.outcomes[metric] != nil }
                let isOfKind = metric.isOfShelves == isOfShelves
                return isAsked || isOfKind && tolerances[metric] != nil ? share(metric) : nil
            case .characters: return errors
            case .shift: return shift
            case .percentile: return percentile(metric)
            // Only records of earlier versions have it.
            case .process where metric == .peakMemory && !hasEarlierMemory(workers.a) && !hasEarlierMemory(workers.b):
                return nil
            case .process: return process(metric)
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
            return [own.share(.titleRead), own.shift]
        }
    }

    /// Source of further processes for the judgement: stored runs have no stint, and rounds cannot be added.
    var moreProcesses: String {
        workers.b.contains { $0.stint == nil } ? "a baseline of several runs" : "more --rounds"
    }

    func row(
        _ metric: Metric,
        _ values: (a: Figure, b: Figure),
        change: Figure,
        interval: IntervalFigure,
        p: Double? = nil,
        isAlike: Bool = false,
        note: String = ""
    ) -> ComparisonRow {
        ComparisonRow(
            metric,
            category: category,
            values: values,
            change: change,
            interval: interval,
            p: p,
            isAlike: isAlike,
            noise: noise[metric],
            tolerances: tolerances,
            note: note
        )
    }

    func absent(_ metric: Metric, _ reason: String) -> ComparisonRow {
        row(metric, (.absent(reason), .absent(reason)), change: .absent(reason), interval: .absent(reason))
    }

    private func share(_ metric: Metric) -> ComparisonRow {
        let scored = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Bool, b: Bool)? in
            guard let a = pair.a.outcomes[metric], let b = pair.b.outcomes[metric] else { return nil }
            return (pair, a, b)
        }
        guard !scored.isEmpty else { return absent(metric, movedRuler ?? "no legible samples") }
        func share(_ count: Int) -> Figure { .value(Double(count) / Double(scored.count)) }
        let (lost, gained) = (scored.count { $0.a && !$0.b }, scored.count { !$0.a && $0.b })
        let bootstrap = SamplePairs.bootstrap(scored.map(\.pair))
        let (interval, p) = bootstrap.ofRateDifference(scored.map(\.a), scored.map(\.b))
        return row(
            metric,
            (share(scored.count { $0.a }), share(scored.count { $0.b })),
            change: share(gained - lost),
            interval: interval,
            p: p,
            isAlike: lost + gained == 0,
            note: "\(NumberText.count(scored.count, "sample")), \(lost) lost, \(gained) gained"
        )
    }

    private var errors: ComparisonRow {
        let scored = pairs.filter { $0.a.characters.referenceLength > 0 && $0.b.characters.referenceLength > 0 }
        let length = scored.reduce(0) { $0 + $1.a.characters.referenceLength }
        guard length > 0 else { return absent(.characterErrors, "no legible samples") }
        func rate(_ side: KeyPath<SamplePairs.Pair, ReadingSet.Entry>) -> Double {
            Double(scored.reduce(0) { $0 + $1[keyPath: side].characters.errors }) / Double(length)
        }
        let (a, b) = (rate(\.a), rate(\.b))
        return row(
            .characterErrors,
            (.value(a), .value(b)),
            change: .value(b - a),
            interval: SamplePairs.bootstrap(scored).ofRatio(
                scored.map { Double($0.b.characters.errors - $0.a.characters.errors) },
                scored.map { Double($0.a.characters.referenceLength) }
            ),
            isAlike: scored.allSatisfy { $0.a.characters.errors == $0.b.characters.errors }
        )
    }

    private func hasEarlierMemory(_ workers: [ReadingSet.Worker]) -> Bool { workers.contains { $0.peakBytes != nil } }

    /// Returns a figure of whole processes: paired by the stint that they worked in, as they read the same samples
    /// there.
    private func process(_ metric: Metric) -> ComparisonRow {
        let isRelative = metric.unit.isRelative
        let isRedefined =
            metric.family == .memory && hasEarlierMemory(workers.a) != hasEarlierMemory(workers.b)
        // Of figures whose ratio is judged, the geometric means have that ratio.
        func scaled(_ worker: ReadingSet.Worker) -> Double? {
            worker[metric].flatMap { isRelative ? ($0 > 0 ? log($0) : nil) : $0 }
        }
        func mean(_ figures: [Double]) -> Double? {
            figures.isEmpty ? nil : figures.sorted().reduce(0, +) / Double(figures.count)
        }
        func figure(_ mean: Double?) -> Figure {
            mean.map { .value(isRelative ? exp($0) : $0) } ?? .absent("not measured")
        }
        let others = Dictionary(first: workers.b.map { ($0.stint, scaled($0)) })
        let paired = workers.a.compactMap { worker -> (a: Double, b: Double)? in
            guard worker.stint != nil, let a = scaled(worker), let b = others[worker.stint] ?? nil else { return nil }
            return (a, b)
        }
        let isPaired = paired.count >= 2
        let a = mean(isPaired ? paired.map(\.a) : workers.a.compactMap(scaled))
        let b = mean(isPaired ? paired.map(\.b) : workers.b.compactMap(scaled))
        let values = (a: figure(a), b: figure(b))
        if isRedefined {
            let reason = "of \(hasEarlierMemory(workers.a) ? "A" : "the other side"), \(MemorySummary.redefined)"
            return self.row(metric, values, change: .absent(reason), interval: .absent(reason))
        }
        // `middle` and `half` are of changes, or of their logarithms.
        func row(_ middle: Double, _ half: Double, orAbsent reason: String) -> ComparisonRow {
            self.row(
                metric,
                values,
                change: isRelative ? .change(logarithm: middle) : .value(middle),
                interval: isRelative
                    ? .change(logarithms: middle - half, middle + half, orAbsent: reason)
                    : .value((middle - half)...(middle + half))
            )
        }
        if isPaired {
            let changes = paired.map { $0.b - $0.a }
            let (mean, variance) = changes.meanAndVariance
            let count = Double(changes.count)
            let half = StudentT.quantile(0.975, degreesOfFreedom: count - 1) * (variance / count).squareRoot()
            let reason = "\(changes.count) pairs of processes differ too much for a bound; use \(moreProcesses)"
            return row(mean, half, orAbsent: reason)
        }
        // One process each shows no spread; the known noise, which is of several, replaces it.
        let single = a.flatMap { a in b.map { $0 - a } }
        if let single, let known = noise[metric].value {
            let half = isRelative ? log1p(known) : known
            return row(single, half, orAbsent: "runs differ too much for a bound; use more runs")
        }
        return self.row(
            metric,
            values,
            change: single.map { isRelative ? .change(logarithm: $0) : .value($0) } ?? .absent("not measured"),
            interval: .absent("one process each shows no spread; use \(moreProcesses)")
        )
    }
}

extension ComparisonRows {
    /// The Hodges–Lehmann shift of the samples' median latencies, as a ratio.
    var shift: ComparisonRow {
        let medians = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Double, b: Double)? in
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds, a.isFinite, b.isFinite, a > 0, b > 0 else {
                return nil
            }
            return (pair, a, b)
        }
        let left = pairs.count { $0.a.isTimed && $0.b.isTimed } - medians.count
        guard !medians.isEmpty else { return absent(.latency, "no sample was timed on both sides") }
        // An estimate of all pairs takes its time, and 500 resamples give the ends of an interval well enough.
        let bootstrap = SamplePairs.bootstrap(medians.map(\.pair), resamples: 500)
        let shift = HodgesLehmann(differences: medians.map { log($0.b) - log($0.a) }, resampledBy: bootstrap)
        let ofPairs = Figure.absent("an estimate of ratios, which neither side has alone")
        return row(
            .latency,
            (ofPairs, ofPairs),
            change: shift.estimate.value.map(Figure.change) ?? shift.estimate,
            interval: widened(shift.interval, about: shift.estimate, metric: .latency),
            note: left == 0 ? "" : "\(NumberText.count(left, "sample")) without a time on both sides"
        )
    }

    /// Returns the ratio of a percentile of all readings; of the samples' medians where the sides were not read
    /// equally often.
    func percentile(_ metric: Metric) -> ComparisonRow {
        guard let percent = metric.percent else { return absent(metric, "not measured") }
        let isAlike = pairs.allSatisfy { $0.a.readings.count == $0.b.readings.count }
        let readings = pairs.flatMap { pair -> [(pair: SamplePairs.Pair, a: Double, b: Double)] in
            if isAlike { return zip(pair.a.readings, pair.b.readings).map { (pair, $0.milliseconds, $1.milliseconds) } }
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds else { return [] }
            return [(pair, a, b)]
        }
        let needed = Percentile.minimumCount(for: percent)
        guard readings.count >= needed else { return absent(metric, "n too small (needs ≥ \(needed))") }
        let (timesA, timesB) = (readings.map(\.a), readings.map(\.b))
        guard let a = timesA.percentile(percent), let b = timesB.percentile(percent), (log(b) - log(a)).isFinite else {
            return absent(metric, "more than \(100 - percent) % of the readings timed out")
        }
        let ratio = log(b) - log(a)
        let interval = SamplePairs.bootstrap(readings.map(\.pair)).ofQuantileRatio(percent, timesA, timesB)
        return row(
            metric,
            (.value(a), .value(b)),
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

extension HodgesLehmann {
    /// Creates the interval of independent differences as Wilcoxon's, of photos with several by resampling those: the
    /// interval for independent ones would be too narrow.
    init(differences: [Double], resampledBy bootstrap: GroupBootstrap) {
        self.init(differences: differences)
        guard bootstrap.groupCount < differences.count else { return }
        interval = bootstrap.interval { weights in
            Self.estimate(of: zip(differences, weights).flatMap { [Double](repeating: $0, count: $1) })
        }
    }
}

extension Figure {
    /// Returns a ratio less 1 from the ratio's logarithm; absent unless it is a number above −1.
    static func change(logarithm: Double) -> Figure {
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
    static func change(logarithms lower: Double, _ upper: Double, orAbsent reason: String) -> IntervalFigure {
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
