import TestSupport
import Testing

@testable import Harness

@Suite struct PoissonArrivalsTests {
    @Test func theSeedDecidesTheTimes() {
        let times = Array(PoissonArrivals(ratePerSecond: 10, seed: 1).prefix(100))
        #expect(times == Array(PoissonArrivals(ratePerSecond: 10, seed: 1).prefix(100)))
        #expect(times != Array(PoissonArrivals(ratePerSecond: 10, seed: 2).prefix(100)))
        #expect(times == times.sorted())
    }

    // Exponential gaps have the mean and the standard deviation 1/rate, and the share 1/e is longer than that.
    @Test func gapsAreExponential() {
        let times = Array(PoissonArrivals(ratePerSecond: 20, seed: 3).prefix(20_000))
        let gaps = zip(times, [0] + times).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / 20_000
        #expect(isNear(mean, 0.05, within: 0.001))
        let squares = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        #expect(isNear((squares / 20_000).squareRoot(), 0.05, within: 0.002))
        #expect(isNear(Double(gaps.count { $0 > 0.05 }) / 20_000, 0.3679, within: 0.01))
    }
}
