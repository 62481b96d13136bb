package import Basics
package import Evaluation
import Foundation
import Harness

/// Findings of MLPerf's compliance tests.
package struct AuditFindings: Sendable, Equatable, Codable {
    package struct Check: Sendable, Equatable, Codable {
        package var name: String
        package var required: String
        package var seen: String
        /// Interval at 95 %, of the observed value; absent where the test has no estimate.
        package var interval: IntervalFigure
        package var verdict: Verdict
        package var samples: [String] = []
    }

    package var checks: [Check]

    /// Maximum speed-up of repeated samples.
    private static let cacheShare = 0.1
    /// Maximum difference of percentiles, and the latency in milliseconds up to which a larger one is accepted.
    private static let (seedShare, shortSeedShare, shortMilliseconds) = (0.05, 0.2, 0.2)

    init(_ records: [SampleRecord]) {
        let parts = Dictionary(grouping: records) { $0.phase ?? "" }
        func part(_ name: String) -> [SampleRecord] { parts[name] ?? [] }
        let reference = part(AuditPlan.Part.reference)
        let mixed = reference + AuditPlan.Part.seeds.flatMap(part)
        checks = [
            Self.accuracy(reference, part(AuditPlan.Part.stream)),
            Self.caching(mixed, part(AuditPlan.Part.repeated)),
        ]
        checks += AuditPlan.Part.seeds.flatMap { name in
            [50, 95].map { Self.seed($0, reference, part(name), name: name) }
        }
    }

    /// Compares the texts read at speed with those read one by one (TEST01).
    private static func accuracy(_ reference: [SampleRecord], _ stream: [SampleRecord]) -> Check {
        func texts(_ records: [SampleRecord]) -> [String: String] {
            Dictionary(first: records.compactMap { record in record.text.map { (record.id, $0) } })
        }
        let (one, many) = (texts(reference), texts(stream))
        let common = one.keys.filter { many[$0] != nil }.sorted()
        let different = common.filter { one[$0] != many[$0] }
        let same = Proportion(successes: common.count - different.count, trials: common.count)
        return Check(
            name: "TEST01 accuracy in performance mode",
            required: "the same text for every sample",
            seen: "\(same.successes) of \(same.trials) the same",
            interval: same.interval.map { .value($0) } ?? .absent("no samples"),
            verdict: common.isEmpty ? .inconclusive : different.isEmpty ? .pass : .fail,
            samples: different
        )
    }

    /// Tests that a sample that was just read is not read faster (TEST04).
    private static func caching(_ mixed: [SampleRecord], _ repeated: [SampleRecord]) -> Check {
        let (some, again) = (latencies(mixed), latencies(repeated))
        let ids = again.keys.filter { some[$0] != nil }.sorted()
        let shift = HodgesLehmann(
            differences: ids.map { id in
                log(Percentile.nearestRank(50, of: again[id] ?? []) / Percentile.nearestRank(50, of: some[id] ?? []))
            }
        )
        let limit = log(1 - cacheShare)
        let percent = shift.estimate.map { exp($0) - 1 }
        return Check(
            name: "TEST04 caching",
            required: "repeated samples ≤ \(NumberText.percent(cacheShare)) faster than mixed ones",
            seen: NumberText.figure(percent, signed) + " of \(NumberText.count(ids.count, "sample"))",
            interval: shift.interval.mapped { exp($0) - 1 },
            verdict: verdict(shift.interval) { $0.lowerBound >= limit ? .pass : $0.upperBound < limit ? .fail : nil }
        )
    }

    /// Tests that another order of the samples gives the same percentile (TEST05).
    private static func seed(
        _ percent: Int,
        _ reference: [SampleRecord],
        _ other: [SampleRecord],
        name: String
    ) -> Check {
        let (first, second) = (latencies(reference), latencies(other))
        let ids = first.keys.filter { second[$0] != nil }.sorted()
        let (a, b) = (ids.compactMap { first[$0]?.first }, ids.compactMap { second[$0]?.first })
        let title = "TEST05 \(name), P\(percent)"
        guard !ids.isEmpty else {
            let required = "within \(NumberText.percent(seedShare))"
            let none = IntervalFigure.absent("no readings")
            return Check(name: title, required: required, seen: "no readings", interval: none, verdict: .inconclusive)
        }
        let base = Percentile.nearestRank(percent, of: a.sorted())
        let share = base <= shortMilliseconds ? shortSeedShare : seedShare
        let ratio = Percentile.nearestRank(percent, of: b.sorted()) / base
        let interval = GroupBootstrap(groups: Array(ids.indices)).ofQuantileRatio(percent, a, b).mapped { $0 - 1 }
        return Check(
            name: title,
            required: "within \(NumberText.percent(share))",
            seen: signed(ratio - 1),
            interval: interval,
            verdict: verdict(interval) { range in
                if range.lowerBound >= -share && range.upperBound <= share { return .pass }
                return range.lowerBound > share || range.upperBound < -share ? .fail : nil
            }
        )
    }

    private static func verdict(_ interval: IntervalFigure, _ judge: (ClosedRange<Double>) -> Verdict?) -> Verdict {
        interval.value.flatMap(judge) ?? .inconclusive
    }

    /// Returns latencies in milliseconds, above 0 and in ascending order, by sample.
    private static func latencies(_ records: [SampleRecord]) -> [String: [Double]] {
        Dictionary(grouping: records.filter { $0.outcome == .read }, by: \.id)
            .mapValues { $0.compactMap(\.milliseconds).filter { $0 > 0 }.sorted() }
            .filter { !$0.value.isEmpty }
    }

    private static func signed(_ share: Double) -> String { (share < 0 ? "" : "+") + NumberText.percent(share) }
}
