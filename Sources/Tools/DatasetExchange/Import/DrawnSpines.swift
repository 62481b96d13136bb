import Foundation
import Imaging
import SpineDatasets

/// Spine as a source labels it, its shapes in the pixels of the upright picture.
struct ForeignSpine: Sendable {
    var stated = StatedLabels()
    var outline: Shape?
    /// Lines in the order of the file; nil when the format has none.
    var lines: [ForeignLine]?
}

struct ForeignLine: Sendable {
    /// Text; nil when the source marks it as illegible.
    var text: String?
    var role: LineRole?
    var shape: Shape
}

struct Shape: Sendable, Equatable {
    var corners: Quad
    /// The first corner is where a reader of the text begins.
    var isInReadingOrder = false

    /// Creates the quad of points: four are its corners in their order, more are enclosed by the smallest rectangle.
    ///
    /// Nil for fewer than three points, and for points on one line.
    init?(points: [Point], isInReadingOrder: Bool = false) {
        if points.count == 4, convexHull(points).count == 4 {
            corners = Quad(corners: points)
            self.isInReadingOrder = isInReadingOrder
            if corners.signedArea > 0 { return }
            // The other way round it would be the text in a mirror.
            (corners, self.isInReadingOrder) = (Quad(corners: [0, 3, 2, 1].map { points[$0] }), false)
            if corners.signedArea > 0 { return }
        }
        guard let rectangle = RotatedRectangle(around: points) else { return nil }
        corners = rectangle.quad
    }
}

/// Spines of one picture: one, or those of a shelf from left to right.
struct DrawnSpines {
    var spines: [ForeignSpine]
    let isShelf: Bool
    private(set) var notes: [ImportNote: Int] = [:]

    /// - Throws: ``ImportFault`` for shapes without area or outside the picture, and for labels of a picture of another size.
    init(
        _ record: ImportRecord,
        on picture: PictureIntake.Picture,
        asked: CoordinateFrame?
    ) throws(ImportFault) {
        isShelf = record.spines.count > 1
        let regions = record.spines + (record.lines ?? [])
        let frame =
            regions.isEmpty ? .upright : try CoordinateFrame.used(by: regions, of: record, picture, asked: asked)
        let isTurned = frame == .stored && picture.stored.orientation > 1
        if isTurned { notes[.coordinatesTurned] = 1 }
        notes[.polygonBoxed] = regions.count { $0.points.count != 4 }
        let size = isTurned ? picture.stored.size : picture.size
        var faults: [String] = []
        func shape(of region: ImportRecord.Region, _ name: String) -> Shape? {
            var points = region.points
            if record.isRelative {
                points = points.map { Point(x: $0.x * Double(size.width), y: $0.y * Double(size.height)) }
            }
            guard var shape = Shape(points: points, isInReadingOrder: region.isOrdered) else {
                faults.append("\(region.name ?? name): the corners have no area")
                return nil
            }
            if let turn = region.turn {
                shape.corners = shape.corners.begun(for: SampleOrientation(nearest: turn))
                shape.isInReadingOrder = true
            }
            // Shares of a picture's sides give hundredths of a pixel, not more.
            func hundredth(_ value: Double) -> Double { (value * 100).rounded() / 100 }
            if record.isRelative {
                shape.corners = shape.corners.mapped { Point(x: hundredth($0.x), y: hundredth($0.y)) }
            }
            return isTurned ? picture.stored.upright(shape) : shape
        }
        let lines = record.lines?.compactMap { line in
            shape(of: line, "the line \"\(line.text ?? "###")\"").map {
                ForeignLine(text: line.text, role: line.role, shape: $0)
            }
        }
        spines = record.spines.map { region in
            var spine = ForeignSpine(stated: region.stated, outline: shape(of: region, "a spine's outline"))
            spine.stated[.transcription] = spine.stated[.transcription] ?? region.text
            return spine
        }
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
        if isShelf {
            arrange(lines ?? [])
        } else {
            spines = [
                ForeignSpine(stated: spines.first?.stated ?? .init(), outline: spines.first?.outline, lines: lines)
            ]
        }
        // A line of no spine of a shelf is left out, wherever it is.
        for spine in spines {
            let named =
                [("a spine's outline", spine.outline)]
                + (spine.lines ?? []).map { ("the line \"\($0.text ?? "###")\"", $0.shape) }
            for (name, shape) in named where shape?.corners.isOutside(picture.size) == true {
                faults.append("\(name) is outside the picture of \(picture.size) pixels")
            }
        }
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }

    /// Sorts spines from left to right, and gives each the lines whose centres it contains; of several, the smallest.
    private mutating func arrange(_ lines: [ForeignLine]) {
        spines.sort { ($0.outline?.corners.centre.x ?? 0) < ($1.outline?.corners.centre.x ?? 0) }
        for index in spines.indices { spines[index].lines = [] }
        func area(_ index: Int) -> Double { spines[index].outline?.corners.area ?? 0 }
        for line in lines {
            let centre = line.shape.corners.centre
            let owners = spines.indices.filter { spines[$0].outline?.corners.contains(centre) == true }
            if let owner = owners.min(by: { area($0) < area($1) }) {
                spines[owner].lines?.append(line)
            } else {
                notes[.strayLine, default: 0] += 1
            }
        }
    }
}

extension Quad {
    /// Orientation in the picture of text from the first corner to the second.
    var direction: SampleOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }

    /// Returns the quad, begun at the corner from which text of a direction is read.
    func begun(for orientation: SampleOrientation) -> Quad {
        [self, quarterTurned, reversed, quarterTurned.reversed].first { $0.direction == orientation } ?? self
    }

    fileprivate func isOutside(_ size: PixelSize) -> Bool { corners.stray(outside: size.width, size.height) != nil }
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
        let (width, height) = (Double(size.width), Double(size.height))
        let isMirrored = [2, 4, 5, 7].contains(orientation)
        let turn: QuarterTurn =
            switch orientation {
            case 3, 4: .half
            case 5, 8: .counterclockwise
            case 6, 7: .clockwise
            default: .none
            }
        let start = isMirrored ? Point(x: width - point.x, y: point.y) : point
        return turn.map(start, width: Int(width), height: Int(height))
    }

