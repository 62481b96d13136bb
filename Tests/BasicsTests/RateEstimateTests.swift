import Testing

@testable import Basics
@testable import Statistics

@Suite struct RateEstimateTests {
    @Test func samplesFromElsewhereHaveWilsonsInterval() {
        let rate = RateEstimate([true, true, false], groups: ["a", "b", nil])
        #expect(rate.basis == .independent)
        #expect(rate.interval.value == Proportion(successes: 2, trials: 3).interval)
    }

    @Test func samplesOfOnePhotoWidenTheInterval() throws {
        // Twelve photos of five spines that are all read or all not: 12 independent samples, not 60.
        let results = (0..<60).map { $0 / 5 < 9 }
        let rate = RateEstimate(results, groups: (0..<60).map { "photo\($0 / 5)" })
        #expect(rate.basis == .groups)
        let (grouped, wilson) = (try #require(rate.interval.value), try #require(rate.proportion.interval))
        let twelve = try #require(Proportion(successes: 9, trials: 12).interval)
        #expect(grouped.lowerBound <= twelve.lowerBound && grouped.upperBound >= twelve.upperBound)
        #expect(grouped.upperBound - grouped.lowerBound > 2 * (wilson.upperBound - wilson.lowerBound))
    }

    @Test func tooFewPhotosAreSaid() {
        let rate = RateEstimate([true, true, false, true], groups: ["a", "a", "b", "b"])
        #expect(rate.basis == .tooFewGroups)
        #expect(rate.interval.value == rate.proportion.interval)
    }

    @Test func withoutSamplesThereIsNothing() {
        let rate = RateEstimate([], groups: [])
        #expect(rate.rate == .absent("no samples"))
        #expect(rate.interval == .absent("no samples"))
    }
}
