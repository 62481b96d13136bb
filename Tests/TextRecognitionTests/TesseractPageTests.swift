import Imaging
import Testing

@testable import TesseractEngine

@Suite struct TesseractPageTests {
    @Test(arguments: [(7, 400), (400, 7), (1, 1)])
    func imageTooSmallForLettersIsNoPage(width: Int, height: Int) {
        #expect(TesseractPage(RasterImage(width: width, height: height, channels: 3)) == nil)
    }

    @Test func imageOfOneValueIsNoPage() {
        #expect(TesseractPage(RasterImage(width: 100, height: 48, channels: 3, filledWith: 90)) == nil)
    }

    @Test func smallImageStaysAsItIs() throws {
        let page = try #require(TesseractPage(spotted(width: 8, height: 90)))
        #expect(page.image == spotted(width: 8, height: 90))
        #expect(page.scaleX == 1 && page.scaleY == 1)
    }

    @Test func largeImageIsShrunkToTheLargestArea() throws {
        // 6000 × 6000 is nine times 4 megapixels, so a third of each side.
        let page = try #require(TesseractPage(spotted(width: 6000, height: 6000)))
        #expect(page.image.width == 2000 && page.image.height == 2000)
    }

    @Test func longImageIsShrunkToTheLongestSide() throws {
        // 64,000 × 20: half of each side.
        let page = try #require(TesseractPage(spotted(width: 64_000, height: 20)))
        #expect(page.image.width == 32_000 && page.image.height == 10)
    }

    /// Returns a black image with one white pixel.
    private func spotted(width: Int, height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height, channels: 1)
        image.pixels[0] = .max
        return image
    }
}
