import Testing

@testable import OpenVINOEngine

@Suite struct CanvasSizesTests {
    private let canvases = CanvasSizes([
        NetworkShape(width: 640, height: 640), NetworkShape(width: 640, height: 96),
        NetworkShape(width: 960, height: 96), NetworkShape(width: 96, height: 640),
    ])

    @Test(arguments: [
        (1, 1, "640x96"), (640, 96, "640x96"), (641, 96, "960x96"), (960, 1, "960x96"), (640, 97, "640x640"),
        (97, 641, "640x640"),
    ])
    func smallestCanvasThatHoldsAnImageIsTaken(width: Int, height: Int, canvas: String) {
        // 97 × 641 fits none: 640 × 640 is the nearest.
        #expect(canvases.fitting(width: width, height: height).description == canvas)
    }

    @Test func canvasOfAnImageThatFitsNoneCoversTheMostOfItsLongerExcess() {
        // Scaled to 960/2000 on 960 × 96, to 640/2000 on the others.
        #expect(canvases.fitting(width: 2000, height: 100).description == "960x96")
        // Scaled to 640/2000 by its height on the square and on the tall canvas alike.
        #expect(canvases.fitting(width: 60, height: 2000).height == 640)
        #expect(canvases.fitting(width: 5000, height: 4000).description == "640x640")
    }

    @Test func sizesAreKeptByArea() {
        #expect(canvases.all.map { $0.width * $0.height } == [61_440, 61_440, 92_160, 409_600])
    }

    @Test(arguments: [
        (1, [0..<1]), (96, [0..<96]), (97, [0..<96, 1..<97]), (160, [0..<96, 64..<160]),
        // 65 more than the canvas are more than two thirds of it: three tiles.
        (161, [0..<96, 32..<128, 65..<161]), (224, [0..<96, 64..<160, 128..<224]),
    ])
    func tilesCoverASideAndOverlapByAThird(side: Int, tiles: [Range<Int>]) {
        #expect(Tile.covering(side, canvas: 96).map(\.seen) == tiles)
    }

    @Test(arguments: [
        (1, [0..<1]), (96, [0..<96]), (97, [0..<92, 5..<97]), (160, [0..<92, 68..<160]),
        (224, [0..<92, 68..<156, 132..<224]),
    ])
    func tilesAnswerForAllButTheirBordersInsideTheImage(side: Int, own: [Range<Int>]) {
        #expect(Tile.covering(side, canvas: 96).map(\.own) == own)
    }
}
