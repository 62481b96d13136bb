import Imaging
import Testing

@testable import OpenVINOEngine

@Suite struct CanvasSizesTests {
    private let canvases = CanvasSizes([
        NetworkShape(width: 640, height: 640), NetworkShape(width: 640, height: 96),
        NetworkShape(width: 960, height: 96), NetworkShape(width: 96, height: 640),
    ])

    @Test(arguments: [
        (1, 1, "640x96"), (640, 96, "640x96"), (641, 96, "960x96"), (960, 1, "960x96"), (640, 97, "640x640"),
        // 97 × 641 fits none: 640 × 640 is the nearest.
        (97, 641, "640x640"),
        // Scaled to 960/2000 on 960 × 96, to 640/2000 on the others.
        (2000, 100, "960x96"), (5000, 4000, "640x640"),
    ])
    func smallestCanvasThatHoldsAnImageOrShrinksItLeastIsTaken(width: Int, height: Int, canvas: String) {
        #expect(canvases.fitting(width: width, height: height).description == canvas)
    }

    @Test func sizesAreKeptByArea() {
        #expect(canvases.all.map { $0.width * $0.height } == [61_440, 61_440, 92_160, 409_600])
        // Scaled to 640/2000 by its height on the square and on the tall canvas alike.
        #expect(canvases.fitting(width: 60, height: 2000).height == 640)
    }

    /// Tiles of a side on a canvas of 96 overlap by a third, and decide all but their borders inside the image.
    @Test(
        arguments: [
            (1, [0..<1], [0..<1]), (96, [0..<96], [0..<96]), (97, [0..<96, 1..<97], [0..<92, 5..<97]),
            (160, [0..<96, 64..<160], [0..<92, 68..<160]),
            // 65 more than the canvas are more than two thirds of it: three tiles.
            (161, [0..<96, 32..<128, 65..<161], [0..<92, 36..<124, 69..<161]),
            (224, [0..<96, 64..<160, 128..<224], [0..<92, 68..<156, 132..<224]),
        ] as [(Int, [Range<Int>], [Range<Int>])]
    )
    func tilesCoverASide(side: Int, seen: [Range<Int>], own: [Range<Int>]) {
        #expect(Tile.covering(side, canvas: 96).map(\.seen) == seen)
        #expect(Tile.covering(side, canvas: 96).map(\.own) == own)
    }

    /// An image lies at the top left of its canvas, in three channels.
    @Test(
        arguments: [
            (
                RasterImage(width: 2, height: 1, channels: 1, pixels: [10, 20]), 3, 2,
                [10, 10, 10, 20, 20, 20, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
            ),
            (RasterImage(width: 1, height: 2, channels: 3, pixels: [1, 2, 3, 4, 5, 6]), 1, 2, [1, 2, 3, 4, 5, 6]),
        ] as [(RasterImage, Int, Int, [UInt8])]
    )
    func imageIsDrawn(image: RasterImage, width: Int, height: Int, expected: [UInt8]) {
        var canvas = [UInt8](repeating: 7, count: width * height * 3)
        canvas.withUnsafeMutableBufferPointer {
            image.draw(0..<image.width, into: $0, of: NetworkShape(width: width, height: height), at: 0)
        }
        #expect(canvas == expected)
    }
}
