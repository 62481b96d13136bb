import Imaging
import SpineDatasets
import Testing

/// Expected values are computed by hand.
@Suite struct PictureTraitsTests {
    private func traits(_ width: Int, _ height: Int, _ value: (Int, Int) -> Int) -> PictureTraits {
        let pixels = (0..<width * height).map { UInt8(value($0 % width, $0 / width)) }
        return PictureTraits(RasterImage(width: width, height: height, channels: 1, pixels: pixels))
    }

    @Test func anEvenPictureHasNone() {
        let traits = traits(20, 90) { _, _ in 130 }
        #expect(traits.shortSide == 20 && traits.contrast == 0 && traits.sharpness == 0)
    }

    /// Every inner pixel's Laplacian is ±4 · 100, half of them each.
    @Test func aChessboardIsAsSharpAsCanBe() {
        let traits = traits(34, 18) { x, y in (x + y) % 2 == 0 ? 50 : 150 }
        #expect(traits.contrast == 100)
        #expect(traits.sharpness == 160_000)
    }

    @Test func aRampIsNotSharp() {
        #expect(traits(60, 12) { x, _ in x * 4 }.sharpness == 0)
    }

    /// Of nine squares of 8 pixels, two have letters.
    @Test func contrastIsThatOfSquaresWithText() {
        func picture(_ rows: Int) -> PictureTraits {
            traits(24, 24) { x, y in x >= 8 && x < 16 && y < rows && x % 2 == 0 ? 20 : 220 }
        }
        #expect(picture(16).contrast == 0)
        #expect(picture(24).contrast == 200)
    }

    @Test(arguments: [(1, 1), (2, 50), (3, 2)]) func tinyPicturesHaveValues(width: Int, height: Int) {
        let traits = traits(width, height) { x, y in (x + y) % 2 * 90 }
        #expect(traits.shortSide == min(width, height) && traits.sharpness == 0)
    }
}
