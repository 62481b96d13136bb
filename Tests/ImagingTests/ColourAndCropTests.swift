import Imaging
import Testing

struct ColourTests {
    /// Expected: Pillow 13.0, convert("L").
    @Test(arguments: [(0, 0, 222), (30, 20, 20), (59, 39, 190), (7, 33, 88)])
    func lumaIsRec601(x: Int, y: Int, expected: Int) {
        #expect(ramps().luma().pixel(x, y) == [expected])
    }

    @Test
    func lumaKeepsBlackWhiteAndGrey() {
        let image = RasterImage(width: 3, height: 1, channels: 3, pixels: [0, 0, 0, 255, 255, 255, 90, 90, 90])
        #expect(image.luma().pixels == [0, 255, 90])
        #expect(image.luma().luma() == image.luma())
    }

    @Test
    func greyBecomesThreeEqualChannels() {
        let grey = RasterImage(width: 2, height: 1, channels: 1, pixels: [7, 200])
        #expect(grey.rgb().pixels == [7, 7, 7, 200, 200, 200])
        #expect(grey.rgb().rgb() == grey.rgb())
    }
}

struct CropTests {
    private let image = RasterImage(width: 3, height: 2, channels: 1, pixels: [1, 2, 3, 4, 5, 6])

    @Test(arguments: [
        // Inside; over the right and lower edge; over the left and upper edge; all of it and more.
        (1, 0, 2, 1, [2, 3]), (2, 1, 9, 9, [6]), (-1, -1, 2, 2, [1]), (-5, -5, 50, 50, [1, 2, 3, 4, 5, 6]),
    ])
    func onlyWhatLiesInTheImageIsCropped(x: Int, y: Int, width: Int, height: Int, expected: [UInt8]) {
        #expect(image.cropped(x: x, y: y, width: width, height: height)?.pixels == expected)
    }

    @Test(arguments: [(3, 0, 2, 2), (0, 2, 2, 2), (-4, 0, 4, 2), (0, 0, 0, 2), (1, 1, -3, 1)])
    func nothingInsideIsNoImage(x: Int, y: Int, width: Int, height: Int) {
        #expect(image.cropped(x: x, y: y, width: width, height: height) == nil)
    }
}
