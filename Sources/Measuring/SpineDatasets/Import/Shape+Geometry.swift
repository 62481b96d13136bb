import Foundation
import Raster

extension Shape {
    /// An axis-aligned box.
    static func box(x: Double, y: Double, width: Double, height: Double) -> Shape {
        Shape(
            corners: Quad(
                topLeft: Point(x: x, y: y),
                topRight: Point(x: x + width, y: y),
                bottomRight: Point(x: x + width, y: y + height),
                bottomLeft: Point(x: x, y: y + height)
            )
        )
    }

    /// Quad of points: of four the one with the corners in their order, of more the smallest rectangle around them.
    ///
    /// Nil for fewer than three points, and for points on one line.
    init?(points: [Point], isInReadingOrder: Bool = false) {
        guard convexHull(points).count >= 3 else { return nil }
        if points.count == 4, convexHull(points).count == 4 {
            let quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
            // The other way round it would be the text in a mirror.
            if quad.signedArea > 0 {
                self.init(corners: quad, isInReadingOrder: isInReadingOrder)
                return
            }
            let turned = Quad(topLeft: points[0], topRight: points[3], bottomRight: points[2], bottomLeft: points[1])
            if turned.signedArea > 0 {
                self.init(corners: turned)
                return
            }
        }
        guard let rectangle = RotatedRectangle(around: points) else { return nil }
        self.init(corners: rectangle.quad)
    }

    /// Points from the numbers x, y, x, y, …; nil when one is left over.
    static func points(_ numbers: [Double]) -> [Point]? {
        guard numbers.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// The shape in pixels of a picture of a size; shares of it give hundredths of a pixel, not more.
    func scaled(to size: PixelSize) -> Shape {
        guard isRelative else { return self }
        var shape = Shape(
            corners: corners.mapped {
                Point(
                    x: ($0.x * Double(size.width) * 100).rounded() / 100,
                    y: ($0.y * Double(size.height) * 100).rounded() / 100
                )
            }
        )
        shape.isInReadingOrder = isInReadingOrder
        return shape
    }
}

extension Quad {
    /// The quad with every corner moved.
    func mapped(_ move: (Point) -> Point) -> Quad {
        Quad(
            topLeft: move(topLeft),
            topRight: move(topRight),
            bottomRight: move(bottomRight),
            bottomLeft: move(bottomLeft)
        )
    }

    /// The area by the shoelace formula: above 0 when the corners go clockwise as they are seen, y down.
    var signedArea: Double {
        let points = corners
        return zip(points, points[1...] + points[..<1]).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
    }

    /// Whether a point lies inside or on the border, for corners that go clockwise.
    func contains(_ point: Point) -> Bool {
        let points = corners
        return zip(points, points[1...] + points[..<1]).allSatisfy { a, b in
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
        }
    }

    /// Orientation in the picture of text that begins at the first corner and goes on to the second.
    var direction: SampleOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }

    /// The same corners, begun at the one from which text of a direction is read.
    func begun(for orientation: SampleOrientation) -> Quad {
        [self, quarterTurned, reversed, quarterTurned.reversed].first { $0.direction == orientation } ?? self
    }

    /// Whether a corner lies farther outside a picture than the loader has it.
    func isOutside(_ size: PixelSize) -> Bool { stray(outside: size.width, size.height) != nil }
}

/// Turns points of stored pixels to the picture as EXIF wants it seen.
struct StoredFrame {
    /// 1…8.
    let orientation: Int
    /// Of the stored picture.
    let size: PixelSize

    /// Where a point of the stored picture is in the upright one.
    ///
    /// Source: Exif 2.32 (CIPA DC-008-2019), tag 0x0112: 6 is turned clockwise by a quarter to be upright, 8 the other
    /// way, 5 and 7 are mirrored as well.
    func upright(_ point: Point) -> Point {
        let (x, y) = (point.x, point.y)
        let (width, height) = (Double(size.width), Double(size.height))
        return switch orientation {
        case 2: Point(x: width - x, y: y)
        case 3: Point(x: width - x, y: height - y)
        case 4: Point(x: x, y: height - y)
        case 5: Point(x: y, y: x)
        case 6: Point(x: height - y, y: x)
        case 7: Point(x: height - y, y: width - x)
        case 8: Point(x: y, y: width - x)
        default: point
        }
    }

    /// The shape in the upright picture, its corners clockwise there, too.
    func upright(_ shape: Shape) -> Shape {
        let quad = shape.corners.mapped(upright)
        guard quad.signedArea < 0 else {
            return Shape(corners: quad, isInReadingOrder: shape.isInReadingOrder)
        }
        return Shape(
            corners: Quad(
                topLeft: quad.topRight,
                topRight: quad.topLeft,
                bottomRight: quad.bottomLeft,
                bottomLeft: quad.bottomRight
            )
        )
    }
}

/// Why coordinates cannot be understood.
struct FrameFault: Error { var message: String }

extension CoordinateFrame {
    /// Decides which pixels shapes refer to.
    ///
    /// Annotation tools in browsers, OpenCV and with it PaddleOCR turn pictures as EXIF says; programs on Pillow do not
    /// unless told to. The size that labels state tells which of them it was. Label Studio's COCO export states the stored
    /// size with upright coordinates: what then lies outside the picture is what gives it away.
    ///
    /// - Parameters:
    ///   - shapes: All that was drawn into the picture.
    ///   - statedSize: By the labels.
    ///   - picture: What was found.
    ///   - asked: The caller's choice.
    /// - Returns: The caller's choice, or what fits.
    /// - Throws: ``FrameFault`` when the labels are of a picture of another size.
    static func used(
        by shapes: [Shape],
        statedSize: PixelSize?,
        _ picture: PictureIntake.Picture,
        asked: CoordinateFrame?
    ) throws(FrameFault) -> CoordinateFrame {
        if let asked { return asked }
        let stored = picture.stored.size
        guard let statedSize, statedSize != picture.size else { return .upright }
        guard statedSize == stored else {
            // Shares of the sides are right at any size.
            guard shapes.contains(where: { !$0.isRelative }) else { return .upright }
            throw FrameFault(
                message: "the labels are of a picture of \(statedSize) pixels, the file has \(picture.size); label the "
                    + "file that is here, or bring the one that was labelled"
            )
        }
        let isUpright = shapes.contains { !$0.isRelative && $0.corners.isOutside(stored) }
        return isUpright ? .upright : .stored
    }
}
