/// Random numbers that are the same everywhere for the same seed.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17 with the
/// constants of `java.util.SplittableRandom`.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    package var state: UInt64

    /// Creates a generator that continues from a state.
    public init(state: UInt64) { self.state = state }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Returns a number in 0..<1, one of the multiples of 2⁻⁵³.
    public mutating func nextDouble() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a whole number in 0..<n: the high word of a 64 × 64 product, with a bias below n/2⁶⁴.
    ///
    /// - Precondition: `n` is above 0.
    public mutating func below(_ n: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(n)).high) }

    /// Returns the elements in a random order (Fisher and Yates).
    ///
    /// The standard library's shuffle may change between versions, and a seed in a report has to keep meaning the
    /// same order.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in stride(from: result.count - 1, to: 0, by: -1) {
            result.swapAt(last, below(last + 1))
        }
        return result
    }
}
