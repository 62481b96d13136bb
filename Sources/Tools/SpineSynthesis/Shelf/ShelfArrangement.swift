import Foundation
import Imaging

/// Arrangement of books beside each other on a board: upright, leaning, or piled at the end.
///
/// Places are in units of the tallest book's height, x from the left end of the row, y up from the board.
struct ShelfArrangement: Sendable, Equatable {
    struct Size: Sendable, Equatable {
        var thickness: Double
        var length: Double
    }

    enum Stance: Sendable, Equatable {
        case standing
        /// Leaning against the book to the left or right, at this angle in radians.
        case leaningLeft(Double)
        case leaningRight(Double)
        /// Placed on its back cover, on the pile.
        case lying
    }

    struct Place: Sendable, Equatable {
        var x: Double
        var y: Double
        /// Clockwise turn, in radians, relative to an upright book.
        var turn: Double
        var stance: Stance
    }

    private(set) var places: [Place] = []
    private(set) var width = 0.0

    /// Gap between books that touch: no two covers are quite flat on each other.
    private static let seam = 0.003

    /// Creates the arrangement from left to right, a pile last from its top.
    ///
    /// `gaps`: Room to the left of each book; ignored within a pile, and where a book leans.
    init(_ sizes: [Size], stances: [Stance], gaps: [Double]) {
        precondition(sizes.count == stances.count && sizes.count == gaps.count, "a stance and a gap for every book")
        for (index, size) in sizes.enumerated() {
            switch stances[index] {
            case .standing: stand(size, gap: gaps[index], after: index > 0 ? stances[index - 1] : nil)
            case .leaningLeft(let angle): leanLeft(size, angle, on: index > 0 ? sizes[index - 1].length : 0)
            case .leaningRight(let angle):
                leanRight(size, angle, gap: gaps[index], on: index + 1 < sizes.count ? sizes[index + 1].length : 0)
            case .lying: break
            }
        }
        let pile = zip(sizes, stances).filter { $0.1 == .lying }.map(\.0)
        if !pile.isEmpty { lay(pile, gap: gaps[sizes.count - pile.count]) }
    }

    private mutating func stand(_ size: Size, gap: Double, after: Stance?) {
        // A book that leans to the right touches this one: there is no gap.
        var gap = gap
        if case .leaningRight? = after { gap = 0 }
        let left = width + max(gap, Self.seam)
        places.append(Place(x: left + size.thickness / 2, y: size.length / 2, turn: 0, stance: .standing))
        width = left + size.thickness
    }

    /// Returns the distance of a leaning book's foot from its support: its head touches the other's side, or, when it
    /// is the taller one, its side touches the other's upper corner.
    static func footDistance(length: Double, angle: Double, height: Double) -> Double {
        length * cos(angle) <= height ? length * sin(angle) : height * tan(angle)
    }

    private mutating func leanLeft(_ size: Size, _ angle: Double, on height: Double) {
        let foot = width + Self.seam + Self.footDistance(length: size.length, angle: angle, height: height)
        lean(size, angle, foot: foot, side: -1)
        width = foot + cos(angle) * size.thickness
    }

    private mutating func leanRight(_ size: Size, _ angle: Double, gap: Double, on height: Double) {
        let foot = width + max(gap, Self.seam) + cos(angle) * size.thickness
        lean(size, angle, foot: foot, side: 1)
        width = foot + Self.footDistance(length: size.length, angle: angle, height: height)
    }

    /// Places a book that leans to a side, −1 or 1, with its lower corner of that side at `foot`.
    private mutating func lean(_ size: Size, _ angle: Double, foot: Double, side: Double) {
        let (up, inwards) = ((x: side * sin(angle), y: cos(angle)), (x: -side * cos(angle), y: sin(angle)))
        places.append(
            Place(
                x: foot + up.x * size.length / 2 + inwards.x * size.thickness / 2,
                y: up.y * size.length / 2 + inwards.y * size.thickness / 2,
                turn: side * angle,
                stance: side < 0 ? .leaningLeft(angle) : .leaningRight(angle)
            )
        )
    }

    private mutating func lay(_ pile: [Size], gap: Double) {
        let left = width + max(gap, Self.seam)
        let longest = pile.map(\.length).max() ?? 0
        var height = pile.map { $0.thickness + Self.seam }.reduce(0, +)
        for (index, size) in pile.enumerated() {
            height -= size.thickness + Self.seam
            // Each is a little to one side of the pile's middle, as far as the longest allows.
            let shift = (longest - size.length) * (index.isMultiple(of: 2) ? -0.2 : 0.25)
            let (x, y) = (left + longest / 2 + shift, height + Self.seam + size.thickness / 2)
            places.append(Place(x: x, y: y, turn: -.pi / 2, stance: .lying))
        }
        width = left + longest
    }
}
