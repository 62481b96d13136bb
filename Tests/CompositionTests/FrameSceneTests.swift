import Harness
import Imaging
import Testing

@testable import Composition

@Suite struct FrameSceneTests {
    private static func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Quad {
        Quad(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }

    /// A square of ten: whole, half of it, a corner of 3 × 4, and nothing.
    @Test(arguments: [
        (0.0...20.0, 0.0...20.0, 1.0), (5.0...20.0, 0.0...20.0, 0.5), (7.0...20.0, 6.0...20.0, 0.12),
        (10.0...20.0, 0.0...20.0, 0.0),
    ])
    func theShareOfASquareInABox(x: ClosedRange<Double>, y: ClosedRange<Double>, share: Double) {
        #expect(abs(Self.box(0, 0, 10, 10).share(inX: x, y: y) - share) < 1e-12)
    }

    /// Rhombus with its corners at 10 on the axes: a quarter of its area of 200 is in each quadrant.
    @Test func theShareOfALeaningOutline() {
        let rhombus = Quad(
            topLeft: Point(x: 0, y: -10),
            topRight: Point(x: 10, y: 0),
            bottomRight: Point(x: 0, y: 10),
            bottomLeft: Point(x: -10, y: 0)
        )
        #expect(abs(rhombus.share(inX: 0...20, y: 0...20) - 0.25) < 1e-12)
        #expect(rhombus.share(inX: 11...20, y: -5...5) == 0)
    }

    @Test func anOutlineWithoutAreaHasNoShare() {
        #expect(Self.box(3, 0, 3, 10).share(inX: 0...10, y: 0...10) == 0)
    }

    /// A spine of 100 × 400 from x = 500 on, in frames of 200 × 400.
    @Test(arguments: [
        (0.0, FrameScene.Truth.none), (300, .none), (301, .part), (374, .part), (375, .spine), (450, .spine),
        (525, .spine), (526, .part), (600, .none),
    ])
    func aFrameHasASpineFromThreeQuartersOfItOn(x: Double, truth: FrameScene.Truth) {
        let canvas = RasterImage(width: 1_000, height: 400, channels: 1)
        let scene = FrameScene(canvas: canvas, spines: [Self.box(500, 0, 600, 400)], isComplete: true)
        #expect(scene.truth(x: x, y: 0, frame: FrameSize(width: 200, height: 400)) == truth)
    }

    @Test func withoutALabelledSpineAPhotographOfSomeLabelsSaysNothing() {
        let canvas = RasterImage(width: 1_000, height: 400, channels: 1)
        let scene = FrameScene(canvas: canvas, spines: [Self.box(500, 0, 600, 400)], isComplete: false)
        let frame = FrameSize(width: 200, height: 400)
        #expect(scene.truth(x: 0, y: 0, frame: frame) == .unknown)
        #expect(scene.truth(x: 450, y: 0, frame: frame) == .spine)
    }
}
