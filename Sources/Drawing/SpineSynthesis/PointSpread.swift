import Foundation

/// Spread of a point of light when the lens is out of focus and the hand moves.
struct PointSpread {
    struct Tap: Equatable {
        var x: Int
        var y: Int
        var weight: Float
    }

    /// Offsets with the share of the light that each gets, row by row; the shares add up to 1.
    let taps: [Tap]

    /// A disc drawn along a line.
    ///
    /// - Parameters:
    ///   - radius: Of the disc, in pixels; 0 for a point.
    ///   - length: Of the line, in pixels; 0 for a picture that stood still.
    ///   - angle: The line's direction in degrees clockwise from the right.
    init(radius: Double, length: Double, angle: Double) {
        // A point falls on the four pixels around it in proportion, so that the spread moves smoothly with its figures.
        let reach = Int((radius + length / 2).rounded(.up)) + 1
        let side = 2 * reach + 1
        var weights = [Double](repeating: 0, count: side * side)
        func add(_ x: Double, _ y: Double) {
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            let start = (Int(top) + reach) * side + Int(left) + reach
            let (shareX, shareY) = (x - left, y - top)
            weights[start] += (1 - shareX) * (1 - shareY)
            if shareX > 0 { weights[start + 1] += shareX * (1 - shareY) }
            if shareY > 0 { weights[start + side] += (1 - shareX) * shareY }
            if shareX > 0, shareY > 0 { weights[start + side + 1] += shareX * shareY }
        }
        let steps = length > 0 ? Int((4 * length).rounded(.up)) : 0
        let direction = (x: cos(angle * .pi / 180), y: sin(angle * .pi / 180))
        let rings = radius > 0 ? 6 : 0
        for step in 0...steps {
            let along = steps == 0 ? 0 : (Double(step) / Double(steps) - 0.5) * length
            for row in -rings...rings {
                for column in -rings...rings where row * row + column * column <= rings * rings {
                    let scale = rings == 0 ? 0 : radius / Double(rings)
                    add(along * direction.x + Double(column) * scale, along * direction.y + Double(row) * scale)
                }
            }
        }
        let total = weights.reduce(0, +)
        // What a byte could not show is left out, and its share given to the others.
        let kept = weights.indices.filter { weights[$0] > total / 2000 }
        let rest = kept.reduce(0) { $0 + weights[$1] }
        taps = kept.map { index in
            Tap(x: index % side - reach, y: index / side - reach, weight: Float(weights[index] / rest))
        }
    }
}
