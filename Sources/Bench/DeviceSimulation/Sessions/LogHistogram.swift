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
                    debugDescription: "invalid bucket \(pair): expected a bucket and its count, in ascending order"
                )
            }
            grow(to: pair[0] + 1)
            counts[pair[0]] = pair[1]
        }
    }
}

/// Number of numbers, their sum, and that of their squares, all exact.
///
/// Whole numbers of a millionth: the squares of a million sessions' do not fit in 64 bits.
package struct ExactSum: Sendable, Equatable, Codable {
    package private(set) var count = 0
    /// Millionths.
    package private(set) var sum = 0
    package private(set) var smallest: Int?
    package private(set) var largest: Int?
    // The sum of squares, 128 bits.
    private var squaresHigh: UInt64 = 0
    private var squaresLow: UInt64 = 0

    /// Adds a number, to the nearest millionth.
    package mutating func add(_ number: Double) {
        let whole = Int((number * 1e6).rounded())
        count += 1
        sum += whole
        smallest = min(smallest ?? whole, whole)
        largest = max(largest ?? whole, whole)
        let square = whole.magnitude.multipliedFullWidth(by: whole.magnitude)
        addSquares(high: UInt64(square.high), low: UInt64(square.low))
    }

    package mutating func merge(_ other: ExactSum) {
        count += other.count
        sum += other.sum
        smallest = [smallest, other.smallest].compactMap(\.self).min()
        largest = [largest, other.largest].compactMap(\.self).max()
        addSquares(high: other.squaresHigh, low: other.squaresLow)
    }

    private mutating func addSquares(high: UInt64, low: UInt64) {
        let (sum, carries) = squaresLow.addingReportingOverflow(low)
        squaresLow = sum
        squaresHigh += high + (carries ? 1 : 0)
    }

    /// nil without numbers.
    package var mean: Double? { count > 0 ? Double(sum) / Double(count) * 1e-6 : nil }

    /// The estimate from a sample; nil below two numbers.
    package var standardDeviation: Double? {
        guard count > 1 else { return nil }
        // n·Σx² − (Σx)², exact: a difference of two near numbers.
        let n = UInt64(count)
        let low = n.multipliedFullWidth(by: squaresLow)
        let squares = (high: n &* squaresHigh &+ low.high, low: low.low)
        let square = sum.magnitude.multipliedFullWidth(by: sum.magnitude)
        let (difference, borrows) = squares.low.subtractingReportingOverflow(UInt64(square.low))
        let high = squares.high &- UInt64(square.high) &- (borrows ? 1 : 0)
        let scaled = Double(high) * 0x1p64 + Double(difference)
        return (scaled / Double(count) / Double(count - 1)).squareRoot() * 1e-6
    }
}
