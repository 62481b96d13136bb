/// Searches for the place from which a condition holds.
enum Bisection {
    /// Returns the least number of the range for which `holds`, which stays true from some number on and holds for
    /// the last one.
    static func least<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>,
        where holds: (Number) -> Bool
    ) -> Number {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return high
    }

    /// Returns the least such number from `first` on, which is above 0, without an end.
    static func least(from first: Int, where holds: (Int) -> Bool) -> Int {
        if holds(first) { return first }
        var (low, high) = (first, 2 * first)
        while !holds(high) { (low, high) = (high, 2 * high) }
        return least(in: low + 1...high, where: holds)
    }

    /// Returns the furthest number towards `end` for which `holds`, which does for `start`; to within `tolerance`, on
    /// the side where it holds.
    static func furthest(
        from start: Double,
        to end: Double,
        tolerance: Double,
        where holds: (Double) -> Bool
    ) -> Double {
        if holds(end) { return end }
        var (inside, outside) = (start, end)
        while abs(outside - inside) > tolerance {
            let middle = (inside + outside) / 2
            if holds(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }
}

/// Numbers too many to be listed, with a count of those up to any value.
protocol CountedNumbers {
    var count: Int { get }
    /// None is beyond these.
    var range: ClosedRange<Double> { get }
    /// Returns the number of them that do not exceed `x`.
    func countUpTo(_ x: Double) -> Int
}

extension CountedNumbers {
    /// The middle one, or the mean of the middle two.
    var median: Double {
        let upper = value(rank: count / 2 + 1)
        return count.isMultiple(of: 2) ? value(rank: count / 2).mean(with: upper) : upper
    }

    /// Returns the number at a rank from 1 to ``count``, in ascending order, to within the rounding of the count.
    ///
    /// Bisection over all numbers that a `Double` can be, which ends at an exact one after 64 steps at most.
    func value(rank: Int) -> Double {
        let keys = key(range.lowerBound)...key(range.upperBound)
        return number(Bisection.least(in: keys) { countUpTo(number($0)) >= rank })
    }
}

/// Returns a whole number that rises with the number.
private func key(_ value: Double) -> UInt64 { value.sign == .minus ? ~value.bitPattern : value.bitPattern | 1 << 63 }

private func number(_ key: UInt64) -> Double { Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key) }
