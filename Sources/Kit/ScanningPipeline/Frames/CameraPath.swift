import Imaging
import ScanningPolicies

/// Path of a camera over the scene, by its frames.
///
/// A frame that shows nothing of the last ones begins another path; the one before continues if the next frames show
/// it again within ``SpineFollower/gap``, as after a refocus of the lens.
struct CameraPath: Sendable {
    private struct Step {
        var number: Int
        /// Number of the path that it probably continues; nil for none.
        var before: Int?
        var key: KeyFrame
        var corner: Point
        var time: Duration
    }

    /// The path before, and the current one last.
    private var steps: [Step] = []
    private var count = 0

    /// Advances to the next frame.
    ///
    /// - Parameters:
    ///   - image: the frame.
    ///   - time: of the frame; not before the last one.
    /// - Returns: the movement of the camera since the last frame, in shares of a frame's width; nil if the two do
    ///   not show the same things.
    mutating func advance(to image: RasterImage, at time: Duration) -> Double? {
        let frame = FrameMotion(image)
        for index in steps.indices.reversed() {
            var step = steps[index]
            let isWatched = time - step.time <= SpineFollower<Int>.gap
            guard isWatched || index == steps.count - 1, let corner = step.key.corner(of: frame) else { continue }
            let (x, y) = (corner.x - step.corner.x, corner.y - step.corner.y)
            (step.corner, step.time) = (corner, time)
            if !isWatched {
                // Spines look alike: similar views after a while may differ.
                count += 1
                (step.number, step.before) = (count, step.number)
            }
            steps.remove(at: index)
            steps = steps.suffix(1) + [step]
            return (x * x + y * y).squareRoot() / Double(image.width)
        }
        count += 1
        let key = KeyFrame(frame: frame)
        steps = steps.suffix(1) + [Step(number: count, key: key, corner: key.corner, time: time)]
        return nil
    }

    /// Returns the place of the text on the last frame.
    ///
    /// `centre`: in the aimed part of the frame; nil for its own.
    func place(of centre: Point?, aimed: RasterImage, in image: RasterImage) -> SpineFollower<PhotoScan>.Place {
        let (width, height) = (Double(aimed.width), Double(aimed.height))
        let corner = steps.last?.corner ?? Point(x: 0, y: 0)
        let centre = centre ?? Point(x: width / 2, y: height / 2)
        let x = (corner.x + Double(image.width - aimed.width) / 2 + centre.x) / width
        let y = (corner.y + Double(image.height - aimed.height) / 2 + centre.y) / height
        let isUpright = aimed.height >= aimed.width
        return SpineFollower.Place(
            path: steps.last?.number ?? 0,
            pathBefore: steps.last?.before,
            across: isUpright ? x : y,
            along: isUpright ? y : x
        )
    }
}

/// Frame by which the places of later ones are found.
struct KeyFrame: Sendable {
    private(set) var frame: FrameMotion
    /// Its upper left corner along the camera's path, in pixels.
    private(set) var corner = Point(x: 0, y: 0)

    /// Shares of a frame's width and height; a camera that moved by more has another key frame.
    static let reach = (width: 0.35, height: 0.2)

    init(frame: FrameMotion) { self.frame = frame }

    /// Returns the corner of a later frame along the camera's path; nil if the two do not show the same things.
    mutating func corner(of later: FrameMotion) -> Point? {
        guard let shift = frame.shift(to: later) else { return nil }
        let corner = Point(x: corner.x + shift.x, y: corner.y + shift.y)
        if abs(shift.x) > Self.reach.width * later.width || abs(shift.y) > Self.reach.height * later.height {
            (frame, self.corner) = (later, corner)
        }
        return corner
    }
}
