/// A projective map of the plane: (x, y) maps to (a x + b y + c, d x + e y + f) / (g x + h y + i).
public struct Homography: Sendable, Equatable {
    /// The matrix, row by row: a b c, d e f, g h i.
    public let elements: [Double]

    private init(elements: [Double]) { self.elements = elements }

    /// Creates the map of the rectangle (0, 0)…(`width`, `height`) to `quad`, corner to corner.
    ///
    /// Nil without a map that keeps the inside inside: a side is not positive, a corner is not finite, or the quad is
    /// not strictly convex (it has no area, three corners in a line, a dent, or crosses itself).
    ///
    /// Source: P. Heckbert, *Fundamentals of Texture Mapping and Image Warping* (1989), section 2.2.3, square to
    /// quad.
    public init?(width: Double, height: Double, to quad: Quad) {
        guard width > 0, height > 0, width.isFinite, height.isFinite, quad.isStrictlyConvex else { return nil }
        let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        var sumX = p0.x - p1.x + p2.x - p3.x
        var sumY = p0.y - p1.y + p2.y - p3.y
        // A parallelogram but for rounding is taken for one: its map needs no division.
        if max(abs(sumX), abs(sumY)) < 1e-9 * (p0.distance(to: p2) + p1.distance(to: p3)) {
            (sumX, sumY) = (0, 0)
        }
        let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y)
        let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        let g = (sumX * dy2 - dx2 * sumY) / determinant
        let h = (dx1 * sumY - sumX * dy1) / determinant
        let unit = [
            p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x,
            p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y,
            g, h, 1,
        ]
        guard unit.allSatisfy(\.isFinite) else { return nil }
        elements = unit.enumerated().map { index, value in
            switch index % 3 {
            case 0: value / width
            case 1: value / height
            default: value
            }
        }
    }

    /// Whether parallels stay parallel, and the divisor is 1 everywhere.
    var isAffine: Bool { elements[6] == 0 && elements[7] == 0 && elements[8] == 1 }

    /// Returns the image of `point`.
    ///
    /// Not finite on the line that the map sends to infinity, which contains no point of the rectangle.
    public func apply(_ point: Point) -> Point {
        let w = elements[6] * point.x + elements[7] * point.y + elements[8]
        return Point(
            x: (elements[0] * point.x + elements[1] * point.y + elements[2]) / w,
            y: (elements[3] * point.x + elements[4] * point.y + elements[5]) / w
        )
    }

    /// The map back.
    public var inverse: Homography {
        let m = elements
        // The adjugate: a projective map does not mind its scale, and a convex quad has no zero determinant.
        return Homography(elements: [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ])
    }
}

extension Quad {
    /// Whether the corners, taken in order, turn the same way every time, none of them straight on.
    ///
    /// Either way round will do. False when a corner is not finite.
    public var isStrictlyConvex: Bool {
        let points = corners
        let turns = points.indices.map { index in
            let (a, b, c) = (points[index], points[(index + 1) % 4], points[(index + 2) % 4])
            let cross = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
            // The sine of the turn, so that the size of the quad does not matter.
            return cross / (a.distance(to: b) * b.distance(to: c))
        }
        // Below a millionth, rounding decides the sign. A not-a-number fails both.
        return turns.allSatisfy { $0 > 1e-6 } || turns.allSatisfy { $0 < -1e-6 }
    }
}

extension Point {
    /// Returns the distance to `other`, in pixels.
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}
