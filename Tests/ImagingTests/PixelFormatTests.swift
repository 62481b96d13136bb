import Testing

@testable import Imaging

/// Pixel formats, each decoded as by Pillow 13.0 (alpha laid onto white with `alpha_composite`: all colours are
/// dark).
struct PixelFormatTests {
    /// The middles of the four quarters, row by row, as Pillow gives them.
    @Test(arguments: [
        ("grey.png grey-16.png grey.jpg", [[82], [107], [60], [112]]),
        ("grey-1bit.png", [[0], [255], [0], [255]]),
        ("grey-alpha.png", [[82], [181], [254], [255]]),
        ("grey-trns.png", [[255], [107], [60], [112]]),
        // A gamma of 1.0, which Pillow and OpenCV leave alone as well. huge-chunks.png has 32 MiB of ancillary data,
        // which Pillow refuses; the pixels are those of rgb.png.
        (
            "palette.png rgb.png rgb-16.png interlaced.png gamma.png huge-chunks.png cmyk.jpg",
            [[200, 30, 40], [20, 160, 60], [30, 50, 190], [120, 110, 100]]
        ),
        ("palette-trns.png", [[200, 30, 40], [196, 231, 206], [142, 152, 222], [255, 255, 255]]),
        ("rgb-trns.png", [[255, 255, 255], [20, 160, 60], [30, 50, 190], [120, 110, 100]]),
        ("rgba.png rgba-16.png", [[200, 30, 40], [137, 207, 157], [254, 254, 255], [255, 255, 255]]),
        (
            "baseline.jpg progressive.jpg restart.jpg",
            [[207, 26, 45], [19, 161, 61], [26, 52, 189], [120, 110, 100]]
        ),
        ("ycck.jpg", [[157, 24, 31], [16, 125, 48], [24, 39, 148], [94, 86, 78]]),
    ])
    func quartersAreAsPillowReadsThem(names: String, expected: [[Int]]) throws {
        for name in names.split(separator: " ").map(String.init) {
            let decoded = try ImageCodec.decode(contentsOf: fixturePath(name))
            let isPNG = name.hasSuffix("png")
            let channels = expected[0].count
            #expect(
                decoded.header == ImageHeader(format: isPNG ? .png : .jpeg, width: 24, height: 16, channels: channels)
            )
            #expect(decoded.image.width == 24 && decoded.image.height == 16 && decoded.scale == 1)
            #expect(decoded.image.quarters.difference(expected) <= 1, "\(name): \(decoded.image.quarters)")
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
