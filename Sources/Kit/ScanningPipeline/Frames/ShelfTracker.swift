import Imaging
import ScanningPolicies
import TextRecognition

/// Memory of a camera that moves along shelves: the positions of spines, and the extent of the view that was read.
///
/// The frames themselves determine the camera's path. Only newly visible parts are read; a spine is the same one if
/// it has the same position, and after a lost path, if it has the same text.
struct ShelfTracker: Sendable {
    /// Spines that were read, and those among them that were known.
    private(set) var counts = (read: 0, known: 0)

    private struct Known {
        /// Outline along the camera's path; nil since that was lost.
        var outline: Quad?
        var text: String
        var time: Duration
    }

    private var spines: [Known] = []
    /// Areas that were read: extents along the camera's path, including the height of the frame.
    private var looked: [(left: Double, right: Double, top: Double)] = []
    /// Reference frame of positions.
    private var key: KeyFrame?
    /// Corner of the last frame, and of the last frame that was read.
    private var last: Point?
    private var lastRead: Point?
    private var corner = Point(x: 0, y: 0)

    /// Shares of a frame's width: the least way from one reading to the next, while the camera moves and when it rests.
    private static let leastWay = (moving: 0.5, resting: 0.05)
    /// A camera rests that moves less than this share of a frame's width from frame to frame.
    private static let rest = 0.01
    /// Share of a frame's width: overlap that is read again beside a new part, and the distance from the frame's side
    /// at which a spine is cut.
    private static let margin = 0.015
    /// Minimum shared area of outlines of one spine, as a share of the smaller one's.
    private static let sameShare = 0.5
    /// Minimum similarity of text for two spines to be the same.
    private static let sameText = 0.8
    /// Maximum number of spines; beyond it the oldest are removed.
    private static let mostSpines = 2_000

    /// Returns the columns of a frame where there may be something new; nil for none.
    mutating func columns(toReadOf image: RasterImage) -> Range<Int>? {
        let (width, height) = (Double(image.width), Double(image.height))
        let frame = FrameMotion(image)
        if let corner = key?.corner(of: frame) {
            self.corner = corner
        } else {
            // Somewhere else, as far as can be seen.
            forgetPlaces()
            key = KeyFrame(frame: frame)
        }
        defer { last = corner }
        if let lastRead {
            let way = abs(corner.x - lastRead.x)
            let isResting = last.map { abs(corner.x - $0.x) < Self.rest * width } ?? false
            let least = isResting ? Self.leastWay.resting : Self.leastWay.moving
            guard way >= least * width || abs(corner.y - lastRead.y) >= KeyFrame.reach.height * height else {
                return nil
            }
        }
        let new = uncovered(width: width, height: height)
        guard let left = new.map(\.left).min(), let right = new.map(\.right).max() else { return nil }
        lastRead = corner
        let margin = Self.margin * width
        return max(0, Int(left - margin))..<min(image.width, Int(right + margin))
    }

    /// Extents of a frame at the camera's place that were not read, in the frame's columns.
    private func uncovered(width: Double, height: Double) -> [(left: Double, right: Double)] {
        var rest = [(left: 0.0, right: width)]
        for extent in looked where abs(extent.top - corner.y) < KeyFrame.reach.height * height {
            let (left, right) = (extent.left - corner.x, extent.right - corner.x)
            rest = rest.flatMap { [($0.left, min($0.right, left)), (max($0.left, right), $0.right)] }
            rest.removeAll { $0.right - $0.left < Self.margin * width }
        }
        return rest
    }

    /// Returns the new spines among those read of a frame's columns; all are stored.
    ///
    /// `found`: in the frame's pixels. `width`: of the frame, in pixels. `time`: of the frame. `isSure`: whether a
    /// spine that the frame's side may cut is named for certain.
    mutating func take(
        _ found: [ShelfSpine],
        from columns: Range<Int>,
        width: Int,
        at time: Duration,
        isSure: (ShelfSpine) throws -> Bool
    ) rethrows -> [ShelfSpine] {
        let margin = Self.margin * Double(width)
        var new: [ShelfSpine] = []
        var whole: [Quad] = []
        for spine in found {
            let outline = spine.outline.mapped { Point(x: $0.x + corner.x, y: $0.y + corner.y) }
            let (left, right) = (spine.outline.left, spine.outline.right)
            let isCut = left < margin || right > Double(width) - margin
            if !isCut { whole.append(spine.outline) }
            counts.read += 1
            if let known = spines.lastIndex(where: { $0.outline.map { Self.isSamePlace($0, outline) } ?? false })
                ?? index(ofText: spine.text, at: time)
            {
                counts.known += 1
                spines[known].outline = outline
                spines[known].time = time
            } else if try !isCut || isSure(spine) {
                spines.append(Known(outline: outline, text: spine.text, time: time))
                new.append(spine)
            }
        }
        if let left = whole.map(\.left).min(), let right = whole.map(\.right).max() {
            // A spine at the frame's own side may be seen whole later on; the other side was read before.
            let from = columns.lowerBound == 0 ? left : Double(columns.lowerBound)
            let to = columns.upperBound == width ? right : Double(columns.upperBound)
            looked.append((from + corner.x, to + corner.x, corner.y))
        }
        if spines.count > Self.mostSpines { spines.removeFirst(spines.count - Self.mostSpines) }
        if looked.count > Self.mostSpines { looked.removeFirst(looked.count - Self.mostSpines) }
        return new
    }

    /// Returns the index of the spine with the same text from before the path was lost.
    private func index(ofText text: String, at time: Duration) -> Int? {
        spines.firstIndex {
            $0.outline == nil && time - $0.time <= SpineFollower<String>.span
                && TitleSimilarity.of(text, in: [$0.text]) > Self.sameText
        }
    }

    private mutating func forgetPlaces() {
        for index in spines.indices { spines[index].outline = nil }
        looked = []
        lastRead = nil
        corner = Point(x: 0, y: 0)
    }

    private static func isSamePlace(_ one: Quad, _ other: Quad) -> Bool {
        one.intersectionArea(with: other) > sameShare * min(one.area, other.area)
    }
}

extension ShelfSpine {
    fileprivate var text: String { reading.lines.map(\.text).joined(separator: " ") }
}

extension Quad {
    fileprivate var left: Double { corners.map(\.x).min() ?? 0 }
    fileprivate var right: Double { corners.map(\.x).max() ?? 0 }
}
