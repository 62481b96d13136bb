import Basics
import Foundation
import Statistics

/// Cost of one reading on a device at full speed: the nominal state, and no low-power mode.
package struct ReadingCost: Sendable, Equatable, Codable {
    /// On the CPU, one thread: decoding, crops, CTC, matching; for a picture that is sent, its preparation.
    package var imageSeconds: Double
    /// On the plan's compute unit.
    package var inferenceSeconds: Double
    /// For the network and the back end: nothing of the device works meanwhile but the radio.
    package var waitSeconds = 0.0
    /// Of its latency, what nobody knows the reason of: no work is known to be done then, and sessions leave it out.
    package var idleSeconds = 0.0
    package var bytesUp = 0
    package var bytesDown = 0
    /// Whether the right book came out; for a reader alone, the whole title.
    package var isIdentified = true
}

extension ReadingCost {
    /// Costs whose times have a log-normal distribution, for whoever has no run to draw from.
    ///
    /// They are the distribution's own quantiles at a thousand even steps, to the microsecond, not random numbers.
    ///
    /// The median `p50` and `p95` are in ms, `imageShare` of it, 0…1, is on the CPU and the rest inference; `waitSeconds`
    /// for the back end come after each.
    ///
    /// - Throws: when a figure is out of its range.
    package static func logNormal(
        p50: Double,
        p95: Double,
        imageShare: Double,
        waitSeconds: Double = 0
    ) throws(HarnessError) -> [ReadingCost] {
        try HarnessError.check("P50", p50, 0.001...1e6)
        try HarnessError.check("P95", p95, p50...1e6)
        try HarnessError.check("image share", imageShare, 0...1)
        let sigma = log(p95 / p50) / Normal.quantile(0.95)
        return (0..<1_000).map { step in
            let z = Normal.quantile((Double(step) + 0.5) / 1_000)
            let seconds = (p50 * exp(sigma * z) * 1e-3).rounded(toDigits: 6)
            let image = (seconds * imageShare).rounded(toDigits: 6)
            return ReadingCost(imageSeconds: image, inferenceSeconds: seconds - image, waitSeconds: waitSeconds)
        }
    }
}
