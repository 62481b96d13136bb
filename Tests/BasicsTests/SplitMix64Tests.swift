import TestSupport
import Testing

@testable import Basics

@Suite struct SplitMix64Tests {
    // The first outputs for seed 1234567 that Rosetta Code's "Pseudo-random numbers/Splitmix64" lists.
    @Test func givesThePublishedNumbers() {
        var random = SplitMix64(state: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }

    // Computed by hand from the numbers above: their upper 53 bits times 2⁻⁵³, and ⌊10 · x / 2⁶⁴⌋.
    @Test func sharesAndNumbersBelowAreTheUpperBits() {
        var random = SplitMix64(state: 1_234_567)
        #expect(isNear(random.nextDouble(), 0.350_079_542_021_408, within: 1e-14))
        #expect(random.below(10) == 1)
        #expect(random.below(1) == 0)
    }

    @Test func aShuffleKeepsEveryElementAndFollowsTheSeed() {
        var (first, again, other) = (SplitMix64(state: 1), SplitMix64(state: 1), SplitMix64(state: 2))
        let order = first.shuffled(Array(0..<50))
        #expect(order.sorted() == Array(0..<50))
        #expect(order == again.shuffled(Array(0..<50)))
        #expect(order != other.shuffled(Array(0..<50)))
        #expect(first.shuffled([Int]()).isEmpty)
    }
}
