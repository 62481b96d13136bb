/// Counts of whole numbers in buckets of 0.1 % that are fixed for all time: up to 2,047 one for each number, above that 1,024 to
/// an octave.
///
/// Of whole numbers only, and without a logarithm, so that histograms add up exactly, in any order. The buckets are those of
/// HdrHistogram with three significant digits (Tene, http://hdrhistogram.org).
package struct LogHistogram: Sendable, Equatable {
    package struct Bucket: Sendable, Equatable, Encodable {
        /// The smallest and the largest number that fall in it.
        package var lower: Int
        package var upper: Int
        package var count: Int
    }

    /// By the place of the bucket; none is 0.
    private var counts: [Int: Int] = [:]

    package init() {}

    package var count: Int { counts.values.reduce(0, +) }

    /// Those that hold something, in ascending order.
    package var buckets: [Bucket] {
        counts.sorted { $0.key < $1.key }.map { place, count in
            let bounds = Self.bounds(place)
            return Bucket(lower: bounds.lowerBound, upper: bounds.upperBound, count: count)
        }
    }

    /// Adds a number, not negative.
    package mutating func add(_ number: Int) { counts[Self.place(of: max(0, number)), default: 0] += 1 }

    /// The bucket of a percentile, which is the number at rank ⌈percent/100 · n⌉; `percent` is 1…100.
    ///
    /// - Returns: its bounds; nil without numbers.
    package func percentile(_ percent: Int) -> ClosedRange<Int>? {
        let all = count
        // ⌈percent/100 · n⌉ without overflow.
        let rank = percent * (all / 100) + (percent * (all % 100) + 99) / 100
        var below = 0
        for bucket in buckets {
            below += bucket.count
            if below >= rank { return bucket.lower...bucket.upper }
        }
        return nil
    }

    static func place(of number: Int) -> Int {
        let octave = max(0, Int.bitWidth - 11 - number.leadingZeroBitCount)
        return octave << 10 + number >> octave
    }

    static func bounds(_ place: Int) -> ClosedRange<Int> {
        let octave = max(0, place >> 10 - 1)
        let lower = (place - octave << 10) << octave
        return lower...lower + ((1 << octave) - 1)
    }
}

extension LogHistogram: Encodable {
    package func encode(to encoder: any Encoder) throws { try buckets.encode(to: encoder) }
}
