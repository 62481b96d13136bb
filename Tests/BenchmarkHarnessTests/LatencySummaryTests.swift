import Evaluation
import Testing

@testable import BenchmarkHarness

@Suite struct LatencySummaryTests {
    private let target = Target(source: "test", metric: .latencyP95, comparator: .below, limit: 500)

    @Test func percentilesAreOfTheReadingsThatCameToAnEnd() {
        let latency = LatencySummary(milliseconds: (1...100).reversed().map(Double.init), timeouts: 2)
        #expect(latency.p50 == .value(50))
        #expect(latency.p95 == .value(95))
        #expect(latency.p99 == .absent("n too small (needs ≥ 459)"))
        #expect(latency.longest == .value(100))
        // Rank ⌈0.95 · 102⌉ = 97 of 1…100 and two timeouts.
        #expect(latency.p95ToJudge == .value(97))
        #expect(latency.judgement(against: target) == Judgement(.pass, note: "2 timeouts counted"))
    }

    @Test func tooManyTimeoutsMissEveryLimit() {
        var generous = target
        generous.limit = 1e9
        let latency = LatencySummary(milliseconds: [Double](repeating: 1, count: 94), timeouts: 6)
        #expect(latency.p95 == .value(1))
        #expect(latency.p95IsTimeout)
        #expect(
            latency.judgement(against: generous)
                == Judgement(.fail, note: "more than 5 % of the readings timed out")
        )
    }

    @Test func noReadingsHaveNoLatency() {
        let latency = LatencySummary(milliseconds: [], timeouts: 0)
        #expect(latency.longest == .absent("no readings"))
        #expect(latency.judgement(against: target).verdict == .inconclusive)
    }
}
