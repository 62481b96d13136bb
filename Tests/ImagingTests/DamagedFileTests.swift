import Imaging
import Testing

struct DamagedFileTests {
    static let whole = [
        "grey.png", "palette-trns.png", "rgba.png", "interlaced.png", "baseline.jpg", "progressive.jpg", "grey.jpg",
        "cmyk.jpg", "quarters.heic", "grid.heic", "turned-6-gps.heic",
    ]

    @Test(arguments: whole)
    func everyBeginningOfAFileIsRefused(name: String) throws {
        let bytes = try fixture(name)
        // The bytes required to detect the format.
        let told = name.hasSuffix("heic") ? 12 : 3
        for count in 1..<bytes.count {
            switch failure(Array(bytes.prefix(count))) {
            case .truncated,
                .foreign where count < told:
                continue
            case let other: Issue.record("the first \(count) of \(bytes.count) bytes gave \(String(describing: other))")
            }
        }
    }

    @Test(arguments: whole)
    func bytesAfterThePictureDoNotMatter(name: String) throws {
        #expect(try image(fixture(name) + [1, 2, 3, 0xFF, 0xD8]) == image(fixture(name)))
    }

    /// Returns a PNG file with some of its chunks changed.
    private func changed(_ file: String, _ name: String, _ change: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
        let bytes = try fixture(file)
        return bytes.prefix(8) + chunks(bytes).flatMap { $0.name == name ? change($0.bytes) : $0.bytes }
    }

    private func withWrongChecksum(_ chunk: [UInt8]) -> [UInt8] { chunk.dropLast() + [chunk[chunk.count - 1] ^ 1] }

    @Test(arguments: [("rgb.png", "IHDR"), ("rgb.png", "IDAT"), ("rgb.png", "IEND"), ("palette.png", "PLTE")])
    func aPNGWithAWrongChecksumIsCorrupt(file: String, name: String) throws {
        #expect(try message(changed(file, name, withWrongChecksum)).hasPrefix("found a corrupt PNG file"))
    }

    /// PNG specification, third edition, 13.1, and libpng's default for such chunks: "warn, discard".
    ///
    /// Transparency and orientation are ancillary as well: browsers show such pictures opaque and unturned.
    @Test(
        "an ancillary chunk with a wrong checksum is dropped, and the picture is read as without it",
        arguments: [
            ("huge-chunks.png", "iCCP"), ("huge-chunks.png", "zTXt"), ("gamma.png", "gAMA"), ("metadata.png", "tEXt"),
            ("palette-trns.png", "tRNS"), ("rgb-trns.png", "tRNS"), ("grey-trns.png", "tRNS"), ("exif.png", "eXIf"),
        ]
    )
    func aWrongChecksumOfARemark(file: String, name: String) throws {
        #expect(try image(changed(file, name, withWrongChecksum)) == image(changed(file, name) { _ in [] }))
    }

    @Test(
        "the same for remarks of every kind, before and behind the pixels",
        arguments: ["tEXt", "zTXt", "iTXt", "gAMA", "cHRM", "sRGB", "pHYs", "tIME", "bKGD", "eXIf", "prVt"],
        [1, 2]
    )
    func wrongChecksums(name: String, place: Int) throws {
        let bytes = try fixture("rgb.png")
        var all = chunks(bytes).filter { $0.bytes[4] & 0x20 == 0 }.map(\.bytes)
        // One byte, with a checksum of zeros.
        all.insert([0, 0, 0, 1] + Array(name.utf8) + [1, 0, 0, 0, 0], at: place == 1 ? 1 : all.count - 1)
        #expect(try image(bytes.prefix(8) + all.joined()) == image(bytes))
    }

    @Test func aPNGOfTooFewBytesIsTruncated() throws {
        #expect(try message(changed("rgb.png", "IDAT") { _ in [] }).hasPrefix("found a truncated PNG file"))
        // 9,999 × 9,999 pixels in a file of some hundred bytes: memory is not taken, the checksum is not reached.
        var bytes = try fixture("rgb.png")
        bytes.replaceSubrange(16..<24, with: [0, 0, 0x27, 0x0F, 0, 0, 0x27, 0x0F])
        #expect(message(bytes).contains("truncated PNG file (45 bytes cannot hold 9999 × 9999 pixels)"))
    }

    @Test func paddingBeforeTheEndOfAJPEGDoesNotMatter() throws {
        let bytes = try fixture("baseline.jpg")
        #expect(try image(bytes.dropLast(2) + [0, 0, 0, 0, 0xFF, 0xD9]) == image(bytes))
    }

    /// The last bytes of the coded data go, the end-of-image marker stays: libjpeg only warns, and makes up the rest.
    @Test func aJPEGWithAPieceMissingIsCorrupt() throws {
        let found = try message(fixture("baseline.jpg").dropLast(14) + [0xFF, 0xD9])
        #expect(found.hasPrefix("found a corrupt JPEG file") && found.contains("premature end"))
    }

    /// The places of a marker in a JPEG.
    private func places(of marker: UInt8, in bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == marker }
    }

    /// The end-of-image marker put in the place of each scan in turn: libjpeg does not even warn.
    @Test(arguments: [("progressive.jpg", 10), ("baseline.jpg", 1)])
    func aJPEGWithoutItsLastScansIsTruncated(name: String, count: Int) throws {
        let bytes = try fixture(name)
        let scans = places(of: 0xDA, in: bytes)
        #expect(scans.count == count)
        for scan in scans {
            let found = message(bytes.prefix(scan) + [0xFF, 0xD9])
            #expect(found.hasPrefix("found a truncated JPEG file (some of its"))
        }
    }

    /// The last scan of a progressive file, over and over: a pass over the picture each time, for some bytes.
    @Test func aJPEGOfEndlessScansIsRefused() throws {
        let bytes = try fixture("progressive.jpg")
        let scan = try bytes[#require(places(of: 0xDA, in: bytes).last)..<bytes.count - 2]
        let bomb = bytes.dropLast(2) + repeatElement(scan, count: 2000).joined() + [0xFF, 0xD9]
        #expect(message(bomb).hasPrefix("found a JPEG of 2010 scans"))
    }

    @Test(arguments: [(8, 2), (12, 3)])
    func aJPEGOfAnotherKindIsUnsupported(precision: UInt8, components: UInt8) throws {
        var bytes = try fixture("baseline.jpg")
        let frame = try #require(places(of: 0xC0, in: bytes).first)
        bytes[frame + 4] = precision
        bytes[frame + 9] = components
        #expect(message(bytes).hasPrefix("found a JPEG of \(components) components of \(precision) bits"))
    }
}
