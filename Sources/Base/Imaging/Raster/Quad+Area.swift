extension Quad {
    /// Area in square pixels (the shoelace formula).
    public var area: Double { polygonArea(corners) }

    /// Returns the area that this quad shares with another, in square pixels.
    ///
    /// - Precondition: both are convex; their corners may run either way round.
    public func intersectionArea(with other: Quad) -> Double { polygonArea(clipped(corners, to: other.corners)) }

    /// Returns the area that both share, as a share of the area that either covers, 0…1.
    public func overlap(with other: Quad) -> Double {
        let shared = intersectionArea(with: other)
        let all = area + other.area - shared
        return all > 0 ? shared / all : 0
    }
}

/// Returns the area by the shoelace formula; 0 for fewer than three corners.
private func polygonArea(_ corners: [Point]) -> Double { corners.count >= 3 ? abs(corners.signedArea) : 0 }

extension [Point] {
    /// The area that an outline encloses, by the shoelace formula: above 0 when it goes clockwise as it is seen, y
    /// down.
    public var signedArea: Double {
        var sum = 0.0
        for (index, a) in enumerated() {
            let b = self[(index + 1) % count]
            sum += a.x * b.y - b.x * a.y
        }
        return sum / 2
    }

    /// Returns the crossings of the horizontal line at `y` pixels with an outline, in the order of its sides.
    public func crossings(at y: Double) -> [Double] {
        indices.compactMap { index in
            let (start, end) = (self[index], self[(index + 1) % count])
            guard (start.y <= y) != (end.y <= y) else { return nil }
            return start.x + (end.x - start.x) * (y - start.y) / (end.y - start.y)
        }
    }
}

/// Returns the intersection of a convex polygon with another (Sutherland and Hodgman 1974).
private func clipped(_ subject: [Point], to window: [Point]) -> [Point] {
    let sign = window.signedArea >= 0 ? 1.0 : -1.0
    var result = subject
    for (index, a) in window.enumerated() where !result.isEmpty {
        let b = window[(index + 1) % window.count]
        func side(_ point: Point) -> Double { sign * a.cross(b, point) }
        let input = result
        result = []
        for (index, point) in input.enumerated() {
            let next = input[(index + 1) % input.count]
            let (here, there) = (side(point), side(next))
            if here >= 0 { result.append(point) }
            if (here >= 0) != (there >= 0) { result.append(point.towards(next, here / (here - there))) }
        }
    }
    return result
}
