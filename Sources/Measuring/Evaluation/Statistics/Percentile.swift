/// By which formula a percentile is picked from sorted values.
package enum PercentileMethod: String, Sendable, Codable, CaseIterable {
    /// The value at rank ⌈percent/100 · n⌉, counted from 1: the smallest one that `percent` of all values do not exceed.
    case nearestRank = "nearest-rank"
    /// `sorted[min(Int(Double(n) * p), n - 1)]`, the formula of the scanner's project document.
    ///
    /// It picks the same value or the next larger one: the latter when percent/100 · n is a whole number.
    case seed
}

/// Percentiles that are always one of the values, never between two.
package enum Percentile {
    /// The percentile of values in ascending order by either formula.
    ///
    /// `sorted` is not empty, `percent` in 1…100.
    package static func value(_ percent: Int, of sorted: [Double], method: PercentileMethod) -> Double {
        switch method {
        case .nearestRank: nearestRank(percent, of: sorted)
        case .seed: sorted[min(Int(Double(sorted.count) * (Double(percent) / 100)), sorted.count - 1)]
        }
    }

    /// The smallest value that `percent` of all values do not exceed: the one at rank ⌈percent/100 · n⌉.
    ///
    /// `sorted` is in ascending order and not empty, `percent` in 1…100.
    package static func nearestRank(_ percent: Int, of sorted: [Double]) -> Double {
        sorted[(percent * sorted.count + 99) / 100 - 1]
    }

    /// The fewest values that can support a claim about a percentile: with so many, the chance that not one of them
    /// lies beyond the true percentile is 1 % or less, so that the largest one bounds it with 99 % confidence.
    ///
    /// 7 for P50, 90 for P95, 459 for P99. `percent` is in 1…99.
    package static func minimumCount(for percent: Int) -> Int {
        minimumCount(for: percent, over: 0)
    }

    /// The fewest values with which `over` of them above a limit still show that the percentile is below it.
    ///
    /// The least n with P(X ≤ over) ≤ 1 − confidence, where X counts how many of n values lie above the true percentile:
    /// 90, 130, 165 and 259 for P95 and 0, 1, 2 and 5 values over the limit.
    ///
    /// Source: MLPerf inference rules, appendix "Early Stopping Criterion": the least h with
    /// I(p; h, t + 1) ≤ 1 − c for t values over and h not over the limit.
    package static func minimumCount(for percent: Int, over: Int, confidence: Double = 0.99) -> Int {
        precondition((1...99).contains(percent), "a percentile to be claimed lies between 1 and 99")
        precondition(over >= 0, "there are no fewer than 0 values over a limit")
        let share = Double(percent) / 100
        func shows(_ under: Int) -> Bool {
            BetaFunction.regularised(share, Double(under), Double(over + 1)) <= 1 - confidence
        }
        var high = 1
        while !shows(high) { high *= 2 }
        var low = high / 2
        while low + 1 < high {
            let middle = (low + high) / 2
            if shows(middle) { high = middle } else { low = middle }
        }
        return high + over
    }
}
