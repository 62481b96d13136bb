import Imaging
import ScanningPolicies

/// Path of a camera over the scene, by its frames.
///
/// A frame that shows nothing of the last ones begins another path; the one before continues if the next frames show
/// it again within ``SpineFollower/gap``, as after a refocus of the lens.
struct CameraWay: Sendable {
    private struct Leg {
        var number: Int
        /// Number of the path that it probably continues; nil for none.
        var before: Int?
        /// The frame that places are found by, and its upper left corner along the way.
        var key: (frame: FrameMotion, corner: Point)
        var corner: Point
        var time: Duration
    }

    /// Legs of the path: the one before, and the current one last.
    private var legs: [Leg] = []
    private var count = 0

    /// The key frame is replaced when the camera moved by more than these shares of a frame.
    private static let reach = (width: 0.35, height: 0.2)

    /// Advances to the next frame.
    ///
    /// - Parameters:
    ///   - image: the frame.
    ///   - time: of the frame; not before the last one.
    /// - Returns: the movement of the camera since the last frame, in shares of a frame's width; nil if the two do
    ///   not show the same things.
    mutating func follow(_ image: RasterImage, at time: Duration) -> Double? {
        let frame = FrameMotion(image)
        let (width, height) = (Double(image.width), Double(image.height))
        let gap = SpineFollower<Int>.gap
        for index in legs.indices.reversed() {
            var leg = legs[index]
            let isWatched = time - leg.time <= gap
            guard isWatched || index == legs.count - 1, let shift = leg.key.frame.shift(to: frame) else { continue }
            let corner = Point(x: leg.key.corner.x + shift.x, y: leg.key.corner.y + shift.y)
            let (x, y) = (corner.x - leg.corner.x, corner.y - leg.corner.y)
            (leg.corner, leg.time) = (corner, time)
            if abs(shift.x) > Self.reach.width * width || abs(shift.y) > Self.reach.height * height {
                leg.key = (frame, corner)
            }
            if !isWatched {
                // Spines look alike: similar views after a while may differ.
                count += 1
                (leg.number, leg.before) = (count, leg.number)
            }
            legs.remove(at: index)
            legs = Array(legs.suffix(1)) + [leg]
            return (x * x + y * y).squareRoot() / width
        }
        count += 1
        let origin = Point(x: 0, y: 0)
        legs = Array(legs.suffix(1)) + [Leg(number: count, key: (frame, origin), corner: origin, time: time)]
        return nil
    }

    /// Returns the place of the text on the last frame.
    ///
    /// `centre`: in the aimed part of the frame; nil for its own.
    func place(of centre: Point?, aimed: RasterImage, in image: RasterImage) -> SpineFollower<PhotoScan>.Place {
        let (width, height) = (Double(aimed.width), Double(aimed.height))
        let corner = legs.last?.corner ?? Point(x: 0, y: 0)
        let centre = centre ?? Point(x: width / 2, y: height / 2)
        let x = (corner.x + Double(image.width - aimed.width) / 2 + centre.x) / width
        let y = (corner.y + Double(image.height - aimed.height) / 2 + centre.y) / height
        let isUpright = aimed.height >= aimed.width
        return SpineFollower.Place(
            way: legs.last?.number ?? 0,
            wayBefore: legs.last?.before,
            across: isUpright ? x : y,
            along: isUpright ? y : x
        )
    }
}
