package struct RotatedRectangle: Sendable, Equatable {
    /// Intersection of the diagonals, in pixels.
    package var centre: Point
    /// Length of the sides along `axis`, in pixels.
    package var width: Double
    /// Length of the sides across `axis`, in pixels.
    package var height: Double
    package var axis: Point

    package var shortSide: Double { min(width, height) }
}

extension RotatedRectangle {
    /// Creates the rectangle of least area around the points; nil if they are on one line.
    ///
    /// One side of it is along a side of the convex hull (Freeman and Shapira 1975, "Determining the Minimum-Area
    /// Encasing Rectangle for an Arbitrary Closed Curve").
    package init?(around points: [Point]) {
        let hull = convexHull(points)
        guard hull.count >= 3 else { return nil }
        var best: RotatedRectangle?
        for (index, start) in hull.enumerated() {
            let end = hull[(index + 1) % hull.count]
            let length = start.distance(to: end)
            guard length > 0 else { continue }
            let axis = Point(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
            var along = (low: Double.infinity, high: -Double.infinity)
            var across = along
            for point in hull {
                let (u, v) = (point.x * axis.x + point.y * axis.y, point.y * axis.x - point.x * axis.y)
                along = (min(along.low, u), max(along.high, u))
                across = (min(across.low, v), max(across.high, v))
            }
            let (width, height) = (along.high - along.low, across.high - across.low)
            if best.map({ width * height < $0.width * $0.height }) ?? true {
                let (u, v) = ((along.low + along.high) / 2, (across.low + across.high) / 2)
                best = RotatedRectangle(
                    centre: Point(x: u * axis.x - v * axis.y, y: u * axis.y + v * axis.x),
                    width: width,
                    height: height,
                    axis: axis
                )
            }
        }
        guard let best else { return nil }
        self = best
    }

    /// Returns the rectangle with every side moved outwards by `distance` pixels.
    package func grown(by distance: Double) -> RotatedRectangle {
        RotatedRectangle(centre: centre, width: width + 2 * distance, height: height + 2 * distance, axis: axis)
    }

    /// The corners from the top left, clockwise: the two leftmost corners are the left side.
    package var quad: Quad {
        let along = Point(x: width * axis.x / 2, y: width * axis.y / 2)
        let across = Point(x: -height * axis.y / 2, y: height * axis.x / 2)
        func corner(_ a: Double, _ b: Double) -> Point {
            Point(x: centre.x + a * along.x + b * across.x, y: centre.y + a * along.y + b * across.y)
        }
        let corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)].sorted {
            ($0.x, $0.y) < ($1.x, $1.y)
        }
        let left = corners[0].y <= corners[1].y ? (corners[0], corners[1]) : (corners[1], corners[0])
        let right = corners[2].y <= corners[3].y ? (corners[2], corners[3]) : (corners[3], corners[2])
        return Quad(topLeft: left.0, topRight: right.0, bottomRight: right.1, bottomLeft: left.1)
    }
}

/// Returns the corners of the points' convex hull, counter-clockwise in a y-up frame (Andrew 1979, monotone chain).
///
/// Points on an edge are omitted; if all points are on one line, no more than two remain.
package func convexHull(_ points: [Point]) -> [Point] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: some Sequence<Point>) -> [Point] {
        var chain: [Point] = []
        for point in points {
            while chain.count >= 2, !(chain[chain.count - 2].cross(chain[chain.count - 1], point) > 0) {
                chain.removeLast()
            }
            chain.append(point)
        }
        return chain
    }
    guard sorted.count > 2 else { return sorted }
    return half(sorted).dropLast() + half(sorted.reversed()).dropLast()
}
