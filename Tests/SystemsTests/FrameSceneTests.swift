import Imaging
import Testing

@testable import Systems

@Suite struct FrameSceneTests {
    /// A spine of 100 × 400 from x = 500 on, in frames of 200 × 400.
    @Test(arguments: [
        (0.0, false), (300, false), (301, false), (374, false), (375, true), (450, true), (525, true), (526, false),
        (600, false),
    ])
    func aFrameHasASpineFromThreeQuartersOfItOn(x: Double, isInView: Bool) {
        let spine = Quad(left: 500, top: 0, right: 600, bottom: 400)
        let scene = FrameScene(canvas: RasterImage(width: 1_000, height: 400, channels: 1), spine: spine)
        #expect(scene.isInView(x: x, y: 0, frame: FrameSize(width: 200, height: 400)) == isInView)
    }

    /// Rhombus with its corners at 10 on the axes: a quarter of its area is in each quadrant, and half in each half.
    @Test(arguments: [(0.0, 0.0, false), (-10, 0, false), (-10, -10, true), (-10, -5, true)])
    func aLeaningOutline(x: Double, y: Double, isInView: Bool) {
        let rhombus = Quad(
            topLeft: Point(x: 0, y: -10),
            topRight: Point(x: 10, y: 0),
            bottomRight: Point(x: 0, y: 10),
            bottomLeft: Point(x: -10, y: 0)
        )
        let scene = FrameScene(canvas: RasterImage(width: 20, height: 20, channels: 1), spine: rhombus)
        #expect(scene.isInView(x: x, y: y, frame: FrameSize(width: 20, height: 20)) == isInView)
    }
}
