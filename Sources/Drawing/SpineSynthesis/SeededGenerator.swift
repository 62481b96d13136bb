import Basics
import Foundation

/// The generator's only source of chance: the same seed gives the same numbers on every platform.
///
/// The draws below are written out here, because how the standard library turns bits into a range is not promised to stay.
package struct SeededGenerator: Sendable {
    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 { random.next() }

    /// A generator of its own for one part of the work, so that more draws here do not change what is drawn there.
    package mutating func split() -> SeededGenerator {
        SeededGenerator(seed: next())
    }

    /// Evenly distributed in 0..<1, with 53 random bits.
    package mutating func unit() -> Double {
        random.nextDouble()
    }

    /// Evenly distributed in `range`.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Evenly distributed in `range`, both ends included.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.count))
    }

    /// True with the given probability, 0…1.
    package mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// One of `elements`, each as likely as the others.
    ///
    /// - Precondition: `elements` is not empty.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        precondition(!elements.isEmpty, "nothing to choose from")
        return elements[integer(in: 0...elements.count - 1)]
    }

    /// `elements` in random order (Fisher and Yates).
    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in stride(from: result.count - 1, to: 0, by: -1) {
            result.swapAt(last, integer(in: 0...last))
        }
        return result
    }

    /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller).
    package mutating func gaussian() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
}
