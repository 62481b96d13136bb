import Basics
import Evaluation
import Statistics
import TestSupport
import Testing

@Suite(.tags(.unit)) struct FisherExactTests {
    /// SciPy 1.17.1: `scipy.stats.fisher_exact([[a, b], [c, d]])[1]` of successes and failures of both groups.
    @Test(arguments: [
        (8, 2, 1, 5, 0.034965034965034975), (65, 15, 140, 19, 0.17218404045876784),
        (20, 60, 60, 99, 0.059012310644988505), (0, 5, 5, 0, 0.007936507936507938), (5, 5, 50, 50, 1),
        // No table but this one.
        (3, 0, 3, 0, 1), (0, 3, 0, 3, 1), (0, 0, 0, 0, 1),
        (10, 30, 180, 19, 4.917212119738911e-17), (40_000, 10_000, 41_000, 9_000, 7.994376203530031e-16),
    ])
    func pIsThatOfSciPy(_ a: Int, _ b: Int, _ c: Int, _ d: Int, expected: Double) {
        let p = FisherExact.p(
            Proportion(successes: a, trials: a + b),
            Proportion(successes: c, trials: c + d)
        )
        #expect(abs(p - expected) <= expected * 1e-7)
    }

    /// statsmodels 0.15.0: `multipletests(p, method="holm")[1]`.
    @Test(arguments: [
        ([0.01, 0.04, 0.03, 0.005, 0.6], [0.04, 0.09, 0.09, 0.025, 0.6]), ([0.2], [0.2]), ([], []),
        ([0.9, 0.8], [1, 1]),
    ])
    func correctionIsHolms(_ values: [Double], expected: [Double]) {
        let corrected = Holm.corrected(values)
        #expect(corrected.count == expected.count)
        #expect(zip(corrected, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    }
}
