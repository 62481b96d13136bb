import Raster

extension Quad {
    /// Problem that keeps the corners from being a region of a picture; nil when there is none.
    var problem: String? {
        let points = corners
        guard points.allSatisfy({ abs($0.x) <= Self.limit && abs($0.y) <= Self.limit }) else {
            return "has a corner that is no place in a picture; expected pixels"
        }
        if Self.cross(points[0], points[1], points[2], points[3])
            || Self.cross(points[1], points[2], points[3], points[0])
        {
            return "crosses itself; expected the corners in order, clockwise"
        }
        let doubled = points.indices.reduce(0) { sum, index in
            let (a, b) = (points[index], points[(index + 1) % 4])
            return sum + a.x * b.y - b.x * a.y
        }
        // Below one pixel there is nothing to see: these are repeated corners, or shares of the picture's sides.
        return abs(doubled) < 2 ? "has no area; expected four different corners in pixels" : nil
    }

    /// The corner that is farthest outside a picture of this size, when that is more than 2 % of the longer side.
    ///
    /// A quad that was drawn by hand or computed from a tilted rectangle reaches past the picture by a little.
    func stray(outside width: Int, _ height: Int) -> Point? {
        let tolerance = 0.02 * Double(max(width, height))
        func excess(_ point: Point) -> Double {
            max(-point.x, -point.y, point.x - Double(width), point.y - Double(height))
        }
        return corners.max { excess($0) < excess($1) }.flatMap { excess($0) > tolerance ? $0 : nil }
    }

    /// No picture has as many pixels a side.
    private static let limit = 1e6

    /// Whether the lines from `a` to `b` and from `c` to `d` cross between their ends.
    private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}
