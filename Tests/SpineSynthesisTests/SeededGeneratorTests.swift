import Basics
import Testing

@testable import SpineSynthesis

@Suite("Seeded generator")
struct SeededGeneratorTests {
    @Test("gives the published SplitMix64 sequence")
    func sequence() {
        // The first numbers for seed 1234567 as Rosetta Code's "Pseudo-random numbers/Splitmix64" lists them.
        var generator = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        #expect(expected.map { _ in generator.next() } == expected)
    }

    @Test("integers reach both ends of their range and nothing beyond")
    func integers() {
        var generator = SeededGenerator(seed: 1)
        #expect(Set((0..<200).map { _ in generator.integer(in: 2...4) }) == [2, 3, 4])
    }

    @Test("shuffling keeps every element")
    func shuffle() {
        var generator = SeededGenerator(seed: 1)
        let shuffled = generator.shuffled(Array(0..<50))
        #expect(shuffled.sorted() == Array(0..<50))
        #expect(shuffled != Array(0..<50))
        #expect(generator.shuffled([Int]()).isEmpty)
    }
}
