package import Basics
package import Statistics

/// A figure with its bounds.
package struct PageValue: Sendable, Encodable {
    package var value: Figure
    /// The ends of its interval; nil when there is none on that side.
    package var low: Double?
    package var high: Double?

    package init(_ value: Figure, low: Double? = nil, high: Double? = nil) {
        self.value = value
        self.low = low
        self.high = high
    }
}

/// A share with its counts and its interval.
package struct PageShare: Sendable, Encodable {
    package var successes: Int
    /// With none there is no share.
    package var trials: Int
    /// 0…1; nil when there is no interval.
    package var low: Double?
    package var high: Double?

    package init(successes: Int, trials: Int, interval: ClosedRange<Double>?) {
        self.successes = successes
        self.trials = trials
        low = interval?.lowerBound
        high = interval?.upperBound
    }

    /// With the score interval of independent trials.
    package init(_ proportion: Proportion) {
        self.init(successes: proportion.successes, trials: proportion.trials, interval: proportion.interval)
    }
}
