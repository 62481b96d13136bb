import Imaging
import Testing

struct ScaledDecodingTests {
    /// A picture of 200 × 120, at 1/8, 1/4, 3/8, 1/2 or 1, sides rounded up.
    @Test(
        arguments: [
            (nil, 200, 120, 1), (1000, 200, 120, 1), (120, 200, 120, 1), (61, 200, 120, 1), (45, 75, 45, 0.375),
            (60, 100, 60, 0.5), (59, 100, 60, 0.5), (30, 50, 30, 0.25), (1, 25, 15, 0.125), (0, 25, 15, 0.125),
        ] as [(Int?, Int, Int, Double)]
    )
    func theSmallestScaleThatIsLargeEnoughIsTaken(minimum: Int?, width: Int, height: Int, scale: Double) throws {
        let decoded = try decoded(halves(width: 200, height: 120), shortSide: minimum)
        #expect(decoded.image.width == width && decoded.image.height == height)
        #expect(decoded.scale == scale)
        #expect(decoded.header.width == 200 && decoded.header.height == 120)
    }

    @Test(arguments: [20, 40, 60, 100])
    func aPointIsFoundAgainAtItsPlaceOverTheScale(minimum: Int) throws {
        let decoded = try decoded(halves(width: 203, height: 121), shortSide: minimum)
        // The border between dark and light is at x = 101 of the full picture.
        let row = (0..<decoded.image.width).map { decoded.image.pixel($0, decoded.image.height / 2)[0] }
        let border = try #require(row.firstIndex { $0 > 128 })
        #expect(abs(Double(border) / decoded.scale - 101) <= 1 / decoded.scale)
    }

    @Test func theOrientationIsAppliedToTheScaledPicture() throws {
        let jpeg = try withAPP1(halves(width: 200, height: 120), exif(orientation: 6, bigEndian: true))
        let decoded = try decoded(jpeg, shortSide: 60)
        #expect(decoded.image.width == 60 && decoded.image.height == 100)
        #expect(decoded.header.orientedWidth == 120 && decoded.header.orientedHeight == 200)
    }

    @Test(arguments: 1...9)
    func aTinyPictureReportsTheScaleThatWasUsed(side: Int) throws {
        let tiny = RasterImage(width: side, height: side, channels: 3, filledWith: 80)
        let jpeg = try ImageCodec.encodeJPEG(tiny, quality: 90)
        for minimum in 1...side {
            let decoded = try decoded(jpeg, shortSide: minimum)
            #expect(decoded.image.width >= minimum)
            #expect(decoded.image.width == Int((Double(side) * decoded.scale).rounded(.up)))
        }
    }

    @Test(arguments: ["rgb.png", "quarters.heic"])
    func aPNGOrHEICKeepsItsSize(name: String) throws {
        let decoded = try decoded(fixture(name), shortSide: 4)
        #expect(decoded.image.width == 24 && decoded.scale == 1)
    }

    /// Returns a JPEG that is dark on the left of the middle column, and light from it.
    private func halves(width: Int, height: Int) throws -> [UInt8] {
        let row = (0..<width).flatMap { [UInt8](repeating: $0 < width / 2 ? 20 : 230, count: 3) }
        let pixels = Array(repeatElement(row, count: height).joined())
        let picture = RasterImage(width: width, height: height, channels: 3, pixels: pixels)
        return try ImageCodec.encodeJPEG(picture, quality: 90)
    }
}
