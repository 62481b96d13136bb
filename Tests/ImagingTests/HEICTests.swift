import Testing

@testable import Imaging

struct HEICTests {
    /// The middles of the four quarters, row by row, as pillow-heif 1.8.1 and libheif 1.15.1's `heif-convert` give
    /// them.
    ///
    /// The EXIF orientation of the turned ones only repeats the turning: the header's is 1.
    @Test(arguments: [
        ("quarters.heic", 24, 16, [[200, 30, 39], [20, 160, 61], [31, 50, 189], [120, 110, 100]]),
        ("grid.heic", 24, 16, [[200, 30, 39], [20, 160, 61], [31, 50, 189], [120, 110, 100]]),
        ("turned-5.heic", 16, 24, [[200, 30, 39], [31, 50, 189], [20, 160, 61], [120, 110, 100]]),
        ("turned-6-gps.heic", 16, 24, [[31, 50, 189], [200, 30, 39], [120, 110, 100], [20, 160, 61]]),
        ("flat-256.heic", 256, 256, [[89, 140, 200], [89, 140, 200], [89, 140, 200], [89, 140, 200]]),
    ])
    func quartersAreAsPillowReadsThem(name: String, width: Int, height: Int, expected: [[Int]]) throws {
        let decoded = try ImageCodec.decode(contentsOf: fixturePath(name))
        #expect(decoded.header == ImageHeader(format: .heic, width: width, height: height, channels: 3))
        #expect(try ImageCodec.header(of: fixture(name), name: name) == decoded.header)
        #expect(decoded.image.width == width && decoded.image.height == height)
        #expect(decoded.image.quarters.difference(expected) <= 2)
    }

    @Test func aLibraryThatIsMissingIsNamed() {
        #expect(SystemLibrary.heif.problem == nil)
        #if canImport(Glibc)
        let missing = SystemLibrary("libmissing.so.1", package: "libmissing1")
        let reason = "libmissing.so.1: cannot open shared object file: No such file or directory"
        #expect(missing.problem == "\(reason); install it (in Debian and Ubuntu libmissing1)")
        #endif
    }

    @Test(arguments: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])
    func theBrandTellsTheFormat(brand: String) {
        let start = [0, 0, 0, 20] + Array("ftyp\(brand)\0\0\0\0heic".utf8)
        #expect(message(start).hasPrefix("found a truncated HEIC file"))
        #expect(failure(start + [0, 0, 0, 8] + Array("moov".utf8)) == .unsupported(.heic, "a sequence of pictures"))
    }

    @Test func anAV1PictureIsForeignUnderEitherBrand() throws {
        var bytes = try fixture("av1.avif")
        #expect(failure(bytes) == .foreign("an AVIF image"))
        bytes.replaceSubrange(8..<12, with: Array("mif1".utf8))
        #expect(failure(bytes) == .foreign("an AVIF image"))
    }

    @Test func transparencyIsUnsupported() throws {
        #expect(try failure(fixture("alpha.heic")) == .unsupported(.heic, "a picture with transparency"))
    }

    /// Another size in the `ispe` box of a picture of 256 × 256.
    @Test(arguments: [
        (0x7FFF_FFFF, 1 << 20, "exceeds the maximum image size"),
        (0xFFFF_FFFF, 0xFFFF_FFFF, "exceeds the maximum image size"),
        (30_000, 30_000, "found 30000 × 30000 pixels; expected at most 100000000"),
        (0, 256, "found a corrupt HEIC file (its size is 0 × 256)"),
        (256, 0, "found a corrupt HEIC file (its size is 256 × 0)"),
        (24, 16, "found a corrupt HEIC file (24 × 16 stated, 256 × 256 decoded)"),
    ])
    func aWrongSizeIsRefused(width: Int, height: Int, words: String) throws {
        var bytes = try fixture("flat-256.heic")
        let start = try #require(place(of: "ispe", in: bytes)) + 8
        let size = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
        bytes.replaceSubrange(start..<start + 8, with: size)
        #expect(message(bytes).contains(words))
    }

    @Test(arguments: [6, 20, 60])
    func aCopyThatWasBrokenOffAndFilledWithZerosIsCorrupt(count: Int) throws {
        let bytes = try fixture("quarters.heic")
        let filled = bytes.dropLast(count) + [UInt8](repeating: 0, count: count)
        #expect(message(filled).hasPrefix("found a corrupt HEIC file (its last \(count) bytes are zeros)"))
    }
}
