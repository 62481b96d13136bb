import Basics
import Evaluation
import Foundation
import Harness

struct ComparisonRows {
    private(set) var pairs: [SamplePairs.Pair]
    private var category = "all"
    private let workers: (a: [ReadingSet.Worker], b: [ReadingSet.Worker])
    let noise: NoiseFloor
    private let tolerances: ComparisonTolerances

    init(a: ReadingSet, b: ReadingSet, noise: NoiseFloor, tolerances: ComparisonTolerances) {
        pairs = SamplePairs(a, b).pairs
        workers = (a.workers, b.workers)
        self.noise = noise
        self.tolerances = tolerances
    }

    /// Whether the samples are books on photos of shelves.
    private var isOfShelves: Bool { pairs.contains { $0.a.outcomes.keys.contains(where: \.isOfShelves) } }

    /// All samples together: a row for each metric that is compared, but for those that no sample is scored in and
    /// that are not to gate.
    var overall: [ComparisonRow] {
        Metric.compared.compactMap { metric in
            switch metric.taking.pairing {
            case .outcomes:
                let isAsked = pairs.contains { $0.a.outcomes[metric] != nil && $0.b.outcomes[metric] != nil }
                let isOfKind = metric.isOfShelves == isOfShelves
                return isAsked || isOfKind && tolerances[metric] != nil ? share(metric) : nil
            case .characters: return errors
            case .shift: return shift
            case .percentile: return percentile(metric)
            case .process(let value): return process(metric, value)
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
        note: String = ""
    ) -> ComparisonRow {
        ComparisonRow(
            metric,
            category: category,
            values: values,
            change: change,
            interval: interval,
            p: p,
            noise: noise[metric],
            tolerances: tolerances,
            note: note
        )
    }

    func absent(_ metric: Metric, _ reason: String) -> ComparisonRow {
        row(metric, (.absent(reason), .absent(reason)), change: .absent(reason), interval: .absent(reason))
    }

    /// Returns the change of a share, with McNemar's test.
    private func share(_ metric: Metric) -> ComparisonRow {
        let scored = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Bool, b: Bool)? in
            guard let a = pair.a.outcomes[metric], let b = pair.b.outcomes[metric] else { return nil }
            return (pair, a, b)
        }
        guard !scored.isEmpty else { return absent(metric, "no legible samples") }
        func share(_ count: Int) -> Figure { .value(Double(count) / Double(scored.count)) }
        let (lost, gained) = (scored.count { $0.a && !$0.b }, scored.count { !$0.a && $0.b })
        return row(
            metric,
            (share(scored.count { $0.a }), share(scored.count { $0.b })),
            change: share(gained - lost),
            interval: SamplePairs.bootstrap(scored.map(\.pair)).ofRateDifference(scored.map(\.a), scored.map(\.b)),
            p: McNemar.exactP(b: lost, c: gained),
            note: "\(NumberText.count(scored.count, "sample")), \(lost) lost, \(gained) gained"
        )
    }

    /// The change of the pooled character error rate.
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
            )
        )
    }

    /// Returns a figure of whole processes: paired by the stint that they worked in, as they read the same samples
    /// there.
    private func process(_ metric: Metric, _ value: KeyPath<ReadingSet.Worker, Double?>) -> ComparisonRow {
        let isRelative = metric.meaning.unit.isRelative
        func change(_ a: Double, _ b: Double) -> Double? {
            isRelative ? (a > 0 && b > 0 ? log(b) - log(a) : nil) : b - a
        }
        func most(_ workers: [ReadingSet.Worker]) -> Figure {
            workers.compactMap { $0[keyPath: value] }.max().map { .value($0) } ?? .absent("not measured")
        }
        let values = (a: most(workers.a), b: most(workers.b))
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
        let others = Dictionary(first: workers.b.map { ($0.stint, $0[keyPath: value]) })
        let changes = workers.a.compactMap { worker -> Double? in
            guard worker.stint != nil, let a = worker[keyPath: value], let b = others[worker.stint] ?? nil else {
                return nil
            }
            return change(a, b)
        }
        if changes.count >= 2 {
            let (mean, variance) = changes.meanAndVariance
            let count = Double(changes.count)
            let half = StudentT.quantile(0.975, degreesOfFreedom: count - 1) * (variance / count).squareRoot()
            let reason = "\(changes.count) pairs of processes differ too much for a bound; use \(moreProcesses)"
            return row(mean, half, orAbsent: reason)
        }
        // One process each shows no spread; the known noise, which is of several, replaces it.
        let single = values.a.value.flatMap { a in values.b.value.flatMap { change(a, $0) } }
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
