import Testing

@testable import Imaging

struct MetadataTests {
    private func stripped(_ bytes: [UInt8]) throws -> [UInt8] {
        try ImageCodec.withoutMetadata(bytes, name: "some file")
    }

    @Test func aJPEGKeepsNothingButThePictureAndTheWayUp() throws {
        let result = try stripped(fixture("metadata.jpg"))
        #expect(segments(result).prefix(3).map(\.0) == [0xE0, 0xE1, 0xE2])
        #expect(segments(result).filter { $0.0 == 0xE1 }.map(\.1) == [exif(orientation: 6, bigEndian: true)])
        // The colour profile stays; the words of all the rest are removed.
        #expect(place(of: "ICC_PROFILE", in: result) != nil)
        for word in ["GPS", "serial", "Maker", "2026", "by me", "8BIM", "MPF", "xmpmeta"] {
            #expect(place(of: word, in: result) == nil, "\(word) was left")
        }
    }

    @Test func aPNGKeepsNothingButThePictureAndTheWayUp() throws {
        let bytes = try fixture("metadata.png")
        let kept = try chunks(stripped(bytes))
        #expect(kept.map(\.name) == ["IHDR", "pHYs", "eXIf", "IDAT", "IEND"])
        // Whole, with the checksums that they had.
        for chunk in kept where chunk.name != "eXIf" {
            #expect(chunks(bytes).contains { $0.bytes == chunk.bytes })
        }
    }

    @Test(arguments: [
        "baseline.jpg", "progressive.jpg", "restart.jpg", "grey.jpg", "cmyk.jpg", "ycck.jpg", "exif-6.jpg",
        "metadata.jpg", "grey-16.png", "palette-trns.png", "rgb-trns.png", "interlaced.png", "gamma.png", "exif.png",
        "huge-chunks.png", "metadata.png",
    ])
    func thePixelsStayAndASecondTimeChangesNothing(name: String) throws {
        let bytes = try fixture(name)
        let once = try stripped(bytes)
        #expect(try ImageCodec.decode(once, name: name) == ImageCodec.decode(bytes, name: name))
        #expect(try stripped(once) == once)
        #expect(once.count <= bytes.count)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>, [false, true])
    func theOrientationSurvives(orientation: UInt8, bigEndian: Bool) throws {
        let stored = try fixture("baseline.jpg")
        let result = try stripped(withAPP1(stored, exif(orientation: orientation, bigEndian: bigEndian)))
        let header = try ImageCodec.header(of: result, name: "stripped")
        #expect(header.orientation == Int(orientation))
        // An upright picture needs no EXIF.
        #expect(segments(result).contains { $0.0 == 0xE1 } == (orientation != 1))
    }

    @Test
    func aThumbnailInTheJFIFHeaderGoes() throws {
        let bytes = try fixture("baseline.jpg")
        // Length 16, and a thumbnail of 0 × 0, which becomes one of 1 × 1 with its three bytes.
        #expect(Array(bytes[2..<6]) == [0xFF, 0xE0, 0, 16])
        let with = Array(bytes[..<5]) + [19] + bytes[6..<18] + [1, 1, 7, 8, 9] + bytes[20...]
        #expect(try stripped(with) == bytes)
    }

    @Test func whatCannotBeStrippedIsNamed() throws {
        var bytes = try fixture("baseline.jpg")
        bytes.replaceSubrange(4..<6, with: [0, 1])
        let fault = ImageFault.corrupt(.jpeg, "a segment of 1 bytes at byte 4")
        #expect(throws: ImageCodecError(name: "some file", fault: fault)) { try stripped(bytes) }
        #expect(throws: ImageCodecError(name: "some file", fault: .notStripped(.heic))) {
            try stripped(fixture("quarters.heic"))
        }
        // The second picture behind the first one's end may well be missing.
        for (name, end) in [("metadata.jpg", 400), ("metadata.png", 0)] {
            let bytes = try fixture(name)
            for count in 0..<bytes.count - end {
                #expect(throws: ImageCodecError.self) { try stripped(Array(bytes.prefix(count))) }
            }
        }
    }

    @Test(arguments: [
        ("metadata.jpg", true), ("metadata.png", true), ("turned-6-gps.heic", true), ("exif-6.jpg", false),
        ("exif.png", false), ("turned-5.heic", false), ("quarters.heic", false), ("rgb.png", false),
    ])
    func aLocationIsFound(name: String, expected: Bool) throws {
        #expect(try ImageCodec.containsLocation(fixture(name), name: name) == expected)
        if !name.hasSuffix("heic") {
            #expect(try !ImageCodec.containsLocation(stripped(fixture(name)), name: name))
        }
    }

