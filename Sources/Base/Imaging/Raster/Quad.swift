/// A point in pixels; the origin is the top-left corner of the image's top-left pixel, x grows right, y grows down.
public struct Point: Sendable, Hashable, Codable {
    /// Pixels to the right of the origin.
    public var x: Double
    /// Pixels below the origin.
    public var y: Double

    /// Creates a point, `x` pixels right and `y` pixels down.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// Returns the point that many shares of the way to `other` from here; 1 is there.
    public func towards(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }

    /// Returns the cross product of the ways from here to `a` and to `b`: above 0 when the second turns right, as it is
    /// seen.
    public func cross(_ a: Point, _ b: Point) -> Double { (a.x - x) * (b.y - y) - (a.y - y) * (b.x - x) }

    /// Decodes `[x, y]`.
    public init(from decoder: any Decoder) throws {
        let pair = try decoder.list(of: Double.self, count: 2, "a point has two numbers")
        self.init(x: pair[0], y: pair[1])
    }

    /// Encodes `[x, y]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([x, y])
    }
}

/// A four-sided region in an image's pixels: the corners of a line of text as its reader sees them, so `topLeft` is
/// where the first character begins whichever way the text runs in the image.
public struct Quad: Sendable, Hashable {
    /// Beginning of the text, on its upper edge.
    public var topLeft: Point
    /// End of the text's upper edge.
    public var topRight: Point
    /// End of the text, on its lower edge.
    public var bottomRight: Point
    /// Beginning of the text's lower edge.
    public var bottomLeft: Point

    /// Creates a quad by its corners, as the text's reader sees them.
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        (self.topLeft, self.topRight) = (topLeft, topRight)
        (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
    }

    /// Creates an upright rectangle by its sides.
    public init(left: Double, top: Double, right: Double, bottom: Double) {
        (topLeft, topRight) = (Point(x: left, y: top), Point(x: right, y: top))
        (bottomRight, bottomLeft) = (Point(x: right, y: bottom), Point(x: left, y: bottom))
    }

    /// The corners in reading order: top left, top right, bottom right, bottom left.
    public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }
}

extension Quad: Codable {
    /// Decodes `[[x, y], [x, y], [x, y], [x, y]]`, corners from the top left, clockwise.
    public init(from decoder: any Decoder) throws {
        let corners = try decoder.list(of: Point.self, count: 4, "a quad has four corners")
        self.init(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }

    /// Encodes `[[x, y], [x, y], [x, y], [x, y]]`, corners from the top left, clockwise.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(corners)
    }
}

extension Decoder {
    /// Returns a list of `count` elements.
    fileprivate func list<Element: Decodable>(of type: Element.Type, count: Int, _ rule: String) throws -> [Element] {
        let container = try singleValueContainer()
        let list = try container.decode([Element].self)
        if list.count == count { return list }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(rule), not \(list.count)")
    }
}

extension Quad {
    /// Mean length of the sides along the text, in pixels.
    public var length: Double { (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2 }

    /// Mean length of the sides across the text, in pixels.
    public var thickness: Double { (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2 }

    /// Mean of its corners.
    public var centre: Point {
        Point(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4
        )
    }

    /// The same region for text that runs the other way.
    public var reversed: Quad {
        Quad(topLeft: bottomRight, topRight: bottomLeft, bottomRight: topLeft, bottomLeft: topRight)
    }

    /// Same region for text that runs along the former left and right sides: from bottom to top of this quad.
    public var quarterTurned: Quad {
        Quad(topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight)
    }

    /// Returns true for a point inside or on the border, for corners that go clockwise.
    public func contains(_ point: Point) -> Bool {
        corners.indices.allSatisfy { corners[$0].cross(corners[($0 + 1) % 4], point) >= 0 }
    }
}
