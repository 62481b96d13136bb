/// Mean, deviation and range of numbers, without the numbers themselves.
///
/// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4 (1962),
/// 419–420.
package struct FigureSpread: Sendable, Equatable, Encodable {
    package private(set) var count = 0
    /// nil without numbers.
    package private(set) var mean: Double?
    package private(set) var smallest: Double?
    package private(set) var largest: Double?
    /// The sum of the squared differences from the mean.
    private var squares = 0.0

    /// Adds a number.
    package mutating func add(_ number: Double) {
        count += 1
        smallest = min(smallest ?? number, number)
        largest = max(largest ?? number, number)
        let before = mean ?? 0
        let after = before + (number - before) / Double(count)
        squares += (number - before) * (number - after)
        mean = after
    }

    /// The estimate from a sample; nil below two numbers.
    package var standardDeviation: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }
}
