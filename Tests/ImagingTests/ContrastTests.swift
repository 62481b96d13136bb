import Imaging
import Testing

@Suite struct ContrastTests {
    private func row(_ values: [UInt8]) -> RasterImage {
        RasterImage(width: values.count, height: 1, channels: 1, pixels: values)
    }

    /// (v - 100) × 255 / 100, rounded: 0, 127.5, 191.25, 255.
    @Test func greyIsStretchedFromBlackToWhite() {
        #expect(row([100, 150, 175, 200]).autocontrasted(cutting: 0).pixels == [0, 128, 191, 255])
    }

    /// One in a hundred is cut off at each end: the single 0 and the single 255.
    @Test func outliersAreCutOff() {
        let values = [0] + [UInt8](repeating: 100, count: 49) + [UInt8](repeating: 200, count: 49) + [255]
        let stretched = row(values).autocontrasted().pixels
        #expect(stretched == [UInt8](repeating: 0, count: 50) + [UInt8](repeating: 255, count: 50))
    }

    /// Luma 100 and 200; the channels are stretched by the same rule, and clipped.
    @Test func channelsAreStretchedAlike() {
        let image = RasterImage(width: 2, height: 1, channels: 3, pixels: [100, 100, 100, 200, 200, 200])
        #expect(image.autocontrasted(cutting: 0).pixels == [0, 0, 0, 255, 255, 255])
        let tinted = RasterImage(
            width: 3,
            height: 1,
            channels: 3,
            pixels: [100, 100, 100, 200, 200, 200, 90, 150, 210]
        )
        // Luma of the last: 0.299 × 90 + 0.587 × 150 + 0.114 × 210 = 138.9, between the others.
        #expect(tinted.autocontrasted(cutting: 0).pixels == [0, 0, 0, 255, 255, 255, 0, 128, 255])
    }

    @Test(arguments: [[7], [7, 7, 7], [0, 255]] as [[UInt8]])
    func nothingToStretchIsLeftAsItIs(values: [UInt8]) {
        #expect(row(values).autocontrasted().pixels == values)
    }
}
