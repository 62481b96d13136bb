import Basics
import Testing

@testable import ScanningPolicies

@Suite struct PerformanceStatisticsTests {
    private func statistics(_ milliseconds: [Int], rule: PercentileMethod = .nearestRank) -> PerformanceStatistics {
        let metrics = milliseconds.map { InferenceMetrics(latency: .milliseconds($0)) }
        return PerformanceStatistics(of: metrics, target: .pose, rule: rule)
    }

    /// Values 1…n equal their ranks; ⌈p·n⌉ and Int(n·p) + 1 by hand, the last where that is past the end (K-3).
    @Test(
        "which rank of so many",
        arguments: [
            (20, 19, 20), (21, 20, 20), (40, 38, 39), (50, 48, 48), (99, 95, 95), (100, 95, 96), (1000, 950, 951),
        ]
    )
    func ranks(_ count: Int, _ nearest: Double, _ seed: Double) {
        let values = Array((1...count).reversed())
        #expect(statistics(values).p95 == nearest)
        #expect(statistics(values, rule: .seed).p95 == seed)
    }

    @Test func ofAHundredTheSeedsP99IsTheLargestAndTheNearestRankIsNot() {
        #expect(statistics(Array(1...100), rule: .seed).p99 == 100)
        #expect(statistics(Array(1...100)).p99 == 99)
    }

    @Test(
        "with too few there is none",
        arguments: [(0, 0), (1, 0), (2, 1), (19, 1), (20, 2), (99, 2), (100, 3)]
    )
    func tooFew(_ count: Int, _ known: Int) {
        let statistics = statistics(Array(repeating: 30, count: count))
        let percentiles = [statistics.p50, statistics.p95, statistics.p99]
        #expect(percentiles.count { $0 != nil } == known)
    }

    @Test func ofNothingNothingIsKnown() {
        let statistics = statistics([])
        #expect(statistics.averageMilliseconds == nil && statistics.maximumMilliseconds == nil)
        #expect(statistics.targetComplianceRate == nil && statistics.peakMemoryBytes == nil)
    }

    @Test func theFiguresOfThreeByHand() {
        let metrics = [
            InferenceMetrics(latency: .milliseconds(20), memoryBytes: 10),
            InferenceMetrics(latency: .milliseconds(50), batteryPercentPer30Minutes: 4),
            InferenceMetrics(latency: .milliseconds(80), memoryBytes: 40, batteryPercentPer30Minutes: .nan),
        ]
        let statistics = PerformanceStatistics(of: metrics, target: .pose)
        #expect(statistics.averageMilliseconds == 50 && statistics.minimumMilliseconds == 20)
        #expect(statistics.maximumMilliseconds == 80 && statistics.averageMemoryBytes == 25)
        #expect(statistics.peakMemoryBytes == 40 && statistics.batteryPercentPer30Minutes == 4)
        // 50 ms are on the target, not above it.
        #expect(statistics.compliantCount == 2)
    }

    @Test func anAbsurdLatencyCountsAsADayAndDoesNotTrap() {
        let metrics = Array(repeating: InferenceMetrics(latency: .seconds(Int64.max)), count: 100)
        #expect(PerformanceStatistics(of: metrics, target: .pose).maximumMilliseconds == 86_400_000)
    }
}
