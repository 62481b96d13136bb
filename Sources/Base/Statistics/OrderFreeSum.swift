/// The sum of numbers that is the same in any order: in whole multiples of 2⁻⁸⁰, where sums of `Double`s depend on
/// the order.
///
/// Numbers are below 2³² in magnitude; of shares there may be 2⁴⁷. Digits below 2⁻⁸⁰ are rounded.
package struct OrderFreeSum: Sendable, Equatable {
    package private(set) var count = 0
    private var sum: Int128 = 0

    package init() {}

    package mutating func add(_ number: Double) {
        precondition(abs(number) < 0x1p32, "a number that is summed up is below 2³²")
        sum += Int128((number * 0x1p80).rounded())
        count += 1
    }

    /// Nil without numbers.
    package var mean: Double? { count > 0 ? Double(sum) * 0x1p-80 / Double(count) : nil }
}
