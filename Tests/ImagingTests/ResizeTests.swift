import Imaging
import Testing

struct ResizeTests {
    @Test
    func shrinkingAveragesAreas() {
        // Computed by hand: (10 + 20 + 30 + 40) / 4 and (50 + 60 + 70 + 81) / 4 = 65.25.
        let image = RasterImage(width: 4, height: 2, channels: 1, pixels: [10, 20, 50, 60, 30, 40, 70, 81])
        #expect(image.resized(width: 2, height: 1).pixels == [25, 65])
    }

    @Test
    func aPixelThatIsCutCountsForItsShare() {
        // Three to two, by hand: (0 + 90 / 2) / 1.5 = 30, (90 / 2 + 240) / 1.5 = 190.
        let image = RasterImage(width: 3, height: 1, channels: 1, pixels: [0, 90, 240])
        #expect(image.resized(width: 2, height: 1).pixels == [30, 190])
    }

    /// Expected: cv2.resize 5.0, INTER_AREA.
    @Test(arguments: [
        (0, 0, [244, 204, 164]), (8, 5, [49, 9, 31]), (16, 10, [146, 186, 226]), (3, 9, [94, 54, 14]),
    ])
    func shrinkingAgreesWithOpenCV(x: Int, y: Int, expected: [Int]) {
        #expect(ramps().resized(width: 17, height: 11).difference(x, y, expected) <= 1)
    }

    /// Expected: cv2.resize 5.0, INTER_CUBIC.
    @Test(arguments: [
        (0, 0, [255, 216, 176]), (45, 35, [47, 7, 33]), (89, 69, [158, 198, 238]), (13, 60, [110, 70, 30]),
    ])
    func enlargingAgreesWithOpenCV(x: Int, y: Int, expected: [Int]) {
        #expect(ramps().resized(width: 90, height: 70).difference(x, y, expected) <= 1)
    }

    @Test
    func anAxisThatStaysIsLeftAlone() {
        // Only the columns are averaged.
        let image = RasterImage(width: 2, height: 3, channels: 1, pixels: [0, 10, 100, 110, 200, 210])
        #expect(image.resized(width: 1, height: 3).pixels == [5, 105, 205])
        #expect(image.resized(width: 2, height: 3) == image)
    }

    @Test(
        arguments: [(1, 1), (1, 50), (50, 1), (3, 200), (200, 3), (61, 41), (31, 17)],
        [(60, 40), (1, 1), (2, 2), (3, 3), (4, 4)]
    )
    func oneColourStaysOneColour(to: (width: Int, height: Int), from: (width: Int, height: Int)) {
        func flat(_ size: (width: Int, height: Int)) -> RasterImage {
            RasterImage(width: size.width, height: size.height, channels: 3, filledWith: 201)
        }
        #expect(flat(from).resized(width: to.width, height: to.height) == flat(to))
    }
}
