import Foundation
import Imaging
import SpineDatasets

/// Spines of one picture with their places in its upright pixels: one, or those of a shelf from left to right.
struct PlacedLabels {
    struct Spine: Sendable {
        var stated = StatedLabels()
        var outline: LabelRecord.Region?
        /// Lines in the order of the file; nil when the format has none.
        var lines: [LabelRecord.Region]?
    }

    private(set) var spines: [Spine]
    let isShelf: Bool
    private(set) var notes: [ImportNote: Int] = [:]

    /// - Throws: ``ImportFault`` for shapes without area or outside the picture, and for labels of a picture of another size.
    init(_ record: LabelRecord, on picture: ImageHeader, asked: CoordinateFrame?) throws(ImportFault) {
        isShelf = record.spines.count > 1
        let regions = record.spines + (record.lines ?? [])
        let frame = try CoordinateFrame.used(by: regions, of: record, picture, asked: asked)
        let isTurned = frame == .stored && picture.orientation > 1 && !regions.isEmpty
        if isTurned { notes[.coordinatesTurned] = 1 }
        notes[.polygonBoxed] = regions.count { $0.points.count != 4 }
        var faults: [String] = []
        func placed(_ region: LabelRecord.Region) -> LabelRecord.Region? {
            let sides = !record.isRelative ? nil : isTurned ? picture.storedSize : picture.size
            let placed = region.placed(inSharesOf: sides, turned: isTurned ? picture : nil)
            if placed == nil { faults.append("\(region.name ?? region.title): the corners have no area") }
            return placed
        }
        let lines = record.lines?.compactMap(placed)
        spines = record.spines.map { region in
            var spine = Spine(stated: region.stated, outline: placed(region))
            spine.stated[.transcription] = spine.stated[.transcription] ?? region.text
            return spine
        }
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
        if isShelf {
            arrange(lines ?? [])
        } else {
            var spine = spines.first ?? Spine()
            spine.stated.fill(from: record.stated)
            spine.lines = lines
            spines = [spine]
        }
        // A line of no spine of a shelf is left out, wherever it is.
        for region in spines.flatMap({ [$0.outline].compactMap(\.self) + ($0.lines ?? []) })
        where region.points.stray(outside: picture.size.width, picture.size.height) != nil {
            faults.append("\(region.title) is outside the picture of \(picture.size) pixels")
        }
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }

    /// Sorts spines from left to right, and gives each the lines whose centres it contains; of several, the smallest.
    private mutating func arrange(_ lines: [LabelRecord.Region]) {
        spines.sort { ($0.outline?.corners.centre.x ?? 0) < ($1.outline?.corners.centre.x ?? 0) }
        for index in spines.indices { spines[index].lines = [] }
        func area(_ index: Int) -> Double { spines[index].outline?.corners.area ?? 0 }
        for line in lines {
            let centre = line.corners.centre
            let owners = spines.indices.filter { spines[$0].outline?.corners.contains(centre) == true }
            if let owner = owners.min(by: { area($0) < area($1) }) {
                spines[owner].lines?.append(line)
            } else {
                notes[.strayLine, default: 0] += 1
            }
        }
    }
}

extension LabelRecord.Region {
    /// Returns the region with its corners in the upright picture; nil without area.
    ///
    /// `size`: Of the picture that points are shares of; nil for pixels. `picture`: The one whose stored pixels they are in.
    fileprivate func placed(inSharesOf size: PixelSize?, turned picture: ImageHeader?) -> Self? {
        var (placed, points) = (self, points)
        if let size { points = points.map { Point(x: $0.x * Double(size.width), y: $0.y * Double(size.height)) } }
        guard var corners = Quad(around: points) else { return nil }
        placed.isOrdered = isOrdered && corners.corners == points
        if let turn {
            corners = corners.begun(for: SampleOrientation(nearest: turn))
            placed.isOrdered = true
        }
        // Shares of a picture's sides give hundredths of a pixel, not more.
        func hundredth(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        if size != nil { corners = corners.mapped { Point(x: hundredth($0.x), y: hundredth($0.y)) } }
        if let picture { corners = corners.mapped(picture.upright) }
        placed.points = corners.corners
        // Corners are clockwise in a mirrored picture, too.
        guard placed.points.signedArea < 0 else { return placed }
        placed.points = [1, 0, 3, 2].map { placed.points[$0] }
        placed.isOrdered = false
        return placed
    }
}

extension Quad {
    /// Creates the quad of points: four are its corners in their order, more are enclosed by the smallest rectangle.
    ///
    /// Nil for fewer than three points, and for points on one line.
    init?(around points: [Point]) {
        let isQuad = points.count == 4 && convexHull(points).count == 4
        // The other way round it would be the text in a mirror.
        let orders = isQuad ? [points, [0, 3, 2, 1].map { points[$0] }].filter { $0.signedArea > 0 } : []
        guard let quad = orders.first.map({ Quad(corners: $0) }) ?? RotatedRectangle(around: points)?.quad else {
            return nil
        }
        self = quad
    }

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
}

/// Pixels that a file's coordinates refer to, for pictures that are stored turned.
package enum CoordinateFrame: String, Sendable, CaseIterable {
    /// Upright picture, rotated by its EXIF orientation.
    case upright
    /// The picture as its pixels are stored.
    case stored

    /// Decides which pixels points refer to.
    ///
    /// Annotation tools in browsers, OpenCV and with it PaddleOCR rotate pictures by EXIF; programs with Pillow do not.
    /// The size in the labels reveals which it was. Label Studio's COCO export has the stored size with upright
    /// coordinates: some are outside the picture. The size of a mask is that of the pixels that it was made of.
    fileprivate static func used(
        by regions: [LabelRecord.Region],
        of record: LabelRecord,
        _ picture: ImageHeader,
        asked: CoordinateFrame?
    ) throws(ImportFault) -> CoordinateFrame {
        if let asked { return asked }
        let stored = picture.storedSize
        let maskSize = [record.maskSize].first { $0 == picture.size || $0 == stored } ?? nil
        guard !regions.isEmpty, let size = maskSize ?? record.size, size != picture.size else { return .upright }
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
