import Imaging
import Talaria
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite struct PhotoPreparationTests {
    /// Sizes by hand: the long side of a spine becomes 1920, of a shelf 4096, the other follows.
    @Test(
        "what is larger than 1920 pixels, or than 4096 of a shelf, is scaled, and nothing else",
        arguments: [
            (5000, 2500, 4096, 2048), (4032, 3024, 4032, 3024), (300, 4000, 144, 1920), (1920, 20, 1920, 20),
            (7, 5, 7, 5),
        ]
    )
    func size(_ width: Int, _ height: Int, _ expectedWidth: Int, _ expectedHeight: Int) throws {
        let image = RasterImage(width: width, height: height, channels: 1, filledWith: 90)
        for file in [try ImageCodec.encodeJPEG(image, quality: 90), try ImageCodec.encodePNG(image)] {
            let photo = try PhotoPreparation().prepare(file, name: "a")
            let header = try ImageCodec.header(of: photo.jpeg, name: "b")
            #expect(header.format == .jpeg && header.orientation == 1)
            #expect(header.width == expectedWidth && header.height == expectedHeight)
        }
    }

    @Test func aTurnedPictureIsSentUprightAndWithoutItsMetadata() throws {
        // Exif with nothing but the orientation 6, in front of a JPEG's own segments.
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        let plain = try ImageCodec.encodeJPEG(RasterImage(width: 40, height: 20, channels: 3), quality: 90)
        let turned = Array(plain.prefix(2)) + exif + Array(plain.dropFirst(2))
        #expect(try ImageCodec.header(of: turned, name: "a").orientation == 6)
        let photo = try PhotoPreparation().prepare(turned, name: "a")
        let header = try ImageCodec.header(of: photo.jpeg, name: "b")
        #expect(header.width == 20 && header.height == 40 && header.orientation == 1)
        #expect(!photo.jpeg.indices.dropLast(4).contains { Array(photo.jpeg[$0..<$0 + 4]) == Array("Exif".utf8) })
    }

    @Test(arguments: [[], Array("no picture".utf8), [0xFF, 0xD8, 0xFF]] as [[UInt8]])
    func whatIsNoPictureIsSaid(_ bytes: [UInt8]) {
        #expect(throws: ImageCodecError.self) { try PhotoPreparation().prepare(bytes, name: "a") }
    }
}
