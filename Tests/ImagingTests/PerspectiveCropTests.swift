import Imaging
import Testing

struct PerspectiveCropTests {
    private let tilted = quad((10.25, 5.5), (50.5, 8), (48, 30.25), (8.75, 27))

    @Test(arguments: [1, 3])
    func aQuadOnPixelBordersIsCopied(channels: Int) throws {
        let image = ramps(channels: channels)
        let crop = try #require(image.cropped(to: Quad(x: 7, y: 4, width: 31, height: 20), width: 31, height: 20))
        #expect(crop == image.cropped(x: 7, y: 4, width: 31, height: 20))
    }

    @Test func theWholeImageIsCopiedToItsEdges() {
        #expect(ramps().cropped(to: Quad(x: 0, y: 0, width: 60, height: 40), width: 60, height: 40) == ramps())
    }

    /// Expected: cv2.warpPerspective 5.0, INTER_CUBIC, BORDER_REPLICATE, with corners and centres shifted by half a
    /// pixel.
    @Test(arguments: [
        (0, 0, [187, 147, 107]), (39, 0, [16, 56, 96]), (20, 11, [57, 17, 23]), (5, 18, [116, 76, 36]),
        (39, 21, [68, 108, 148]),
    ])
    func aTiltedQuadIsStraightenedAsByOpenCV(x: Int, y: Int, expected: [Int]) throws {
        let crop = try #require(ramps().cropped(to: tilted, width: 40, height: 22))
        #expect(crop.difference(x, y, expected) <= 1)
        let grey = try #require(ramps(channels: 1).cropped(to: tilted, width: 40, height: 22))
        #expect(grey.difference(x, y, Array(expected.prefix(1))) <= 1)
    }

    /// Expected: as above.
    @Test(arguments: [
        (0, 0, [255, 215, 175]), (6, 4, [255, 215, 175]), (25, 15, [127, 87, 47]), (0, 15, [222, 182, 142]),
    ])
    func outsideTheImageItsBorderIsRepeated(x: Int, y: Int, expected: [Int]) throws {
        let crop = try #require(ramps().cropped(to: Quad(x: -6, y: -4, width: 26, height: 16), width: 26, height: 16))
        #expect(crop.difference(x, y, expected) <= 1)
    }

    @Test func aQuadFarOutsideHasOneColour() throws {
        let far = Quad(x: 1e9, y: 1e9, width: 50, height: 20)
        let crop = try #require(ramps().cropped(to: far, width: 10, height: 4))
        let corner = ramps().pixel(59, 39)
        #expect(crop.difference(0, 0, corner) <= 1 && crop.difference(9, 3, corner) <= 1)
    }

    @Test(arguments: [
        Quad(x: -1e9, y: -1e9, width: 2e9, height: 2e9), Quad(x: -1e9, y: 3, width: 2e9, height: 4),
    ])
    func aHugeQuadIsCroppedInABoundedTime(huge: Quad) {
        #expect(ramps().cropped(to: huge, width: 8, height: 4) != nil)
    }

    @Test(arguments: [1.6, 2.0, 2.7, 4.0, 7.3], [1, 3])
    func fineDetailTurnsGreyWhenItShrinks(shrink: Double, channels: Int) throws {
        // A chessboard of single pixels, whose mean is 127.5. Sampled at single points, it would give black or white.
        let (width, height) = (120, 90)
        let pixels = (0..<width * height).flatMap { index in
            [UInt8](repeating: (index % width + index / width) % 2 == 0 ? 0 : 255, count: channels)
        }
        let board = RasterImage(width: width, height: height, channels: channels, pixels: pixels)
        let outline = quad((10.3, 10.4), (90.1, 14), (88, 62), (8.2, 58.3))
        let crop = try #require(board.cropped(to: outline, width: Int(80 / shrink), height: Int(48 / shrink)))
        let spread = crop.pixels.map { abs(Int($0) - 127) }.max() ?? 0
        // Bilinear points at 1.6 keep a little of it; a cubic point sample reaches 127.
        #expect(spread <= (shrink < 2 ? 64 : 24))
    }

    @Test func theOrderOfTheCornersMirrorsOrTurnsTheImage() {
        let image = ramps(width: 20, height: 10)
        let mirrored = quad((20, 0), (0, 0), (0, 10), (20, 10))
        #expect(image.cropped(to: mirrored, width: 20, height: 10) == image.mirrored())
        // Text that runs from top to bottom begins at the image's top right.
        let side = quad((20, 0), (20, 10), (0, 10), (0, 0))
        #expect(image.cropped(to: side, width: 10, height: 20) == image.rotated(.counterclockwise))
    }

    @Test(arguments: [1, 3])
    func aSinglePixelFillsTheCrop(channels: Int) throws {
        let dot = RasterImage(width: 1, height: 1, channels: channels, filledWith: 77)
        let crop = try #require(dot.cropped(to: Quad(x: 0, y: 0, width: 1, height: 1), width: 12, height: 5))
        #expect(crop == RasterImage(width: 12, height: 5, channels: channels, filledWith: 77))
    }
}
