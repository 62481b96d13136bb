/// Searches for the place from which on something holds.
enum Bisection {
    /// The least number of the range for which `holds`, which stays true from some number on and holds for the last one.
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

    /// The same from `first` on, which is above 0, without an end.
    static func least(from first: Int, where holds: (Int) -> Bool) -> Int {
        if holds(first) { return first }
        var (low, high) = (first, 2 * first)
        while !holds(high) { (low, high) = (high, 2 * high) }
        while low + 1 < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// The furthest number towards `end` for which `holds`, which does for `start`; to within `tolerance`, on the side
    /// where it holds.
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

/// Bisection over all numbers that a `Double` can be, which ends at an exact one after 64 steps at most.
enum OrderedBits {
    /// The least number in low…high for which `holds`, which stays true from some number on and holds for `high`.
    static func least(from low: Double, to high: Double, where holds: (Double) -> Bool) -> Double {
        number(Bisection.least(in: key(low)...key(high)) { holds(number($0)) })
    }

    /// Whole number that rises with the number.
    private static func key(_ value: Double) -> UInt64 {
        value.sign == .minus ? ~value.bitPattern : value.bitPattern | 1 << 63
    }

    private static func number(_ key: UInt64) -> Double {
        Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
    }
}
