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

    @Test
    func nothingIsEmpty() {
        #expect(failure([]) == .empty)
    }

    @Test(arguments: ["IHDR", "IDAT", "IEND"])
    func aPNGWithAWrongChecksumIsCorrupt(chunk: String) throws {
        try expectCorruptPNG { name, bytes in
            var bytes = bytes
            if name == chunk { bytes[bytes.count - 1] ^= 1 }
            return bytes
        }
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
        let bytes = try fixture(file)
        func changed(_ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
            bytes.prefix(8) + chunks(bytes).flatMap { $0.name == name ? change($0.bytes) : $0.bytes }
        }
        #expect(try image(changed { $0.dropLast() + [$0[$0.count - 1] ^ 1] }) == image(changed { _ in [] }))
    }

    @Test func aPaletteWithAWrongChecksumIsCorrupt() throws {
        let bytes = try fixture("palette.png")
        let wrong = chunks(bytes).flatMap {
            $0.name == "PLTE" ? $0.bytes.dropLast() + [~$0.bytes[$0.bytes.count - 1]] : $0.bytes
        }
        guard case .corrupt(.png, _) = failure(bytes.prefix(8) + wrong) else {
            Issue.record("a wrong palette was accepted")
            return
        }
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
        let file = Array(bytes.prefix(8) + all.joined())
        #expect(try image(file) == image(bytes))
    }

    @Test
    func aPNGWithoutPixelsIsTruncated() throws {
        let bytes = try fixture("rgb.png")
        let kept = chunks(bytes).filter { $0.name != "IDAT" }.flatMap(\.bytes)
        guard case .truncated = failure(Array(bytes.prefix(8)) + kept) else {
            Issue.record("a file without IDAT was taken")
            return
        }
    }

    @Test
    func aPNGThatAnnouncesMoreThanItHoldsIsRefusedBeforeMemoryIsTaken() throws {
        // 9,999 × 9,999 pixels in a file of some hundred bytes. The checksum is not reached.
        var bytes = try fixture("rgb.png")
        bytes.replaceSubrange(16..<24, with: [0, 0, 0x27, 0x0F, 0, 0, 0x27, 0x0F])
        guard case .truncated(.png, let detail) = failure(bytes) else {
            Issue.record("not truncated")
            return
        }
        #expect(detail.contains("9999 × 9999"))
    }

    @Test
    func bytesAfterThePictureDoNotMatter() throws {
        for name in Self.whole {
            #expect(try image(fixture(name) + [1, 2, 3, 0xFF, 0xD8]) == image(fixture(name)))
        }
    }

    @Test
    func paddingBeforeTheEndOfAJPEGDoesNotMatter() throws {
        let bytes = try fixture("baseline.jpg")
        #expect(try image(bytes.dropLast(2) + [0, 0, 0, 0, 0xFF, 0xD9]) == image(bytes))
    }

    @Test
    func aJPEGWithAPieceMissingIsCorrupt() throws {
        // The last bytes of the coded data go, the end-of-image marker stays: libjpeg only warns, and makes up the
        // rest.
        let bytes = try fixture("baseline.jpg")
        guard case .corrupt(.jpeg, let detail) = failure(bytes.dropLast(14) + [0xFF, 0xD9]) else {
            Issue.record("a partial picture was taken for whole")
            return
        }
        #expect(detail.contains("premature end"))
    }

    @Test(arguments: ["progressive.jpg", "baseline.jpg"])
    func aJPEGWithoutItsLastScansIsTruncated(name: String) throws {
        // The end-of-image marker put in the place of each scan in turn: libjpeg does not even warn.
        let bytes = try fixture(name)
        let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        #expect(scans.count == (name == "baseline.jpg" ? 1 : 10))
        for scan in scans {
            guard case .truncated(.jpeg, let detail) = failure(bytes.prefix(scan) + [0xFF, 0xD9]) else {
                Issue.record("a coarser picture was taken for whole")
                return
            }
            #expect(detail.contains("scans"))
        }
    }

    @Test
    func aJPEGOfEndlessScansIsRefused() throws {
        // The last scan of a progressive file, over and over: a pass over the picture each time, for some bytes.
        let bytes = try fixture("progressive.jpg")
        let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let scan = bytes[last..<bytes.count - 2]
        let bomb = Array(bytes.dropLast(2)) + Array(repeatElement(scan, count: 2000).joined()) + [0xFF, 0xD9]
        guard case .unsupported(.jpeg, let found) = failure(bomb) else {
            Issue.record("the scans were not counted")
            return
        }
        #expect(found.contains("scans"))
    }

    @Test(arguments: [(8, 2), (12, 3)])
    func aJPEGOfAnotherKindIsUnsupported(precision: UInt8, components: UInt8) throws {
        var bytes = try fixture("baseline.jpg")
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + 4] = precision
        bytes[frame + 9] = components
        guard case .unsupported = failure(bytes) else {
            Issue.record("\(components) components of \(precision) bits were taken")
            return
        }
    }

    private func expectCorruptPNG(_ change: (String, [UInt8]) -> [UInt8]) throws {
        let bytes = try fixture("rgb.png")
        let changed = Array(bytes.prefix(8)) + chunks(bytes).flatMap { change($0.name, $0.bytes) }
        guard case .corrupt(.png, _) = failure(changed) else {
            Issue.record("the damage was not noticed")
            return
        }
    }
}
