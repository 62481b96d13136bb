import Imaging
import Testing

struct EncodingTests {
    private func noise(width: Int, height: Int, channels: Int) -> RasterImage {
        let pixels = (0..<width * height * channels).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        return RasterImage(width: width, height: height, channels: channels, pixels: pixels)
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1), (37, 23)], [1, 3])
    func aPNGComesBackExactly(size: (Int, Int), channels: Int) throws {
        let original = noise(width: size.0, height: size.1, channels: channels)
        #expect(try image(ImageCodec.encodePNG(original)) == original)
    }

    @Test(arguments: [1, 3])
    func aJPEGComesBackClosely(channels: Int) throws {
        let ramp = (0..<40).flatMap { [UInt8](repeating: UInt8($0 * 5 + 20), count: channels) }
        let pixels = Array(repeatElement(ramp, count: 30).joined())
        let original = RasterImage(width: 40, height: 30, channels: channels, pixels: pixels)
        for quality in [95, 85] {
            #expect(try image(ImageCodec.encodeJPEG(original, quality: quality)).difference(original) <= 8)
        }
    }

    @Test
    func qualityIsClampedAndOrdersSizes() throws {
        let original = noise(width: 64, height: 64, channels: 3)
        let sizes = try [-5, 1, 50, 100, 300].map { try ImageCodec.encodeJPEG(original, quality: $0).count }
        #expect(sizes[0] == sizes[1] && sizes[1] < sizes[2] && sizes[2] < sizes[3] && sizes[3] == sizes[4])
    }

    @Test
    func aSideTooLongForJPEGIsRefused() {
        let long = RasterImage(width: 65_501, height: 1, channels: 1)
        #expect(throws: ImageCodecError.self) { try ImageCodec.encodeJPEG(long, quality: 80) }
        #expect(throws: Never.self) { try ImageCodec.encodePNG(long) }
    }
}
