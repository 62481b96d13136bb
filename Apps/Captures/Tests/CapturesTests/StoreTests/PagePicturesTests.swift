import Imaging
import Testing

@testable import Captures

/// Icon files (.ico), made by hand after Microsoft's documentation of ICONDIR.
@Suite struct PagePicturesTests {
    private static func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }

    private static func file(_ pictures: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 1, 0, UInt8(pictures.count), 0]
        var start = 6 + 16 * pictures.count
        for picture in pictures {
            bytes += [2, 2, 0, 0, 1, 0, 32, 0] + four(picture.count) + four(start)
            start += picture.count
        }
        return bytes + pictures.joined()
    }

    /// Two by one pixels of 32 bits, and a mask: a bitmap, which is not read.
    private static let bitmap =
        four(40) + four(2) + four(2) + [1, 0, 32, 0] + four(0) + [UInt8](repeating: 0, count: 20)
        + [255, 0, 0, 255, 0, 0, 255, 0] + [0, 0, 0, 0]

    @Test func theLargestPNGIsTakenAndABrokenOnePassedOver() throws {
        let large = RasterImage(width: 40, height: 40, channels: 3, filledWith: 7)
        var broken = [UInt8](repeating: 0x55, count: 4_000)
        broken.replaceSubrange(0..<4, with: [0x89, 0x50, 0x4E, 0x47])
        #expect(PagePictures.icon(Self.file([Self.bitmap, try ImageCodec.encodePNG(large), broken])) == large)
        #expect(PagePictures.icon(Self.file([broken])) == nil)
        #expect(PagePictures.icon(Array(Self.file([try ImageCodec.encodePNG(large)]).dropLast(9))) == nil)
        #expect(PagePictures.icon([0, 0, 1, 0, 9, 0]) == nil)
    }
}
