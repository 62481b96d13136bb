/// Structure of a PNG file, from its chunks, read without decoding.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, sections 5 and 11.
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private(set) var width = 0
    private(set) var height = 0
    private var bitDepth = 0
    private var colourType = 0
    /// Whether a `tRNS` chunk with the right checksum is at a valid place.
    private var hasTransparency = false
    private(set) var orientation = 1
    /// Bytes of compressed pixels.
    private var dataCount = 0
    /// The parts of the file, up to its end if it was followed to its `IEND`.
    private(set) var parts: [FilePart] = [FilePart(range: 0..<signature.count)]
    private(set) var isComplete = false

    /// Samples of a pixel and the bits that one may have, by colour type (section 11.2.1).
    private static let colourTypes: [Int: (samples: Int, depths: [Int])] = [
        0: (1, [1, 2, 4, 8, 16]), 2: (3, [8, 16]), 3: (1, [1, 2, 4, 8]), 4: (2, [8, 16]), 6: (4, [8, 16]),
    ]

    /// Palette images count as colour.
    var isColour: Bool { colourType & 2 != 0 }
    var hasAlpha: Bool { colourType & 4 != 0 || hasTransparency }

    /// Checks that the file can hold its picture.
    func checkWhole() throws(ImageFault) {
        guard isComplete else { throw .truncated(.png, "it ends before its IEND chunk") }
        // Bytes of the filtered rows before compression. Interlacing only adds bytes.
        let count = height * (1 + (width * (Self.colourTypes[colourType]?.samples ?? 1) * bitDepth + 7) / 8)
        // Deflate packs at most 1032 bytes into one (RFC 1951: 258 bytes for two bits), so less data than this cannot
        // hold the picture, and no memory need be taken to find out.
        guard dataCount >= count / 1032 else {
            throw .truncated(.png, "\(dataCount) bytes cannot hold \(width) × \(height) pixels")
        }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        guard bytes.count >= 33 else { throw .truncated(.png, "it ends in the header, after \(bytes.count) bytes") }
        guard bytes.holds("IHDR", at: 12), bytes.bigEndian32(at: 8) == 13 else {
            throw .corrupt(.png, "the first chunk is not IHDR")
        }
        width = bytes.bigEndian32(at: 16) ?? 0
        height = bytes.bigEndian32(at: 20) ?? 0
        bitDepth = Int(bytes[24])
        colourType = Int(bytes[25])
        guard 1..<1 << 31 ~= width, 1..<1 << 31 ~= height else {
            throw .corrupt(.png, "its size is \(width) × \(height)")
        }
        guard let type = Self.colourTypes[colourType], type.depths.contains(bitDepth) else {
            throw .corrupt(.png, "colour type \(colourType) with \(bitDepth) bits")
        }
        readChunks(bytes)
    }

    /// Follows the file from chunk to chunk, until it ends or states a length that it has not got.
    private mutating func readChunks(_ bytes: UnsafeBufferPointer<UInt8>) {
        var start = Self.signature.count
        var exif: Int?
        while !isComplete, let length = bytes.bigEndian32(at: start), length < 1 << 31,
            length <= bytes.count - start - 12
        {
            let named = bytes.part(start + 4..<start + 8 + length)
            let content = named.part(4..<named.count)
            let name = String(decoding: named.prefix(4), as: UTF8.self)
            // As the decoder, which drops an ancillary chunk with a wrong checksum.
            var isIntact: Bool { bytes.bigEndian32(at: start + 8 + length) == Int(PNGChecksum.of(named)) }
            switch name {
            case "IEND": isComplete = true
            case "IDAT": dataCount += length
            case "tRNS" where dataCount == 0 && isIntact: hasTransparency = true
            case "eXIf":
                exif = exif ?? parts.count
                if isIntact { orientation = Exif(content)?.orientation ?? orientation }
            default: break
            }
            // The names of critical chunks begin with a capital letter.
            let isNeeded = named[0] & 0x20 == 0 || Self.needed.contains(name)
            parts.append(FilePart(range: start..<start + 12 + length, rest: isNeeded ? nil : []))
            start += 12 + length
        }
        if isComplete { parts.append(FilePart(range: start..<bytes.count, rest: [])) }
        guard let exif, orientation != 1 else { return }
        func bigEndian(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let block = "eXIf".utf8 + Exif.block(orientation: orientation)
        parts[exif].rest = bigEndian(UInt32(block.count - 4)) + block + bigEndian(PNGChecksum.of(block))
    }

    /// Ancillary chunks that affect the display of the pixels.
    private static let needed: Set<String> = [
        "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "hIST", "sPLT", "pHYs",
    ]
}

/// The checksum that ends a PNG chunk.
package enum PNGChecksum {
    /// Returns the checksum of a chunk's name and content.
    ///
    /// Source: PNG specification, third edition, annex D.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        }
    }
}
