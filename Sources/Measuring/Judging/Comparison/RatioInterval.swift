import Basics
import Foundation
import Statistics

extension Figure {
    /// A ratio less 1 from the ratio's logarithm; absent where that is no number above −1.
    static func change(logarithm: Double) -> Figure {
        let change = expm1(logarithm)
        return change.isFinite && change > -1 ? .value(change) : .absent("the sides differ beyond all measure")
    }
}

extension IntervalFigure {
    /// An interval whose ends are further apart than this factor bounds nothing that could be judged by it.
    ///
    /// Student's t of one or two degrees of freedom, which is what two or three processes leave, is that large when they
    /// differ at all.
    static let widestFactor = 10.0

    /// The interval of a ratio less 1 from the ends of its logarithm: finite, and above −1.
    ///
    /// - Parameters:
    ///   - lower: The lower end of the logarithm.
    ///   - upper: The upper one.
    ///   - reason: Why there is none when it would be too wide: of what there is too little, and what would decide.
    /// - Returns: The interval; absent for `reason` when its ends are further apart than ``widestFactor``.
    static func change(logarithms lower: Double, _ upper: Double, orAbsent reason: String) -> IntervalFigure {
        guard upper - lower <= log(widestFactor), let first = Figure.change(logarithm: lower).value,
            let last = Figure.change(logarithm: upper).value, first <= last
        else { return .absent(reason) }
        return .value(first...last)
    }
}
