import Testing

@testable import Basics
@testable import Statistics

@Suite struct RankCorrelationTests {
    private static let a: [Double] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    private static let b: [Double] = [2, 7, 1, 8, 2, 8, 1, 8, 2, 8]

    /// SciPy 1.17.1: stats.rankdata.
    @Test func ranksAreThoseOfSciPy() {
        #expect(RankCorrelation.ranks(Self.a) == [4.5, 1.5, 6, 1.5, 7.5, 10, 3, 9, 7.5, 4.5])
        #expect(RankCorrelation.ranks(Self.b) == [4, 6, 1.5, 8.5, 4, 8.5, 1.5, 8.5, 4, 8.5])
        #expect(RankCorrelation.ranks([]).isEmpty)
        #expect(RankCorrelation.ranks([.infinity, 1, .infinity]) == [2.5, 1, 2.5])
    }

    /// SciPy 1.17.1: stats.spearmanr.
    private static let correlations: [(a: [Double], b: [Double], rho: Double)] = [
        (a, b, 0.13471506281091267), ([0.5, 2.5, -1, 7, 3.25], [10, 8, 12, 1, 3], -1),
    ]

    @Test(arguments: correlations)
    func correlationsAreThoseOfSciPy(a: [Double], b: [Double], expected: Double) throws {
        let rho = try #require(RankCorrelation.pearson(RankCorrelation.ranks(a), RankCorrelation.ranks(b)))
        #expect(abs(rho - expected) < 1e-12)
    }

    @Test func whatDoesNotVaryHasNoCorrelation() {
        #expect(RankCorrelation.pearson([1, 2, 3], [2, 2, 2]) == nil)
        #expect(RankCorrelation.pearson([], []) == nil)
    }
}
