import Imaging
import Testing

@testable import OpenVINOEngine

@Suite struct InputDrawingTests {
    private func drawn(_ image: RasterImage, width: Int, height: Int) -> [UInt8] {
        var canvas = [UInt8](repeating: 7, count: width * height * 3)
        canvas.withUnsafeMutableBufferPointer {
            image.draw(0..<image.width, into: $0, of: NetworkShape(width: width, height: height), at: 0)
        }
        return canvas
    }

    @Test func greyImageLiesAtTheTopLeftInThreeChannels() {
        let image = RasterImage(width: 2, height: 1, channels: 1, pixels: [10, 20])
        #expect(
            drawn(image, width: 3, height: 2) == [10, 10, 10, 20, 20, 20, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
        )
    }

    @Test func imageThatFillsTheCanvasHasNoPadding() {
        let image = RasterImage(width: 1, height: 2, channels: 3, pixels: [1, 2, 3, 4, 5, 6])
        #expect(drawn(image, width: 1, height: 2) == image.pixels)
    }
}
