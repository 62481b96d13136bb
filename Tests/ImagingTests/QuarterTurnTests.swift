import Imaging
import Testing

struct QuarterTurnTests {
    /// Three columns, two rows, 1 2 3 over 4 5 6, turned by hand.
    @Test(arguments: [
        (QuarterTurn.none, 3, [1, 2, 3, 4, 5, 6]),
        (.clockwise, 2, [4, 1, 5, 2, 6, 3]),
        (.half, 3, [6, 5, 4, 3, 2, 1]),
        (.counterclockwise, 2, [3, 6, 2, 5, 1, 4]),
    ])
    func turnsGreyPixels(turn: QuarterTurn, width: Int, expected: [UInt8]) {
        let turned = RasterImage(width: 3, height: 2, channels: 1, pixels: [1, 2, 3, 4, 5, 6]).rotated(turn)
        #expect(turned == RasterImage(width: width, height: 6 / width, channels: 1, pixels: expected))
    }

    @Test(arguments: QuarterTurn.allCases)
    func everyPixelGoesWhereThePointMapSays(turn: QuarterTurn) {
        // Larger than the tiles that the turn works in, and no multiple of them.
        let image = ramps(width: 71, height: 45)
        let turned = image.rotated(turn)
        #expect(turned.width == (turn.swapsSides ? 45 : 71))
        for y in 0..<image.height {
            for x in 0..<image.width {
                let centre = turn.map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5), width: 71, height: 45)
                guard turned.pixel(Int(centre.x), Int(centre.y)) == image.pixel(x, y) else {
                    Issue.record("pixel (\(x), \(y)) is not at \(centre)")
                    return
                }
            }
        }
    }

    @Test(arguments: QuarterTurn.allCases)
    func theInverseLeadsBack(turn: QuarterTurn) {
        let point = Point(x: 3.25, y: 8.5)
        #expect(turn.mapBack(turn.map(point, width: 20, height: 30), width: 20, height: 30) == point)
        #expect(turn.followed(by: turn.inverse) == .none)
    }

    @Test(arguments: QuarterTurn.allCases, QuarterTurn.allCases)
    func twoTurnsAreOne(first: QuarterTurn, second: QuarterTurn) {
        let image = ramps(width: 5, height: 3)
        #expect(image.rotated(first).rotated(second) == image.rotated(first.followed(by: second)))
    }

    @Test
    func mirroringExchangesLeftAndRight() {
        let image = RasterImage(width: 3, height: 2, channels: 1, pixels: [1, 2, 3, 4, 5, 6])
        #expect(image.mirrored().pixels == [3, 2, 1, 6, 5, 4])
    }

    @Test
    func aQuadIsMappedCornerByCorner() {
        let quad = Quad(x: 1, y: 2, width: 3, height: 4).mapped { Point(x: -$0.y, y: $0.x) }
        #expect(quad.topLeft == Point(x: -2, y: 1))
        #expect(quad.bottomRight == Point(x: -6, y: 4))
    }
}
