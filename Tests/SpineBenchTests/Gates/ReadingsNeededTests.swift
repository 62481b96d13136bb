import Testing

@testable import Harness
@testable import spinebench_tools

@Suite struct ReadingsNeededTests {
    /// The least n for which SciPy's `binom` rejects the limit at 2.5 % with a power of 80 %.
    @Test(arguments: [
        (0.7, 0.5, 49), (0.9, 0.85, 356), (0.8, 0.85, 449), (1.0, 0.95, 72), (0.99, 0.95, 142), (0.9, 0.95, 213),
    ])
    func aShareIsDecidedByTheExactBinomialTest(share: Double, limit: Double, count: Int) {
        #expect(ReadingsNeeded.share(share, limit: limit) == count)
    }

    @Test func aShareOnItsLimitIsNeverDecided() {
        #expect(ReadingsNeeded.share(0.85, limit: 0.85) == nil)
        #expect(ReadingsNeeded.share(0.85001, limit: 0.85) == nil)
        // (1.96 √(0.85 · 0.15) + 0.8416 √(0.852 · 0.148))² / 0.002², by hand.
        #expect(ReadingsNeeded.share(0.852, limit: 0.85).map { abs($0 - 249_354) < 10 } == true)
    }

    /// By hand, of Connor's formula: (1.96 √ψ + 0.8416 √(ψ − δ²))² / δ².
    @Test(arguments: [(0.02, 0.0, 391), (0.02, 0.02, 391), (0.02, 0.06, 1_175)])
    func aPairedDifferenceNeedsMoreWherePairsDiffer(difference: Double, discordant: Double, count: Int) {
        #expect(ReadingsNeeded.difference(difference, discordant: discordant) == count)
    }

    /// By hand: (2.8016 · 0.1 / ln 1.05)² = 32.97.
    @Test func aRatioNeedsTheSquareOfItsSpread() {
        #expect(ReadingsNeeded.ratio(0.05, deviation: 0.1) == 33)
        #expect(ReadingsNeeded.ratio(0.05, deviation: 0) == 2)
    }
}