    /// Returns the shape in the upright picture, its corners clockwise there, too.
    func upright(_ shape: Shape) -> Shape {
        var shape = shape
        shape.corners = shape.corners.mapped(upright)
        guard shape.corners.signedArea < 0 else { return shape }
        let corners = shape.corners.corners
        (shape.corners, shape.isInReadingOrder) = (Quad(corners: [1, 0, 3, 2].map { corners[$0] }), false)
        return shape
    }
}

extension CoordinateFrame {
    /// Decides which pixels points refer to.
    ///
    /// Annotation tools in browsers, OpenCV and with it PaddleOCR rotate pictures by EXIF; programs with Pillow do not.
    /// The size in the labels reveals which it was. Label Studio's COCO export has the stored size with upright
    /// coordinates: some are outside the picture. The size of a mask is that of the pixels that it was made of.
    fileprivate static func used(
        by regions: [ImportRecord.Region],
        of record: ImportRecord,
        _ picture: PictureIntake.Picture,
        asked: CoordinateFrame?
    ) throws(ImportFault) -> CoordinateFrame {
        if let asked { return asked }
        let stored = picture.stored.size
        let maskSize = [record.maskSize].first { $0 == picture.size || $0 == stored } ?? nil
        guard let size = maskSize ?? record.size, size != picture.size else { return .upright }
        guard size == stored else {
            // Shares of the sides are right at any size.
            if record.isRelative { return .upright }
            throw ImportFault(
                "the labels expect a picture of \(size) pixels, but the file has \(picture.size); label the current file, or "
                    + "restore the labelled one"
            )
        }
        let isUpright =
            !record.isRelative && regions.contains { $0.points.stray(outside: stored.width, stored.height) != nil }
        return isUpright ? .upright : .stored
    }
}
