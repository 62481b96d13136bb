extension GroupBootstrap {
    /// The interval of a rate.
    ///
    /// Not resampled: near 0 and 1, where rates are, resamples of few failures are all alike and the interval far too
    /// narrow. It is Wilson's interval for the number of independent samples that the samples are worth: the number at which
    /// the rate would vary as it does when one group is left out at a time, scaled by (z/t)² for the uncertainty of that.
    /// Where all samples are read right, or none, they count as independent, as nothing tells how alike they are.
    ///
    /// Source: Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
    /// estimated from survey data", Survey Methodology 24 (1998), 193–201, with Wilson's interval in place of Clopper's.
    package func ofRate(_ successes: [Bool], confidence: Double = 0.95) -> IntervalFigure {
        let values = successes.map { $0 ? 1.0 : 0 }
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let trials = Double(values.count)
        let rate = values.reduce(0, +) / trials
        let share = worth(of: values, varianceOfOne: rate * (1 - rate), effective: effective, confidence: confidence)
        return .value(Proportion.scoreInterval(rate: rate, trials: trials * share, confidence: confidence))
    }

    /// The interval of the rate of second less that of first, both of the same samples.
    ///
    /// Tango's score interval for the number of independent samples that the samples are worth, as for
    /// ``ofRate(_:confidence:)``: only the samples count that one gets right and the other does not, and they are few.
    package func ofRateDifference(_ first: [Bool], _ second: [Bool], confidence: Double = 0.95) -> IntervalFigure {
        precondition(first.count == second.count, "both sides are of the same samples")
        let differences = zip(first, second).map { ($1 ? 1.0 : 0) - ($0 ? 1 : 0) }
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let pairs = Double(differences.count)
        let (gained, lost) = (differences.count { $0 > 0 }, differences.count { $0 < 0 })
        let mean = Double(gained - lost) / pairs
        let variance = Double(gained + lost) / pairs - mean * mean
        let share = worth(of: differences, varianceOfOne: variance, effective: effective, confidence: confidence)
        let score = PairedRates(gained: Double(gained) * share, lost: Double(lost) * share, pairs: pairs * share)
        return .value(score.interval(confidence: confidence))
    }

    /// Which share of the samples would, if they were independent, tell as much about the mean of the values.
    ///
    /// Above 1 where groups happen to be more even than independent samples: counting that as 1 would make up for it on one
    /// side only and widen intervals on average. By more than 2 it is taken for chance.
    func worth(of values: [Double], varianceOfOne: Double, effective: Double, confidence: Double) -> Double {
        let (sums, sizes) = (sums(of: values), self.sizes)
        let error = jackknifeError { drawn in
            let sum = zip(drawn, sums).reduce(0.0) { $0 + Double($1.0) * $1.1 }
            return sum / zip(drawn, sizes).reduce(0.0) { $0 + Double($1.0) * $1.1 }
        }
        let share = varianceOfOne > 0 ? min(2, varianceOfOne / Double(values.count) / (error * error)) : 1
        let t = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: effective - 1)
        let narrowing = Normal.twoSided(confidence) / t
        return share * narrowing * narrowing
    }
}
