import Foundation

/// Arrangement of books beside each other on a board: upright, leaning, or piled at the end.
///
/// Places are in units of the tallest book's height, x from the left end of the row, y up from the board.
struct ShelfArrangement: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        var thickness: Double
        var length: Double
        /// Clockwise lean in radians, against the book to the right, or to the left where it is negative; 0 is upright.
        var lean = 0.0
        /// Whether it is placed on its back cover, on the pile.
        var lies = false
        /// Room to the left; ignored within a pile, and where a book leans.
        var gap = 0.0
    }

    struct Place: Sendable, Equatable {
        var x: Double
        var y: Double
        /// Clockwise turn, in radians, relative to an upright book.
        var turn: Double
    }

    private(set) var places: [Place] = []
    private(set) var width = 0.0

    /// Gap between books that touch: no two covers are quite flat on each other.
    private static let seam = 0.003

    /// Creates the arrangement from left to right, a pile last from its top.
    init(_ items: [Item]) {
        for (index, item) in items.enumerated() where !item.lies {
            let (left, right) = (index > 0 ? items[index - 1] : nil, index + 1 < items.count ? items[index + 1] : nil)
            let across = cos(item.lean) * item.thickness
            func reach(_ support: Item?) -> Double {
                Self.footDistance(length: item.length, angle: abs(item.lean), height: support?.length ?? 0)
            }
            if item.lean < 0 {
                let foot = width + Self.seam + reach(left)
                lean(item, foot: foot, side: -1)
                width = foot + across
            } else {
                // A book that leans to the right touches this one: there is no gap.
                let gap = left.map { $0.lean > 0 } == true ? 0 : item.gap
                let foot = width + max(gap, Self.seam) + across
                lean(item, foot: foot, side: 1)
                width = foot + reach(right)
            }
        }
        lay(items.filter(\.lies))
    }

    /// Returns the distance of a leaning book's foot from its support: its head touches the other's side, or, when it
    /// is the taller one, its side touches the other's upper corner.
    static func footDistance(length: Double, angle: Double, height: Double) -> Double {
        length * cos(angle) <= height ? length * sin(angle) : height * tan(angle)
    }

    /// Places a book with its lower corner of a side, −1 or 1, at `foot`.
    private mutating func lean(_ item: Item, foot: Double, side: Double) {
        let (half, tall, angle) = (item.thickness / 2, item.length / 2, abs(item.lean))
        let x = foot + side * (sin(angle) * tall - cos(angle) * half)
        places.append(Place(x: x, y: cos(angle) * tall + sin(angle) * half, turn: item.lean))
    }

    private mutating func lay(_ pile: [Item]) {
        guard let first = pile.first else { return }
        let left = width + max(first.gap, Self.seam)
        let longest = pile.map(\.length).max() ?? 0
        var height = pile.reduce(0) { $0 + $1.thickness + Self.seam }
        for (index, item) in pile.enumerated() {
            height -= item.thickness + Self.seam
            // Each is a little to one side of the pile's middle, as far as the longest allows.
            let shift = (longest - item.length) * (index.isMultiple(of: 2) ? -0.2 : 0.25)
            let (x, y) = (left + longest / 2 + shift, height + Self.seam + item.thickness / 2)
            places.append(Place(x: x, y: y, turn: -.pi / 2))
        }
        width = left + longest
    }
}
