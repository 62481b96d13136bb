/// A turn by a multiple of 90°, as seen on the screen.
public enum QuarterTurn: Sendable, Hashable, CaseIterable {
    case none
    /// 90° clockwise: what was at the top comes to the right.
    case clockwise
    /// 180°.
    case half
    /// 90° counter-clockwise: what was at the top comes to the left.
    case counterclockwise

    /// The turn that undoes this one.
    public var inverse: QuarterTurn {
        switch self {
        case .none: .none
        case .clockwise: .counterclockwise
        case .half: .half
        case .counterclockwise: .clockwise
        }
    }

    /// Whether width and height change places.
    public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

    /// This turn and then `next`, as one.
    public func followed(by next: QuarterTurn) -> QuarterTurn {
        let order: [QuarterTurn] = [.none, .clockwise, .half, .counterclockwise]
        return order[(quarters + next.quarters) % 4]
    }

    private var quarters: Int {
        switch self {
        case .none: 0
        case .clockwise: 1
        case .half: 2
        case .counterclockwise: 3
        }
    }

    /// Where a point of the unturned image, of `width` × `height` pixels, lies in the turned one.
    public func map(_ point: Point, width: Int, height: Int) -> Point {
        switch self {
        case .none: point
        case .clockwise: Point(x: Double(height) - point.y, y: point.x)
        case .half: Point(x: Double(width) - point.x, y: Double(height) - point.y)
        case .counterclockwise: Point(x: point.y, y: Double(width) - point.x)
        }
    }

    /// Where a point of the turned image lies in the unturned one, of `width` × `height` pixels.
    public func mapBack(_ point: Point, width: Int, height: Int) -> Point {
        switch self {
        case .none: point
        case .clockwise: Point(x: point.y, y: Double(height) - point.x)
        case .half: Point(x: Double(width) - point.x, y: Double(height) - point.y)
        case .counterclockwise: Point(x: Double(width) - point.y, y: point.x)
        }
    }
}

extension Quad {
    /// The quad whose corners are `transform` of this one's, each in its place.
    public func mapped(_ transform: (Point) -> Point) -> Quad {
        Quad(
            topLeft: transform(topLeft),
            topRight: transform(topRight),
            bottomRight: transform(bottomRight),
            bottomLeft: transform(bottomLeft)
        )
    }
}
