import Testing

@testable import Imaging

/// Pixel formats, each decoded as by Pillow 13.0 (alpha laid onto white with `alpha_composite`: all colours are
/// dark).
struct PixelFormatTests {
    /// The middles of the four quarters, row by row, as Pillow gives them.
    @Test(arguments: [
        ("grey.png", [[82], [107], [60], [112]]),
        ("grey-1bit.png", [[0], [255], [0], [255]]),
        ("grey-16.png", [[82], [107], [60], [112]]),
        ("grey-alpha.png", [[82], [181], [254], [255]]),
        ("grey-trns.png", [[255], [107], [60], [112]]),
        ("palette.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("palette-trns.png", [[200, 30, 40], [196, 231, 206], [142, 152, 222], [255, 255, 255]]),
        ("rgb.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("rgb-16.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("rgb-trns.png", [[255, 255, 255], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("rgba.png", [[200, 30, 40], [137, 207, 157], [254, 254, 255], [255, 255, 255]]),
        ("rgba-16.png", [[200, 30, 40], [137, 207, 157], [254, 254, 255], [255, 255, 255]]),
        ("interlaced.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        // A gamma of 1.0, which Pillow and OpenCV leave alone as well.
        ("gamma.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        // 32 MiB of ancillary data, which Pillow refuses; the pixels are those of rgb.png.
        ("huge-chunks.png", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("baseline.jpg", [[207, 26, 45], [19, 161, 61], [26, 52, 189], [120, 110, 100]]),
        ("progressive.jpg", [[207, 26, 45], [19, 161, 61], [26, 52, 189], [120, 110, 100]]),
        ("restart.jpg", [[207, 26, 45], [19, 161, 61], [26, 52, 189], [120, 110, 100]]),
        ("grey.jpg", [[82], [107], [60], [112]]),
        ("cmyk.jpg", [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("ycck.jpg", [[157, 24, 31], [16, 125, 48], [24, 39, 148], [94, 86, 78]]),
    ])
    func quartersAreAsPillowReadsThem(name: String, expected: [[Int]]) throws {
        let decoded = try ImageCodec.decode(contentsOf: fixturePath(name))
        #expect(decoded.image.width == 24 && decoded.image.height == 16)
        #expect(decoded.scale == 1)
        #expect(decoded.header.format == (name.hasSuffix("png") ? .png : .jpeg))
        #expect(decoded.header.channels == expected[0].count)
        for (index, colour) in expected.enumerated() {
            let pixel = decoded.image.pixel(index % 2 == 0 ? 6 : 18, index < 2 ? 4 : 12)
            #expect(pixel.count == colour.count)
            #expect(zip(pixel, colour).allSatisfy { abs($0 - $1) <= 1 }, "quarter \(index): \(pixel), not \(colour)")
        }
    }

    @Test
    func interlacingChangesNoPixel() throws {
        #expect(try image(fixture("interlaced.png")) == image(fixture("rgb.png")))
    }

    @Test
    func theHeaderSaysTheSameWithoutDecoding() throws {
        let header = try ImageCodec.header(of: fixture("exif-6.jpg"), name: "exif-6.jpg")
        #expect(header == ImageHeader(format: .jpeg, width: 24, height: 16, channels: 3, orientation: 6))
        #expect(header.orientedWidth == 16 && header.orientedHeight == 24)
    }

    @Test
    func theTypeIsToldByContent() throws {
        #expect(try ImageCodec.decode(fixture("grey.png"), name: "photo.jpg").header.format == .png)
    }
}
