extension GroupBootstrap {
    /// The interval of the mean of one value per sample; of no width when all values are equal.
    ///
    /// Values that are all 0 or 1 make a rate and get the interval of ``ofRate(_:confidence:)``.
    package func ofMean(_ values: [Double], confidence: Double = 0.95) -> IntervalFigure {
        if values.allSatisfy({ $0 == 0 || $0 == 1 }) { return ofRate(values.map { $0 == 1 }, confidence: confidence) }
        return ofRatio(values, [Double](repeating: 1, count: values.count), confidence: confidence)
    }

    /// The interval of the mean of second less first, both of the same samples.
    ///
    /// Values that are all 0 or 1 make rates and get the interval of ``ofRateDifference(_:_:confidence:)``.
    package func ofMeanDifference(_ first: [Double], _ second: [Double], confidence: Double = 0.95) -> IntervalFigure {
        if first.allSatisfy({ $0 == 0 || $0 == 1 }), second.allSatisfy({ $0 == 0 || $0 == 1 }) {
            return ofRateDifference(first.map { $0 == 1 }, second.map { $0 == 1 }, confidence: confidence)
        }
        let differences = zip(first, second).map { $1 - $0 }
        return ofRatio(differences, [Double](repeating: 1, count: differences.count), confidence: confidence)
    }

    /// The interval of a sum over a sum, such as edits over characters: one numerator and one denominator per sample, no
    /// denominator below 0.
    package func ofRatio(
        _ numerators: [Double],
        _ denominators: [Double],
        confidence: Double = 0.95
    ) -> IntervalFigure {
        let (over, under) = (sums(of: numerators), sums(of: denominators))
        return interval(confidence, sizes: under) { drawn in
            var (numerator, denominator) = (0.0, 0.0)
            for (group, times) in drawn.enumerated() where times > 0 {
                numerator += Double(times) * over[group]
                denominator += Double(times) * under[group]
            }
            return denominator > 0 ? numerator / denominator : nil
        }
    }
}
