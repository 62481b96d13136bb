import Basics

/// One kind of interval under one way in which data come about whose truth is known.
struct CoverageTrial {
    var name: String
    /// Which share of the intervals should hold the truth: 0.95, or more where ranks are whole numbers.
    var nominal = 0.95
    /// Draws data and gives the interval; nil when there is none.
    var interval: (inout SplitMix64) -> ClosedRange<Double>?
    var truth: Double
    /// By how much more the interval may hold the truth, in percentage points, where it errs on the safe side.
    var excess = 0.0

    /// How often the interval held the truth.
    struct Outcome {
        var held = 0
        var tooLow = 0
        var tooHigh = 0
        var absent = 0
        var width = 0.0

        var made: Int { held + tooLow + tooHigh }
        var coverage: Double { Double(held) / Double(max(1, made)) }
    }

    /// Draws and counts; the same seed gives the same counts.
    func run(repetitions: Int, seed: UInt64) -> Outcome {
        var random = SplitMix64(state: seed)
        var outcome = Outcome()
        for _ in 0..<repetitions {
            guard let interval = interval(&random) else {
                outcome.absent += 1
                continue
            }
            outcome.width += interval.upperBound - interval.lowerBound
            if interval.upperBound < truth {
                outcome.tooLow += 1
            } else if interval.lowerBound > truth {
                outcome.tooHigh += 1
            } else {
                outcome.held += 1
            }
        }
        return outcome
    }
}
