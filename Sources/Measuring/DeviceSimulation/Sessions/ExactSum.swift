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

    /// None.
    package init() {}

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

    /// Adds all of another one's.
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
