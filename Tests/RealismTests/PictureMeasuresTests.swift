import Raster
import TestSupport
import Testing

@testable import Realism

@Suite struct PictureMeasuresTests {
    private func area(_ image: RasterImage) -> VisibleArea { VisibleArea(of: image.luma(), margin: 0) }

    @Test func brightnessLeavesPaintOut() {
        let image = TestImage.grey(10, 10) { x, _ in x < 5 ? 0 : x < 9 ? 100 : 200 }
        #expect(PictureMeasures.brightness(of: image, in: area(image)) == 120)
        let black = TestImage.grey(10, 10) { _, _ in 0 }
        #expect(PictureMeasures.brightness(of: black, in: area(black)) == nil)
    }

    @Test func colourfulnessIsHaslersAndSuesstrunks() throws {
        // NumPy 2.4.6, with the formula of the paper, over r = (5x + y) % 256, g = (x + 7y) % 256, b = xy % 256.
        let image = TestImage.colour(40, 30) { x, y in [(x * 5 + y) % 256, (x + y * 7) % 256, x * y % 256] }
        let whole = VisibleArea(of: TestImage.grey(40, 30) { _, _ in 90 }, margin: 0)
        #expect(isNear(PictureMeasures.colourfulness(of: image, in: whole), 103.97970591164031, within: 1e-9))
    }

    @Test func greyHasNoColour() {
        let grey = TestImage.wild
        let whole = VisibleArea(of: TestImage.grey(40, 30) { _, _ in 90 }, margin: 0)
        #expect(PictureMeasures.colourfulness(of: grey, in: whole) == 0)
        #expect(PictureMeasures.colourfulness(of: grey.rgb(), in: whole) == 0)
        let black = TestImage.grey(4, 4) { _, _ in 0 }
        #expect(PictureMeasures.colourfulness(of: black, in: area(black)) == nil)
        #expect(PictureMeasures.colourfulness(of: black.rgb(), in: area(black)) == nil)
    }

    @Test func oneColourHasOnlyItsMean() throws {
        // By hand: red − green = 100, (red + green)/2 − blue = 50; no deviation; 0.3 √(100² + 50²).
        let image = TestImage.colour(5, 5) { _, _ in [200, 100, 100] }
        #expect(isNear(PictureMeasures.colourfulness(of: image, in: area(image)), 33.541, within: 0.001))
    }

    @Test(arguments: [true, false])
    func unevennessIsAlongTheLongSide(isTall: Bool) {
        // Bands of 40, 50, … 110, and lines of text across them that are much lighter.
        func value(along: Int, across: Int) -> Int { across < 3 ? 250 : 40 + 10 * (along / 10) }
        let image =
            isTall
            ? TestImage.grey(12, 80) { value(along: $1, across: $0) }
            : TestImage.grey(80, 12) { value(along: $0, across: $1) }
        let (width, height) = isTall ? (3.0, 80.0) : (80.0, 3.0)
        let text = Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: width, y: 0),
            bottomRight: Point(x: width, y: height),
            bottomLeft: Point(x: 0, y: height)
        )
        #expect(PictureMeasures.unevenness(of: image, ground: area(image).without(text, margin: 0)) == 70)
    }

    @Test func tooLittleGroundTellsNothingOfLight() {
        let image = TestImage.grey(3, 30) { _, _ in 90 }
        #expect(PictureMeasures.unevenness(of: image, ground: area(image)) == nil)
    }

    @Test func blockinessComparesStepsOnTheGridWithOthers() throws {
        // NumPy 2.4.6: mean of |diff| at multiples of 8 over the mean elsewhere, both axes.
        #expect(isNear(PictureMeasures.blockiness(of: TestImage.wild), 1.0097500335976348, within: 1e-12))
        #expect(isNear(PictureMeasures.blockiness(of: TestImage.divided), 0.8390989063242985, within: 1e-12))
    }

    @Test func withoutStepsThereIsNothingToCompare() {
        #expect(PictureMeasures.blockiness(of: TestImage.grey(40, 40) { _, _ in 5 }) == nil)
        #expect(PictureMeasures.blockiness(of: TestImage.grey(8, 8) { x, _ in x }) == nil)
    }
}
