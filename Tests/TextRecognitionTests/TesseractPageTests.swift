import Imaging
import Testing

@testable import TesseractEngine

@Suite struct TesseractPageTests {
    /// Sides of an image, and of its page; an image too small for letters has none.
    @Test(
        arguments: [
            (7, 400, nil), (400, 7, nil), (1, 1, nil), (8, 90, [8, 90]),
            // Nine times 4 megapixels, so a third of each side; twice the longest side, so half of each.
            (6000, 6000, [2000, 2000]), (64_000, 20, [32_000, 10]),
        ] as [(Int, Int, [Int]?)]
    )
    func largeImageIsShrunk(width: Int, height: Int, sides: [Int]?) {
        // Black, with one white pixel: an image of one value is no page.
        var spotted = RasterImage(width: width, height: height, channels: 1)
        #expect(TesseractPage(spotted) == nil)
        spotted.pixels[0] = .max
        let page = TesseractPage(spotted)
        #expect(page.map { [$0.image.width, $0.image.height] } == sides)
        if sides == [width, height] {
            #expect(page?.image == spotted)
            #expect(page?.scaleX == 1 && page?.scaleY == 1)
        }
    }
}
