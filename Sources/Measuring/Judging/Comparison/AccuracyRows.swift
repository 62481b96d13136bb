import Basics
import Documents
import Evaluation
import Harness
import Statistics

/// The rows about what was read.
struct AccuracyRows {
    let pairs: [SamplePairs.Pair]
    let category: String
    let noise: NoiseFloor
    let tolerances: ComparisonTolerances

    /// The change of a share, with McNemar's test.
    func share(_ metric: Metric) -> ComparisonRow {
        let scored = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Bool, b: Bool)? in
            guard let a = pair.a.outcomes[metric], let b = pair.b.outcomes[metric] else { return nil }
            return (pair, a, b)
        }
        guard !scored.isEmpty else { return absent(metric, "no legible samples") }
        func rate(_ goods: [Bool]) -> Double { Double(goods.count { $0 }) / Double(goods.count) }
        let (a, b) = (scored.map(\.a), scored.map(\.b))
        let (lost, gained) = (scored.count { $0.a && !$0.b }, scored.count { !$0.a && $0.b })
        return ComparisonRow(
            metric,
            category: category,
            values: (.value(rate(a)), .value(rate(b))),
            change: .value(Double(gained - lost) / Double(scored.count)),
            interval: SamplePairs.bootstrap(scored.map(\.pair)).ofRateDifference(a, b),
            p: McNemar.exactP(b: lost, c: gained),
            noise: noise[metric],
            tolerances: tolerances,
            note: "\(NumberText.count(scored.count, "sample")), \(lost) lost, \(gained) gained"
        )
    }

    /// The change of the pooled character error rate.
    var errors: ComparisonRow {
        let scored = pairs.filter { $0.a.characters.referenceLength > 0 && $0.b.characters.referenceLength > 0 }
        let length = scored.reduce(0) { $0 + $1.a.characters.referenceLength }
        guard length > 0 else { return absent(.characterErrors, "no legible samples") }
        func rate(_ side: KeyPath<SamplePairs.Pair, ReadingSet.Entry>) -> Double {
            Double(scored.reduce(0) { $0 + $1[keyPath: side].characters.errors }) / Double(length)
        }
        let interval = SamplePairs.bootstrap(scored).ofRatio(
            scored.map { Double($0.b.characters.errors - $0.a.characters.errors) },
            scored.map { Double($0.a.characters.referenceLength) }
        )
        let (a, b) = (rate(\.a), rate(\.b))
        return ComparisonRow(
            .characterErrors,
            category: category,
            values: (.value(a), .value(b)),
            change: .value(b - a),
            interval: interval,
            noise: noise[.characterErrors],
            tolerances: tolerances
        )
    }

    private func absent(_ metric: Metric, _ reason: String) -> ComparisonRow {
        ComparisonRow(metric, category: category, absent: reason, noise: noise[metric], tolerances: tolerances)
    }
}
