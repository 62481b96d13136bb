import Testing

@testable import Imaging

struct HEICTests {
    /// The middles of the four quarters, row by row, as pillow-heif 1.8.1 and libheif 1.15.1's `heif-convert` give
    /// them.
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
        #expect(decoded.image.width == width && decoded.image.height == height)
        let seen = [(1, 1), (3, 1), (1, 3), (3, 3)].map { decoded.image.pixel(width * $0.0 / 4, height * $0.1 / 4) }
        #expect(zip(seen.joined(), expected.joined()).allSatisfy { abs($0 - $1) <= 2 }, "\(seen)")
    }

    @Test
    func theEXIFOrientationIsNotAppliedOnTopOfTheTurning() throws {
        let bytes = try fixture("turned-6-gps.heic")
        // Tag, type and count of an orientation, and the 6 itself, are in the file.
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]
        #expect(bytes.indices.dropLast(9).contains { bytes[$0..<$0 + 10].elementsEqual(entry) })
        #expect(try ImageCodec.header(of: bytes, name: "turned").orientation == 1)
    }

    @Test(arguments: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])
    func theBrandTellsTheFormat(brand: String) {
        guard case .truncated(.heic, _) = failure([0, 0, 0, 24] + Array("ftyp\(brand)".utf8)) else {
            Issue.record("\(brand) was not taken for HEIC")
            return
        }
    }

    @Test
    func anAV1PictureIsUnsupportedUnderEitherBrand() throws {
        var bytes = try fixture("av1.avif")
        #expect(failure(bytes) == .foreign("an AVIF image"))
        bytes.replaceSubrange(8..<12, with: Array("mif1".utf8))
        #expect(failure(bytes) == .unsupported(.heic, "an AV1 picture (AVIF)"))
    }

    @Test
    func transparencyIsUnsupported() throws {
        #expect(
            try failure(fixture("alpha.heic"))
                == .unsupported(.heic, "a picture with transparency")
        )
    }

    @Test
    func pixelsAreLimited() throws {
        let bytes = try fixture("flat-256.heic")
        #expect(failure(bytes, options: DecodingOptions(maximumPixels: 65_536)) == nil)
        #expect(
            failure(bytes, options: DecodingOptions(maximumPixels: 65_535))
                == .tooManyPixels(width: 256, height: 256, limit: 65_535)
        )
    }

    @Test
    func aSizeThatIsTooLargeIsRefusedBeforeMemoryIsTaken() throws {
        #expect(
            try failure(flat(width: 0x7FFF_FFFF, height: 1 << 20))
                == .tooManyPixels(width: 0x7FFF_FFFF, height: 1 << 20, limit: 100_000_000)
        )
    }

    @Test(arguments: [(0, 256), (256, 0), (0xFFFF_FFFF, 0xFFFF_FFFF)])
    func aSizeThatMakesNoSenseIsCorrupt(width: Int, height: Int) throws {
        guard case .corrupt(.heic, _) = try failure(flat(width: width, height: height)) else {
            Issue.record("\(width) × \(height) was taken")
            return
        }
    }

    @Test
    func codedDataOfAnotherSizeThanStatedIsRefusedBeforeItIsDecoded() throws {
        guard case .corrupt(.heic, let detail) = try failure(flat(width: 24, height: 16)) else {
            Issue.record("a picture larger than its header says was decoded")
            return
        }
        #expect(detail == "24 × 16 pixels stated, 256 × 256 coded")
    }

    @Test(arguments: [6, 20, 60])
    func aCopyThatWasBrokenOffAndFilledWithZerosIsCorrupt(count: Int) throws {
        let bytes = try fixture("quarters.heic")
        guard case .corrupt(.heic, _) = failure(bytes.dropLast(count) + [UInt8](repeating: 0, count: count)) else {
            Issue.record("a picture of which \(count) bytes are missing was taken for whole")
            return
        }
    }

    @Test
    func aSecondTableOfTheSameKindIsRefused() throws {
        let bytes = try fixture("quarters.heic")
        let start = try #require(place(of: "meta", in: bytes)) - 4
        let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        let meta = bytes[start..<start + length]
        guard case .corrupt(.heic, let detail) = failure(bytes + meta) else {
            Issue.record("two meta boxes were taken")
            return
        }
        #expect(detail.hasPrefix("a second meta box"))
    }

    @Test
    func aGridThatIsMadeOfItselfIsRefused() throws {
        var bytes = try fixture("grid.heic")
        // One reference: from item 2, the grid, to one item, 1; set to 2.
        let reference = try #require(place(of: "dimg", in: bytes))
        #expect(Array(bytes[reference + 4..<reference + 10]) == [0, 2, 0, 1, 0, 1])
        bytes[reference + 9] = 2
        #expect(failure(bytes) != nil)
    }

    @Test
    func aGridOfOtherTilesThanHEVCIsUnsupported() throws {
        var bytes = try fixture("grid.heic")
        let type = try #require(place(of: "hvc1", in: bytes))
        bytes.replaceSubrange(type..<type + 4, with: Array("iden".utf8))
        guard case .unsupported(.heic, _) = failure(bytes) else {
            Issue.record("a derived tile was taken")
            return
        }
    }

    @Test(arguments: ["pitm", "iinf", "iloc", "iprp", "ispe", "hvcC", "mdat", "meta"])
    func aFileThatLacksABoxIsRefused(box: String) throws {
        var bytes = try fixture("quarters.heic")
        let start = try #require(place(of: box, in: bytes))
        bytes.replaceSubrange(start..<start + 4, with: Array("free".utf8))
        switch failure(bytes) {
        case .corrupt, .truncated: break
        // Without mdat nothing is missing: the coded data is found by its place in the file.
        case nil where box == "mdat": break
        case let other: Issue.record("without \(box): \(String(describing: other))")
        }
    }

    /// Returns a picture of one colour, 256 × 256, with another size in its `ispe` box.
    private func flat(width: Int, height: Int) throws -> [UInt8] {
        var bytes = try fixture("flat-256.heic")
        let start = try #require(place(of: "ispe", in: bytes)) + 8
        for (index, shift) in [24, 16, 8, 0].enumerated() {
            bytes[start + index] = UInt8(truncatingIfNeeded: width >> shift)
            bytes[start + 4 + index] = UInt8(truncatingIfNeeded: height >> shift)
        }
        return bytes
    }
}
