/// A share with the interval that holds for how its samples were come by.
package struct RateEstimate: Sendable, Equatable, Codable {
    package var successes: Int
    package var trials: Int
    /// At 95 %, 0…1.
    package var interval: IntervalFigure
    /// What the interval rests on.
    package var basis: Basis

    /// How an interval of a share takes its samples.
    package enum Basis: String, Sendable, Codable {
        /// Wilson's interval; every sample comes from elsewhere.
        case independent
        /// Samples of one photo are alike: ``GroupBootstrap/ofRate(_:confidence:)``.
        case groups
        /// Wilson's interval although samples share photos, because the photos are too few: too narrow.
        case tooFewGroups
    }

    /// - Parameters:
    ///   - results: Whether each sample is a success.
    ///   - groups: Where each sample comes from, such as its photo; nil for one of its own.
    package init(_ results: [Bool], groups: [String?]) {
        precondition(results.count == groups.count, "there is one group per sample")
        successes = results.count { $0 }
        trials = results.count
        let wilson = Proportion(successes: successes, trials: trials).interval
        guard let wilson else {
            (interval, basis) = (.absent("no samples"), .independent)
            return
        }
        let numbers = Self.numbered(groups)
        guard numbers.count < results.count else {
            (interval, basis) = (.value(wilson), .independent)
            return
        }
        switch GroupBootstrap(groups: numbers.groups).ofRate(results) {
        case .value(let range): (interval, basis) = (.value(range), .groups)
        case .absent: (interval, basis) = (.value(wilson), .tooFewGroups)
        }
    }

    /// The counts alone.
    package var proportion: Proportion { Proportion(successes: successes, trials: trials) }

    /// The point estimate, 0…1; absent without trials.
    package var rate: Figure { proportion.rate }

    /// Names as numbers from 0 on, in the order in which they first occur; nil is a group of its own each time.
    package static func numbered(_ groups: [String?]) -> (groups: [Int], count: Int) {
        var numbers: [String: Int] = [:]
        var count = 0
        let numbered = groups.map { name in
            if let name, let known = numbers[name] { return known }
            defer { count += 1 }
            if let name { numbers[name] = count }
            return count
        }
        return (numbered, count)
    }
}