    @Test
    func aLocationIsFoundInXMPAndBehindThePicture() throws {
        let plain = try fixture("baseline.jpg")
        let packet = Array("http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude='52,31.2N'/>".utf8)
        #expect(try ImageCodec.containsLocation(withAPP1(plain, packet), name: "XMP"))
        #expect(try ImageCodec.containsLocation(plain + fixture("metadata.jpg"), name: "two pictures"))
        // A GPS directory with a version and no place.
        let version: [UInt8] =
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 2, 3, 0, 0, 0, 0, 0, 0]
        #expect(try !ImageCodec.containsLocation(withAPP1(plain, Array("Exif\0\0".utf8) + version), name: "version"))
    }

    /// Returns marker and content of the segments of a JPEG, up to the first scan.
    private func segments(_ jpeg: [UInt8]) -> [(UInt8, [UInt8])] {
        var result: [(UInt8, [UInt8])] = []
        var offset = 2
        while jpeg[offset + 1] != 0xDA {
            let length = Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3])
            result.append((jpeg[offset + 1], Array(jpeg[offset + 4..<offset + 2 + length])))
            offset += 2 + length
        }
        return result
    }

    /// Returns a TIFF block with a GPS directory, whose values are rationals' numerators and denominators in turn.
    private func gps(
        _ latitude: [UInt32],
        _ north: String?,
        _ longitude: [UInt32],
        _ east: String?,
        status: String? = nil,
        type: Int = 5,
        bigEndian: Bool = false
    ) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(value & 0xFF), UInt8(value >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
        func long(_ value: Int) -> [UInt8] {
            let (low, high) = (short(value & 0xFFFF), short(value >> 16))
            return bigEndian ? high + low : low + high
        }
        var (entries, data): ([[UInt8]], [UInt8]) = ([], [])
        let texts = [(1, north), (3, east), (9, status)].compactMap { tag, text in
            text.map { (tag, Array("\($0)\0".utf8)) }
        }
        // The head takes 8 bytes, the first directory 18.
        let start = 26 + 6 + 12 * (texts.count + 2)
        func add(_ tag: Int, _ type: Int, _ count: Int, _ bytes: [UInt8]) {
            let isFar = bytes.count > 4
            let value = isFar ? long(start + data.count) : bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            entries.append(short(tag) + short(type) + long(count) + value)
            if isFar { data += bytes }
        }
        for (tag, text) in texts { add(tag, 2, text.count, text) }
        for (tag, numbers) in [(2, latitude), (4, longitude)] {
            add(tag, type, numbers.count / 2, numbers.flatMap { long(Int($0)) })
        }
        var tiff = Array((bigEndian ? "MM" : "II").utf8) + short(42) + long(8)
        tiff += short(1) + short(0x8825) + short(4) + long(1) + long(26) + long(0)
        return tiff + short(entries.count) + entries.flatMap(\.self) + long(0) + data
    }

    /// Returns the place in a JPEG with a TIFF block.
    private func coordinate(_ tiff: some Sequence<UInt8>) throws -> String {
        let jpeg = try withAPP1(fixture("baseline.jpg"), Array("Exif\0\0".utf8) + tiff)
        guard let found = ImageCodec.exif(of: jpeg, { $0.coordinate }) else { return "none" }
        func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        return "\(rounded(found.latitude)), \(rounded(found.longitude))"
    }

    /// 48° 12' 30" north, 16° 21' 36" west.
    @Test func aBlockThatIsCutAnywhereHasNoPlace() throws {
        let tiff = gps([48, 1, 12, 1, 30, 1], "N", [16, 1, 21, 1, 36, 1], "W")
        #expect(try coordinate(tiff) == "48.2083, -16.36")
        for count in 0..<tiff.count { #expect(try coordinate(tiff[..<count]) == "none") }
    }

    /// Exif 2.32, 4.6.6 (tags 1 to 4 and 9); by hand: 36° 48' 14.4" is 36.804°, 174° 43' 35.4" is 174.7265°.
    private static let usual: [UInt32] = [36, 1, 48, 1, 144, 10]

    @Test(
        arguments: [
            (usual, "S", "E", nil, 5, "-36.804, 174.7265"), (usual, "s", "e", nil, 5, "-36.804, 174.7265"),
            (usual, "South", "West", "A", 5, "-36.804, -174.7265"), (usual, "S", "E", nil, 10, "-36.804, 174.7265"),
            (usual, " north", "EAST", nil, 5, "36.804, 174.7265"), (usual, nil, "E", nil, 5, "none"),
            (usual, "N", "", nil, 5, "none"), (usual, "E", "N", nil, 5, "none"), (usual, "S", "E", "V", 5, "none"),
            (usual, "S", "E", "v", 5, "none"), ([36_804, 1_000], "S", "E", nil, 5, "-36.804, 174.7265"),
            ([36_804, 1_000, 0, 1, 0, 0], "S", "E", nil, 5, "-36.804, 174.7265"),
            ([36, 1, 4_824, 100], "S", "E", nil, 5, "-36.804, 174.7265"),
            ([0, 0, 48, 1, 144, 10], "S", "E", nil, 5, "none"), ([36, 1, 48, 0, 144, 10], "S", "E", nil, 5, "none"),
            ([36, 1, 61, 1, 0, 1], "S", "E", nil, 5, "none"), ([91, 1, 0, 1, 0, 1], "S", "E", nil, 5, "none"),
            (usual + [1, 1], "S", "E", nil, 5, "none"), ([4_294_967_260, 1, 0, 1, 0, 1], "S", "E", nil, 10, "none"),
            ([0, 1, 0, 1, 0, 1], "N", "E", nil, 5, "0.0, 174.7265"),
        ] as [([UInt32], String?, String?, String?, Int, String)],
        [false, true]
    )
    func placesOfOtherWritersAreRead(
        row: (latitude: [UInt32], north: String?, east: String?, status: String?, type: Int, expected: String),
        bigEndian: Bool
    ) throws {
        let (north, east, status) = (row.north, row.east, row.status)
        let longitude: [UInt32] = [174, 1, 43, 1, 354, 10]
        let tiff = gps(row.latitude, north, longitude, east, status: status, type: row.type, bigEndian: bigEndian)
        #expect(try coordinate(tiff) == row.expected)
    }

    /// Cameras without a fix write zeros.
    @Test(arguments: ["N", "S"]) func zerosAreNoPlace(north: String) throws {
        let zero: [UInt32] = [0, 1, 0, 1, 0, 1]
        #expect(try coordinate(gps(zero, north, zero, "E")) == "none")
        #expect(try coordinate(gps([0, 0, 0, 0, 0, 0], north, [0, 0, 0, 0, 0, 0], "E", bigEndian: true)) == "none")
    }
}
