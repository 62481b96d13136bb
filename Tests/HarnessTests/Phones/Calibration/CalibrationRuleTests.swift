import Testing

@testable import Harness

@Suite struct CalibrationRuleTests {
    @Test func aTimingIsMedianAndQuartiles() {
        let timing = HostCalibration.Timing([5, 1, 4, 2, 3])
        #expect((timing.low, timing.milliseconds, timing.high) == (2, 3, 4))
        #expect(timing.count == 5)
        #expect(HostCalibration.Timing([7]).low == 7)
    }
}
