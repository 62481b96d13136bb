import Basics
import Testing

@testable import Harness

@Suite struct GateMeasurementTests {
    /// P50 is 0.971 ms there, where the work on pictures takes 9.50 ms and an A15 9.48 ms (5.69 to 16.12).
    @Test func aLookIsScaledAsTheWorkOnPictures() throws {
        let rates = try #require(GateMeasurement.committed.rates)
        let seconds = try #require(rates[.gateSeconds])
        #expect(seconds.value.isNear(0.000971 * 9.48 / 9.503, 1e-6))
        #expect(
            seconds.low.isNear(0.000971 * 5.688 / 9.838, 1e-6) && seconds.high.isNear(0.000971 * 16.116 / 9.330, 1e-6)
        )
        let (hits, alarms) = (try #require(rates[.gateTruePositive]), try #require(rates[.gateFalsePositive]))
        #expect(hits.value.isNear(10_491.0 / 14_320) && hits.low < hits.value && hits.value < hits.high)
        #expect(alarms.value.isNear(244.0 / 10_194) && alarms.low < alarms.value && alarms.value < alarms.high)
    }

    @Test func withoutFramesOfASortThereAreNoRates() {
        var measurement = GateMeasurement.committed
        measurement.all.without.passed = RateEstimate([], groups: [])
        #expect(measurement.rates == nil)
    }
}
