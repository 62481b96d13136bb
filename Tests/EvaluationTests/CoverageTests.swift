import Foundation
import Testing

@testable import Basics

/// Rate at which intervals contain the true value, over a few hundred seeded draws.
///
/// The standard error is about 1 point, so that these find a wrong formula and not a wrong point; `checks harness
/// coverage` measures finely.
@Suite struct CoverageTests {
    private static let draws = 300

    /// Returns the share of intervals that hold `truth`.
    private func coverage(of truth: Double, _ interval: (inout SplitMix64) -> ClosedRange<Double>?) -> Double {
        var random = SplitMix64(state: 11)
        let held = (0..<Self.draws).count { _ in interval(&random)?.contains(truth) ?? false }
        return Double(held) / Double(Self.draws)
    }

    /// Returns 15 groups of 6, with half of the variance from the group.
    private func grouped(_ random: inout SplitMix64) -> [Double] {
        (0..<15).flatMap { _ in
            let shared = random.nextNormal()
            return (0..<6).map { _ in (shared + random.nextNormal()) * 0.5.squareRoot() }
        }
    }

    private let groups = (0..<90).map { $0 / 6 }

    @Test func ratesOfGroups() {
        let bootstrap = GroupBootstrap(groups: groups)
        let threshold = Normal.quantile(0.8)
        let grouped = coverage(of: 0.8) { random in
            bootstrap.ofRate(self.grouped(&random).map { $0 < threshold }).value
        }
        #expect(grouped > 0.915 && grouped < 0.985)
        // If assumed independent, the same samples have an interval that is far too narrow.
        let independent = coverage(of: 0.8) { random in
            Proportion(successes: self.grouped(&random).count { $0 < threshold }, trials: 90).interval
        }
        #expect(independent < 0.85)
    }

    @Test func meansOfGroups() {
        let bootstrap = GroupBootstrap(groups: groups, resamples: 200)
        let found = coverage(of: 0) { random in
            bootstrap.ofRatio(self.grouped(&random), Array(repeating: 1, count: 90)).value
        }
        #expect(found > 0.915 && found < 0.985)
    }

    @Test func percentilesCompared() {
        let bootstrap = GroupBootstrap(groups: groups)
        let found = coverage(of: exp(0.1)) { random in
            let first = self.grouped(&random)
            let second = first.map { $0 + 0.1 + 0.1 * random.nextNormal() }
            // The second's scatter is √1.01: its 75th percentile is 0.1 + 0.0034 above.
            return bootstrap.ofQuantileRatio(75, first.map { exp($0) }, second.map { exp($0) }).value
        }
        #expect(found > 0.92)
    }

    @Test func boundsOfPercentiles() {
        let found = coverage(of: 0.95) { random in
            let sorted = (0..<100).map { _ in random.nextDouble() }.sorted()
            let estimate = PercentileEstimate(percent: 95, sorted: sorted)
            guard let lower = estimate.lower.value, let upper = estimate.upper.value else { return nil }
            return lower...upper
        }
        // Their ranks hold with 98.3 %.
        #expect(found > 0.96)
    }

    @Test func shiftsAndSlopes() {
        let shift = coverage(of: 1) { random in
            HodgesLehmann(differences: (0..<20).map { _ in 1 + random.nextNormal() }).interval.value
        }
        #expect(shift > 0.915 && shift < 0.985)
        let slope = coverage(of: 1) { random in
            let x = (0..<15).map(Double.init)
            return TheilSen(x: x, y: x.map { $0 + random.nextNormal() }).interval.value
        }
        #expect(slope > 0.915 && slope < 0.985)
    }
}

extension SplitMix64 {
    fileprivate mutating func nextNormal() -> Double { Normal.quantile(nextDouble() + 0x1p-54) }
}
