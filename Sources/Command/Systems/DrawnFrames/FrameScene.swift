import Imaging

/// A place that a camera pans over, with the outline of the spine in it.
struct FrameScene {
    var canvas: RasterImage
    var spine: Quad

    /// Returns whether three quarters of the spine's outline are in a frame at a place, by its left and upper side.
    func isInView(x: Double, y: Double, frame: FrameSize) -> Bool {
        let view = Quad(left: x, top: y, right: x + Double(frame.width), bottom: y + Double(frame.height))
        return spine.intersectionArea(with: view) >= 0.75 * spine.area
    }
}

struct FrameSize: Equatable {
    var width: Int
    var height: Int
}
