import Basics
import Evaluation
import Statistics
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct LatencySummaryTests {
    private let target = Bound(.below, 500)

    @Test func aTimeoutIsLongerThanEveryReading() {
        let latency = LatencySummary(milliseconds: (1...100).reversed().map(Double.init), timeouts: 2)
        #expect(latency.count == 100)
        #expect(latency.p50.value == .value(51))
        // Rank ⌈0.95 · 102⌉ = 97 of 1…100 and two timeouts.
        #expect(latency.p95.value == .value(97))
        #expect(latency.p99.value == .absent("n too small (needs ≥ 459)"))
        #expect(latency.longest == .value(100))
    }

    @Test func boundsThatAreClearOfTheLimitDecide() {
        let latency = LatencySummary(milliseconds: (1...200).map { Double($0) }, timeouts: 0)
        for rule in DecisionRule.allCases {
            #expect(latency.judgement(of: 95, against: target, rule: rule) == Judgement(.pass))
            #expect(latency.judgement(of: 95, against: changed(limit: 100), rule: rule) == Judgement(.fail))
        }
    }

    @Test func boundsAroundTheLimitLeaveTheMatterOpenByTheIntervalRule() {
        // P95 is 190; 5 of 200 are above 195, 2.5 % instead of 5 %.
        let latency = LatencySummary(milliseconds: (1...200).map { Double($0) }, timeouts: 0)
        let near = changed(limit: 195.5)
        let open = latency.judgement(of: 95, against: near, rule: .interval)
        #expect(open.verdict == .inconclusive)
        #expect(open.note.hasPrefix("bounds include the target; needs ≈ "))
        let met = latency.judgement(of: 95, against: near, rule: .point)
        #expect(met.verdict == .pass)
        #expect(met.note == open.note + " to be sure")
    }

    @Test func repetitionsDoNotNarrowTheBounds() throws {
        let once = (1...240).map { Double($0) }
        let fiveTimes = once.flatMap { [Double](repeating: $0, count: 5) }
        let (one, five) = (
            LatencySummary(milliseconds: once, timeouts: 0, samples: 240),
            LatencySummary(milliseconds: fiveTimes, timeouts: 0, samples: 240)
        )
        #expect(five.p95.lower == one.p95.lower)
        #expect(five.p95.upper == one.p95.upper)
        let fresh = LatencySummary(milliseconds: fiveTimes, timeouts: 0)
        #expect(try #require(fresh.p95.upper.value) < #require(five.p95.upper.value))
    }

    @Test func tooManyTimeoutsMissEveryLimit() {
        let latency = LatencySummary(milliseconds: [Double](repeating: 1, count: 94), timeouts: 6)
        #expect(
            latency.judgement(of: 95, against: changed(limit: 1e9), rule: .point)
                == Judgement(.fail, note: "more than 5 % of the readings timed out")
        )
    }

    @Test func timeoutsAreToldWhereTheyDecideNothing() {
        let latency = LatencySummary(milliseconds: [Double](repeating: 1, count: 200), timeouts: 1)
        #expect(
            latency.judgement(of: 95, against: target, rule: .point) == Judgement(.pass, note: "one timeout counted")
        )
    }

    @Test func noReadingsHaveNoLatency() {
        let latency = LatencySummary(milliseconds: [], timeouts: 0)
        #expect(latency.longest == .absent("no readings"))
        #expect(
            latency.judgement(of: 95, against: target, rule: .point) == Judgement(.inconclusive, note: "no readings")
        )
    }

    private func changed(limit: Double) -> Bound {
        var target = target
        target.limit = limit
        return target
    }
}

@Suite(.tags(.unit)) struct LatencyHistogramTests {
    @Test func bucketsHoldEveryReadingToAThousandth() {
        let values = (1...1_000).map { Double($0) * 1.7 }
        let histogram = LatencyHistogram(milliseconds: values)
        #expect(histogram.counts.reduce(0, +) == 1_000)
        for (bucket, value) in zip(histogram.microseconds, values) {
            #expect(abs(Double(bucket) - value * 1_000) <= value)
        }
        // 300 of them are above 1,190 ms, the bucket at it being up to 0.1 % wide.
        #expect((299...301).contains(histogram.count(above: 1_190)))
    }

    @Test func anEmptyOneHasNoBuckets() {
        let none = LatencyHistogram(milliseconds: [])
        #expect(none.counts.isEmpty && none.microseconds.isEmpty)
    }
}
