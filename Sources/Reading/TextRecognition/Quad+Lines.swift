internal import Foundation
internal import Raster

extension Quad {
    /// The part of the quad between two fractions of its length, 0…1.
    func part(from start: Double, to end: Double) -> Quad {
        func between(_ a: Point, _ b: Point, _ share: Double) -> Point {
            Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
        }
        return Quad(
            topLeft: between(topLeft, topRight, start),
            topRight: between(topLeft, topRight, end),
            bottomRight: between(bottomLeft, bottomRight, end),
            bottomLeft: between(bottomLeft, bottomRight, start)
        )
    }

    /// Orientation of the text in the image, by the direction of its baseline.
    var orientation: TextOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }

    /// Cosine of the angle between the baselines of two quads; 1 when they run the same way.
    func cosineOfAngle(with other: Quad) -> Double {
        func direction(_ quad: Quad) -> Point {
            Point(x: quad.topRight.x - quad.topLeft.x, y: quad.topRight.y - quad.topLeft.y)
        }
        let (a, b) = (direction(self), direction(other))
        let lengths = hypot(a.x, a.y) * hypot(b.x, b.y)
        return lengths > 0 ? (a.x * b.x + a.y * b.y) / lengths : 0
    }

    /// Area in square pixels (the shoelace formula).
    var area: Double { polygonArea(corners) }

    /// Area that this quad shares with another, in square pixels.
    ///
    /// - Precondition: both are convex; their corners may run either way round.
    func intersectionArea(with other: Quad) -> Double { polygonArea(clipped(corners, to: other.corners)) }
}

/// The shoelace formula; 0 for fewer than three corners.
private func polygonArea(_ corners: [Point]) -> Double { corners.count >= 3 ? abs(twiceSignedArea(corners)) / 2 : 0 }

private func twiceSignedArea(_ corners: [Point]) -> Double {
    var sum = 0.0
    for (index, a) in corners.enumerated() {
        let b = corners[(index + 1) % corners.count]
        sum += a.x * b.y - b.x * a.y
    }
    return sum
}

/// The part of a convex polygon that lies in another (Sutherland and Hodgman 1974).
private func clipped(_ subject: [Point], to window: [Point]) -> [Point] {
    let sign = twiceSignedArea(window) >= 0 ? 1.0 : -1.0
    var result = subject
    for (index, a) in window.enumerated() where !result.isEmpty {
        let b = window[(index + 1) % window.count]
        func side(_ p: Point) -> Double { sign * ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) }
        let input = result
        result = []
        for (index, point) in input.enumerated() {
            let next = input[(index + 1) % input.count]
            let (here, there) = (side(point), side(next))
            if here >= 0 { result.append(point) }
            if (here >= 0) != (there >= 0) {
                let share = here / (here - there)
                result.append(Point(x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share))
            }
        }
    }
    return result
}
