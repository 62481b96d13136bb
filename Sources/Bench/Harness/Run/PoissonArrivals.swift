import Basics
import Foundation

/// The times of requests that arrive independently of each other, at a constant rate.
///
/// An endless sequence of times in seconds from the start, in ascending order; the gaps are exponentially
/// distributed. The same seed gives the same times.
struct PoissonArrivals: Sendable, Sequence, IteratorProtocol {
    let ratePerSecond: Double
    private var random: SplitMix64
    private var time = 0.0

    /// - Precondition: `ratePerSecond` is above 0.
    init(ratePerSecond: Double, seed: UInt64) {
        precondition(ratePerSecond > 0 && ratePerSecond.isFinite, "a rate is above 0")
        self.ratePerSecond = ratePerSecond
        random = SplitMix64(state: seed)
    }

    mutating func next() -> Double? {
        // 1 − u is in (0, 1], so that the logarithm is finite.
        time += -log(1 - random.nextDouble()) / ratePerSecond
        return time
    }
}
