/// A turn by a multiple of 90°, as seen on the screen.
public enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
    case none
    /// 90° clockwise: the top becomes the right side.
    case clockwise
    /// 180°.
    case half
    /// 90° counter-clockwise: the top becomes the left side.
    case counterclockwise

    /// The turn that undoes this one.
    public var inverse: QuarterTurn { Self.allCases[(4 - rawValue) % 4] }

    /// Whether width and height change places.
    public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

    /// Returns this turn and then `next`, as one.
    public func followed(by next: QuarterTurn) -> QuarterTurn { Self.allCases[(rawValue + next.rawValue) % 4] }

    /// Returns the position in the turned image of a point of the unturned one, of `width` × `height` pixels.
    public func map(_ point: Point, width: Int, height: Int) -> Point {
        switch self {
        case .none: point
        case .clockwise: Point(x: Double(height) - point.y, y: point.x)
        case .half: Point(x: Double(width) - point.x, y: Double(height) - point.y)
        case .counterclockwise: Point(x: point.y, y: Double(width) - point.x)
        }
    }

    /// Returns the position in the unturned image, of `width` × `height` pixels, of a point of the turned one.
    public func mapBack(_ point: Point, width: Int, height: Int) -> Point {
        inverse.map(point, width: swapsSides ? height : width, height: swapsSides ? width : height)
    }
}

extension Quad {
    /// Returns the quad whose corners are `transform` of this one's, each in its place.
    public func mapped(_ transform: (Point) -> Point) -> Quad {
        Quad(
            topLeft: transform(topLeft),
            topRight: transform(topRight),
            bottomRight: transform(bottomRight),
            bottomLeft: transform(bottomLeft)
        )
    }
}

extension RasterImage {
    /// Returns the image turned by quarter turns, without resampling.
    public func rotated(_ turn: QuarterTurn) -> RasterImage {
        // The walk over the source that fills the target row by row: where it begins, and its steps in pixels.
        switch turn {
        case .none: self
        case .clockwise:
            rearranged(width: height, height: width, start: (height - 1) * width, across: -width, down: 1)
        case .half:
            rearranged(width: width, height: height, start: height * width - 1, across: -1, down: -width)
        case .counterclockwise:
            rearranged(width: height, height: width, start: width - 1, across: width, down: -1)
        }
    }

    /// Returns the image with left and right exchanged.
    public func mirrored() -> RasterImage {
        rearranged(width: width, height: height, start: width - 1, across: -1, down: width)
    }

    /// Returns an image of `width` × `height` whose pixel (x, y) is pixel number `start + x * across + y * down` of
    /// this one.
    private func rearranged(width: Int, height: Int, start: Int, across: Int, down: Int) -> RasterImage {
        // Small enough for the pixels that both sides of a tile touch to stay in the first-level cache.
        let tile = 32
        let channels = channels
        let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, initializedCount in
            initializedCount = pixels.count
            pixels.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                for top in stride(from: 0, to: height, by: tile) {
                    for left in stride(from: 0, to: width, by: tile) {
                        let right = min(left + tile, width)
                        for y in top..<min(top + tile, height) {
                            var read = from + (start + left * across + y * down) * channels
                            var write = to + (y * width + left) * channels
                            let step = across * channels
                            if channels == 1 {
                                for _ in left..<right {
                                    write.pointee = read.pointee
                                    write += 1
                                    read += step
                                }
                            } else {
                                for _ in left..<right {
                                    write[0] = read[0]
                                    write[1] = read[1]
                                    write[2] = read[2]
                                    write += 3
                                    read += step
                                }
                            }
                        }
                    }
                }
            }
        }
        return RasterImage(width: width, height: height, channels: channels, pixels: result)
    }
}
