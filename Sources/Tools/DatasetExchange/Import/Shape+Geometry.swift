import Foundation
import Imaging
import SpineDatasets

extension Shape {
    static func box(x: Double, y: Double, width: Double, height: Double) -> Shape {
        Shape(corners: Quad(x: x, y: y, width: width, height: height))
    }

    /// Creates the quad of points: four are its corners in their order, more are enclosed by the smallest rectangle.
    ///
    /// Nil for fewer than three points, and for points on one line.
    init?(points: [Point], isInReadingOrder: Bool = false) {
        if points.count == 4, convexHull(points).count == 4 {
            let quad = Quad(corners: points)
            // The other way round it would be the text in a mirror.
            if quad.signedArea > 0 {
                self.init(corners: quad, isInReadingOrder: isInReadingOrder)
                return
            }
            let turned = Quad(corners: [0, 3, 2, 1].map { points[$0] })
            if turned.signedArea > 0 {
                self.init(corners: turned)
                return
            }
        }
        guard let rectangle = RotatedRectangle(around: points) else { return nil }
        self.init(corners: rectangle.quad)
    }

    /// Returns points from the numbers x, y, x, y, …; nil when one is left over.
    static func points(_ numbers: [Double]) -> [Point]? {
        guard numbers.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// Returns the shape, begun at the corner from which text of a direction is read.
    func begun(for orientation: SampleOrientation) -> Shape {
        var shape = self
        shape.corners = corners.begun(for: orientation)
        shape.isInReadingOrder = true
        return shape
    }

    /// Returns the shape in pixels of a picture of a size; shares of it give hundredths of a pixel, not more.
    func scaled(to size: PixelSize) -> Shape {
        guard isRelative else { return self }
        func scaled(_ share: Double, _ side: Int) -> Double { (share * Double(side) * 100).rounded() / 100 }
        return Shape(
            corners: corners.mapped { Point(x: scaled($0.x, size.width), y: scaled($0.y, size.height)) },
            isInReadingOrder: isInReadingOrder
        )
    }
}

extension Quad {
    /// Returns the quad turned clockwise around a point.
    func turned(by degrees: Double, around centre: Point) -> Quad {
        // Precise enough for exact quarters, unlike π.
        func exact(_ value: Double) -> Double { (value * 1e12).rounded() / 1e12 }
        let (sine, cosine) = (exact(sin(degrees * .pi / 180)), exact(cos(degrees * .pi / 180)))
        return mapped { point in
            let (dx, dy) = (point.x - centre.x, point.y - centre.y)
            return Point(x: centre.x + dx * cosine - dy * sine, y: centre.y + dx * sine + dy * cosine)
        }
    }

    /// Orientation in the picture of text from the first corner to the second.
    var direction: SampleOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }

    func begun(for orientation: SampleOrientation) -> Quad {
        [self, quarterTurned, reversed, quarterTurned.reversed].first { $0.direction == orientation } ?? self
    }

    func isOutside(_ size: PixelSize) -> Bool { corners.stray(outside: size.width, size.height) != nil }
}

/// Turns points of stored pixels to the picture as EXIF wants it seen.
struct StoredFrame {
    /// 1…8.
    let orientation: Int
    let size: PixelSize

    /// Returns the position of a stored picture's point in the upright one.
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

    /// Returns the shape in the upright picture, its corners clockwise there, too.
    func upright(_ shape: Shape) -> Shape {
        let quad = shape.corners.mapped(upright)
        guard quad.signedArea < 0 else { return Shape(corners: quad, isInReadingOrder: shape.isInReadingOrder) }
        return Shape(corners: Quad(corners: [1, 0, 3, 2].map { quad.corners[$0] }))
    }
}

extension CoordinateFrame {
    /// Decides which pixels shapes refer to.
    ///
    /// Annotation tools in browsers, OpenCV and with it PaddleOCR rotate pictures by EXIF; programs with Pillow do not.
    /// The size in the labels reveals which it was. Label Studio's COCO export has the stored size with upright
    /// coordinates: some are outside the picture. The size of a mask is that of the pixels that it was made of.
    static func used(
        by shapes: [Shape],
        of record: ImportRecord,
        _ picture: PictureIntake.Picture,
        asked: CoordinateFrame?
    ) throws(ImportFault) -> CoordinateFrame {
        if let asked { return asked }
        let stored = picture.stored.size
        let maskSize = [record.maskSize].first { $0 == picture.size || $0 == stored } ?? nil
        guard let statedSize = maskSize ?? record.statedSize, statedSize != picture.size else { return .upright }
        guard statedSize == stored else {
            // Shares of the sides are right at any size.
            guard shapes.contains(where: { !$0.isRelative }) else { return .upright }
            throw ImportFault(
                "the labels expect a picture of \(statedSize) pixels, but the file has \(picture.size); label the "
                    + "current file, or restore the labelled one"
            )
        }
        let isUpright = shapes.contains { !$0.isRelative && $0.corners.isOutside(stored) }
        return isUpright ? .upright : .stored
    }
}
