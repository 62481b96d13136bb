import Imaging
import Testing

/// Background that reveals opaque pixels: the PNG specification leaves it to the viewer.
struct TransparencyTests {
    /// A way of storing a picture with transparency.
    enum Storage: CaseIterable { case grey8, grey16, greyKey, palette, rgb8, rgb16, rgbKey }

    /// Returns 8 × 2 pixels: the letters' colours in turn on every second pixel, nothing between them.
    private func picture(_ letters: [[Int]], _ storage: Storage) -> [UInt8] {
        let isGrey = [.grey8, .grey16, .greyKey].contains(storage)
        let depth = [.grey16, .rgb16, .greyKey, .rgbKey].contains(storage) ? 16 : 8
        func samples(_ colour: [Int], opaque: Bool) -> [UInt8] {
            let colours = isGrey ? Array(colour.prefix(1)) : colour
            let alpha = [.greyKey, .rgbKey].contains(storage) ? [] : [opaque ? 255 : 0]
            return (colours + alpha).flatMap { depth == 16 ? [UInt8($0), UInt8($0)] : [UInt8($0)] }
        }
        // Transparent pixels have a colour, too, which must not count.
        let hidden = [7, 9, 11]
        var rows: [UInt8] = []
        for _ in 0..<2 {
            rows.append(0)
            for x in 0..<8 {
                let letter = x / 2 % letters.count
                if storage == .palette {
                    rows.append(x % 2 == 0 ? UInt8(letter + 1) : 0)
                } else {
                    rows += samples(x % 2 == 0 ? letters[letter] : hidden, opaque: x % 2 == 0)
                }
            }
        }
        var chunks: [(String, [UInt8])] = []
        switch storage {
        case .palette: chunks = [("PLTE", ([hidden] + letters).flatMap { $0.map(UInt8.init) }), ("tRNS", [0])]
        case .greyKey: chunks = [("tRNS", [7, 7])]
        case .rgbKey: chunks = [("tRNS", [7, 7, 9, 9, 11, 11])]
        default: break
        }
        let type: UInt8 =
            switch storage {
            case .grey8, .grey16: 4
            case .greyKey: 0
            case .palette: 3
            case .rgb8, .rgb16: 6
            case .rgbKey: 2
            }
        return png(width: 8, height: 2, depth: UInt8(depth), type: type, chunks, rows)
    }

    /// Returns a PNG file with its rows in one stored block of deflate (RFC 1951, 3.2.4; RFC 1950).
    private func png(
        width: UInt8,
        height: UInt8,
        depth: UInt8,
        type: UInt8,
        _ chunks: [(String, [UInt8])],
        _ rows: [UInt8]
    ) -> [UInt8] {
        func four(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let length = UInt16(rows.count)
        let stored: [UInt8] = [1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
        let data = [0x78, 0x01] + stored + rows + four(b << 16 | a)
        let header: [UInt8] = [0, 0, 0, width, 0, 0, 0, height, depth, type, 0, 0, 0]
        let all = [("IHDR", header)] + chunks + [("IDAT", data), ("IEND", [])]
        return all.reduce([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { file, chunk in
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
        Storage.allCases
    )
    func grounds(_ test: (letters: [[Int]], ground: Int), _ storage: Storage) throws {
        // The letters' own grey, as in a picture without colours.
        let isGrey = [.grey8, .grey16, .greyKey].contains(storage)
        if isGrey, test.letters.contains(where: { Set($0).count > 1 }) { return }
        let decoded = try image(picture(test.letters, storage))
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
