import Raster
import TestSupport
import Testing

@testable import Realism

@Suite struct GroundClutterTests {
    private func box(_ x: Double, _ y: Double, _ right: Double, _ bottom: Double) -> Quad {
        Quad(
            topLeft: Point(x: x, y: y),
            topRight: Point(x: right, y: y),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: x, y: bottom)
        )
    }

    @Test func anEvenGroundHasNone() {
        #expect(GroundClutter.share(of: TestImage.grey(30, 90) { _, _ in 80 }, text: []) == 0)
    }

    @Test func stripesAreEdgesOnBothSides() throws {
        // Stripes of 4 rows: the two rows beside each border slope, the two in their middle do not.
        let image = TestImage.grey(30, 82) { _, y in (y + 3) / 4 % 2 == 0 ? 60 : 200 }
        #expect(isNear(GroundClutter.share(of: image, text: []), 0.5, within: 1e-9))
    }

    // By hand: a slope of s steps a pixel gives 8 s.
    @Test(arguments: [(11, 0.0), (12, 1.0)])
    func anEdgeIsTwelveStepsAPixel(slope: Int, expected: Double) {
        let image = TestImage.grey(20, 40) { x, _ in 10 + slope * x }
        #expect(GroundClutter.share(of: image, text: []) == expected)
    }

    @Test func letteringIsLeftOut() {
        let image = TestImage.grey(30, 90) { x, y in (20..<50).contains(y) && x % 2 == 0 ? 220 : 60 }
        #expect(GroundClutter.share(of: image, text: [box(0, 20, 30, 50)]) == 0)
        #expect(GroundClutter.share(of: image, text: [box(0, 0, 30, 90)]) == nil)
    }

    @Test func largePicturesAreComparedAtTheSameSize() throws {
        // The same cover at 64 and at 256 pixels.
        func cover(_ scale: Int) -> RasterImage {
            TestImage.grey(64 * scale, 200 * scale) { _, y in y / (8 * scale) % 2 == 0 ? 60 : 200 }
        }
        let (small, large) = (GroundClutter.share(of: cover(1), text: []), GroundClutter.share(of: cover(4), text: []))
        let reference = try #require(small)
        #expect(reference > 0)
        #expect(isNear(large, reference, within: 1e-9))
        let text = [box(0, 0, 64 * 4, 100 * 4)]
        let without = [box(0, 0, 64, 100)]
        #expect(GroundClutter.share(of: cover(4), text: text) == GroundClutter.share(of: cover(1), text: without))
    }

    @Test func aSliverTellsNothing() {
        #expect(GroundClutter.share(of: TestImage.grey(2, 300) { x, _ in 200 * x }, text: []) == nil)
        #expect(GroundClutter.share(of: TestImage.grey(1, 1) { _, _ in 90 }, text: []) == nil)
    }
}
