/// Counts of whole numbers in buckets that are fixed for all time: up to 63 one for each number, above that 32 to an octave.
///
/// Of whole numbers only, and without a logarithm, so that histograms merge to the same whatever the order. A bucket is at most
/// 1/32 as wide as its lower bound (after HdrHistogram).
package struct LogHistogram: Sendable, Equatable, Codable {
    /// One bucket.
    package struct Bucket: Sendable, Equatable, Codable {
        /// The smallest and the largest number that fall in it.
        package var lower: Int
        package var upper: Int
        package var count: Int
    }

    /// Up to the last one that holds something.
    private var counts: [Int] = []

    package init() {}

    package var count: Int { counts.reduce(0, +) }

    /// Those that hold something, in ascending order.
    package var buckets: [Bucket] {
        counts.indices.filter { counts[$0] > 0 }.map { index in
            let bounds = Self.bounds(index)
            return Bucket(lower: bounds.lowerBound, upper: bounds.upperBound, count: counts[index])
        }
    }

    /// Adds a number, not negative.
    package mutating func add(_ number: Int) {
        let index = Self.index(of: max(0, number))
        grow(to: index + 1)
        counts[index] += 1
    }

    /// Adds all of another one's.
    package mutating func merge(_ other: LogHistogram) {
        grow(to: other.counts.count)
        for index in other.counts.indices { counts[index] += other.counts[index] }
    }

    /// Where a percentile lies: the bucket of the number at rank ⌈percent/100 · n⌉.
    ///
    /// `percent`: 1…100.
    ///
    /// - Returns: the bounds of its bucket; nil without numbers.
    package func percentile(_ percent: Int) -> ClosedRange<Int>? {
        let all = count
        guard all > 0 else { return nil }
        // ⌈percent/100 · n⌉ without overflow.
        let rank = percent * (all / 100) + (percent * (all % 100) + 99) / 100
        var below = 0
        for index in counts.indices {
            below += counts[index]
            if below >= rank { return Self.bounds(index) }
        }
        return nil
    }

    private mutating func grow(to size: Int) {
        if counts.count < size { counts += [Int](repeating: 0, count: size - counts.count) }
    }

    static func index(of number: Int) -> Int {
        let octave = max(0, Int.bitWidth - 6 - number.leadingZeroBitCount)
        return octave * 32 + number >> octave
    }

    static func bounds(_ index: Int) -> ClosedRange<Int> {
        let octave = max(0, index / 32 - 1)
        let lower = (index - octave * 32) << octave
        return lower...lower + ((1 << octave) - 1)
    }

    /// As pairs of place and count.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for index in counts.indices where counts[index] > 0 { try container.encode([index, counts[index]]) }
    }

    /// - Throws: when it is no list of pairs of place and count, in ascending order.
    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let pair = try container.decode([Int].self)
            guard pair.count == 2, pair[0] >= counts.count, pair[0] <= Self.index(of: .max), pair[1] > 0 else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\(pair) is no bucket and its count, or not in ascending order"
                )
            }
            grow(to: pair[0] + 1)
            counts[pair[0]] = pair[1]
        }
    }
}
