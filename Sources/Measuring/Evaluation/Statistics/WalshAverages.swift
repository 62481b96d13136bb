/// The means of all pairs of n values, each value with itself included, without listing them: n(n + 1)/2 of them.
struct WalshAverages {
    /// The values in ascending order.
    private let sorted: [Double]

    /// - Precondition: `values` is not empty and none is NaN or infinite.
    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    /// How many averages there are.
    var count: Int { sorted.count * (sorted.count + 1) / 2 }

    /// The middle one, or the mean of the middle two.
    var median: Double {
        let upper = value(rank: count / 2 + 1)
        return count.isMultiple(of: 2) ? value(rank: count / 2).mean(with: upper) : upper
    }

    /// The average at a rank from 1 to ``count``, in ascending order.
    func value(rank: Int) -> Double {
        OrderedBits.least(from: sorted[0], to: sorted[sorted.count - 1]) { countUpTo($0) >= rank }
    }

    /// How many averages do not exceed `x`, in one pass: the larger the one value, the smaller the other has to be.
    private func countUpTo(_ x: Double) -> Int {
        var (count, partners) = (0, sorted.count)
        for (index, value) in sorted.enumerated() {
            while partners > index, value.mean(with: sorted[partners - 1]) > x { partners -= 1 }
            if partners <= index { break }
            count += partners - index
        }
        return count
    }
}

extension Double {
    /// Halfway between two numbers, without overflow; it never falls when one of them rises.
    func mean(with other: Double) -> Double { self / 2 + other / 2 }
}

/// Bisection over all numbers that a `Double` can be, which ends at an exact one after 64 steps at most.
enum OrderedBits {
    /// The least number in low…high for which `holds`, which stays true from some number on and holds for `high`.
    static func least(from low: Double, to high: Double, where holds: (Double) -> Bool) -> Double {
        var (low, high) = (key(low), key(high))
        while low < high {
            let middle = low + (high - low) / 2
            if holds(number(middle)) { high = middle } else { low = middle + 1 }
        }
        return number(high)
    }

    /// A whole number that rises with the number.
    private static func key(_ value: Double) -> UInt64 {
        value.sign == .minus ? ~value.bitPattern : value.bitPattern | 1 << 63
    }

    private static func number(_ key: UInt64) -> Double {
        Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
    }
}
