import Imaging
import Testing

/// Background that reveals opaque pixels: the PNG specification leaves it to the viewer.
struct TransparencyTests {
    /// Returns a PNG of 8 × 2 pixels in grey or RGB with alpha: the letters' colours in turn on every second pixel,
    /// nothing between them.
    private func picture(_ letters: [[Int]], isGrey: Bool) -> [UInt8] {
        let row = (0..<8).flatMap { x -> [UInt8] in
            // Transparent pixels have a colour, too, which must not count.
            let colour = x % 2 == 0 ? letters[x / 2 % letters.count] : [7, 9, 11]
            return colour.prefix(isGrey ? 1 : 3).map(UInt8.init) + [x % 2 == 0 ? 255 : 0]
        }
        let rows = [0] + row + [0] + row
        // One stored block of deflate (RFC 1951, 3.2.4; RFC 1950).
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        func four(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let length = UInt8(rows.count)
        let data = [0x78, 1, 1, length, 0, ~length, 255] + rows + four(b << 16 | a)
        let header: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 2, 8, isGrey ? 4 : 6, 0, 0, 0]
        let chunks = [("IHDR", header), ("IDAT", data), ("IEND", [])]
        return chunks.reduce([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { file, chunk in
            let checked = Array(chunk.0.utf8) + chunk.1
            return file + four(UInt32(chunk.1.count)) + checked + four(PNGChecksum.of(checked))
        }
    }

    @Test(
        "light letters have a dark ground, others a white one",
        arguments: [
            ([[255, 255, 255]], 0), ([[240, 235, 215]], 0), ([[200, 200, 200]], 0), ([[255, 255, 0]], 0),
            ([[255, 240, 230], [220, 220, 255]], 0), ([[0, 0, 0]], 255), ([[128, 128, 128]], 255),
            ([[180, 20, 30]], 255),
            ([[20, 40, 110]], 255), ([[150, 150, 150], [10, 10, 10]], 255),
            // White and black letters are seen on neither.
            ([[255, 255, 255], [0, 0, 0]], 128),
            ([[255, 255, 255], [255, 255, 255], [255, 255, 255], [20, 20, 20]], 128),
        ] as [([[Int]], Int)],
        [false, true]
    )
    func grounds(_ test: (letters: [[Int]], ground: Int), _ isGrey: Bool) throws {
        // The letters' own grey, as in a picture without colours.
        if isGrey, test.letters.contains(where: { Set($0).count > 1 }) { return }
        let decoded = try image(picture(test.letters, isGrey: isGrey))
        for x in 0..<8 {
            let letter = test.letters[x / 2 % test.letters.count]
            let expected = x % 2 == 0 ? letter : [test.ground, test.ground, test.ground]
            #expect(decoded.pixel(x, 1) == (isGrey ? Array(expected.prefix(1)) : expected))
        }
    }

    @Test func aPictureThatIsAllOpaqueOrAllTransparentHasNoGroundToChoose() throws {
        let white = RasterImage(width: 4, height: 4, channels: 3, filledWith: 255)
        let opaque = RasterImage(width: 4, height: 4, channels: 1, filledWith: 255)
        #expect(try image(ImageCodec.encodePNG(white, alpha: opaque)) == white)
        let clear = RasterImage(width: 4, height: 4, channels: 1, filledWith: 0)
        #expect(try image(ImageCodec.encodePNG(white, alpha: clear)) == white)
    }
}
