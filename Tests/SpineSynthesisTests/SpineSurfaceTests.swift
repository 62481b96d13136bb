import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Spine surface")
struct SpineSurfaceTests {
    private func surface(_ change: (inout CameraSpecification) -> Void) -> SpineSurface {
        SpineSurface(bounds: Bounds(left: 10, top: 5, right: 50, bottom: 105), camera: Cameras.still(change))
    }

    private func lit(_ surface: SpineSurface) -> Picture {
        var picture = Picture(Cameras.flat(width: 60, height: 110) { _, _ in 188 })
        surface.light(&picture)
        return picture
    }

    @Test("a round spine gets light by the cosine of its turn, and never none")
    func shade() {
        let front = surface { $0.curvature = 60 }
        #expect(front.shade(0.5) == 1)
        #expect(abs(front.shade(0) - 0.5) < 1e-9 && abs(front.shade(1) - 0.5) < 1e-9)
        let side = surface { ($0.curvature, $0.lampAngle) = (60, 30) }
        // cos 90° / cos 30° is nothing, but rooms have light; cos 30° / cos 30°.
        #expect(side.shade(0) == 0.15)
        #expect(abs(side.shade(1) - 1) < 1e-9)
    }

    @Test("a neighbour's shadow is full for half of its reach, then fades")
    func shadow() {
        let left = surface { ($0.shadow, $0.shadowReach) = (0.5, 0.4) }
        #expect(abs(left.sideShadow(0.1) - 0.5) < 1e-9)
        #expect(abs(left.sideShadow(0.3) - 0.75) < 1e-9)
        #expect(left.sideShadow(0.5) == 1)
        let right = surface { ($0.shadow, $0.shadowReach, $0.shadowSide) = (0.5, 0.4, .right) }
        #expect(right.sideShadow(0.1) == 1 && abs(right.sideShadow(0.9) - 0.5) < 1e-9)
    }

    @Test("light changes the spine and nothing beside it")
    func place() {
        let before = Picture(Cameras.flat(width: 60, height: 110) { _, _ in 188 })
        let after = lit(surface { ($0.shadow, $0.shadowReach, $0.boardShadow, $0.glare) = (0.5, 1, 0.5, 1) })
        for y in 0..<110 {
            for x in 0..<60 where !(10..<50).contains(x) || !(5..<105).contains(y) {
                #expect(after.pixels[y * 60 + x] == before.pixels[y * 60 + x])
            }
        }
        // The head is in the board's shadow and at the side in the neighbour's: a quarter of the light is left.
        #expect(abs(after.pixels[6 * 60 + 11].x - before.pixels[0].x / 4) < 0.01)
    }

    @Test("a reflection adds its light where it lies, and slants as far as its angle says")
    func glare() {
        let straight = lit(surface { ($0.glare, $0.glareLength, $0.glareSoftness) = (0.7, 0.2, 0) })
        let base = straight.pixels[0].x
        // The middle fifth of 100 rows from row 5 on.
        #expect(abs(straight.pixels[55 * 60 + 30].x - base - 0.7) < 1e-5)
        #expect(straight.pixels[44 * 60 + 30].x == base && straight.pixels[66 * 60 + 30].x == base)
        let slanting = lit(
            surface { ($0.glare, $0.glareLength, $0.glareSoftness, $0.glareSlant) = (0.7, 0.2, 0, 45) }
        )
        // The strip moves at 45° by the width, 40 rows, from edge to edge.
        #expect(slanting.pixels[73 * 60 + 11].x > base + 0.6)
        #expect(slanting.pixels[36 * 60 + 48].x > base + 0.6)
        #expect(slanting.pixels[55 * 60 + 11].x == base)
    }

    @Test("a round spine mirrors a lamp in a streak")
    func streak() {
        let picture = lit(surface { ($0.glare, $0.glareLength, $0.curvature) = (1, 1, 60) })
        let row = 55 * 60
        #expect(picture.pixels[row + 30].x > 1)
        #expect(picture.pixels[row + 12].x < 0.4)
    }
}
