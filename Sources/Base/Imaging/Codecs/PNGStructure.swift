/// Structure of a PNG file, from its chunks, read without decoding.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, sections 5 and 11.
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var width = 0
    var height = 0
    var bitDepth = 0
    var colourType = 0
    /// Whether a `tRNS` chunk with the right checksum is at a valid place.
    var hasTransparency = false
    var orientation = 1
    /// Bytes of compressed pixels.
    var dataCount = 0
    /// The file was followed to its `IEND`.
    var isComplete = false

    /// Samples of a pixel and the bits that one may have, by colour type (section 11.2.1).
    private static let colourTypes: [Int: (samples: Int, depths: [Int])] = [
        0: (1, [1, 2, 4, 8, 16]), 2: (3, [8, 16]), 3: (1, [1, 2, 4, 8]), 4: (2, [8, 16]), 6: (4, [8, 16]),
    ]

    /// Palette images count as colour.
    var isColour: Bool { colourType & 2 != 0 }
    var hasAlpha: Bool { colourType & 4 != 0 || hasTransparency }

    /// Bytes of the filtered rows before compression, of a picture that is not interlaced.
    var filteredByteCount: Int {
        height * (1 + (width * (Self.colourTypes[colourType]?.samples ?? 1) * bitDepth + 7) / 8)
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

    private mutating func readChunks(_ bytes: UnsafeBufferPointer<UInt8>) {
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next() {
            switch chunk.name {
            case "IEND":
                isComplete = true
                return
            case "IDAT": dataCount += chunk.content.count
            // As the decoder, which drops an ancillary chunk with a wrong checksum.
            case "tRNS" where dataCount == 0 && bytes.isIntact(chunk): hasTransparency = true
            case "eXIf" where bytes.isIntact(chunk):
                orientation = Exif(bytes.part(chunk.content))?.orientation ?? orientation
            default: break
            }
        }
    }
}

struct PNGChunk {
    var name: FourCharacterCode
    /// The whole chunk, length and checksum included.
    var range: Range<Int>
    var content: Range<Int>
}

/// Follows a PNG file from chunk to chunk.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, section 5.3.
struct PNGChunks {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Offset of the next chunk.
    private(set) var offset = PNGStructure.signature.count

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the next chunk; nil where the file ends or states a length that it has not got.
    mutating func next() -> PNGChunk? {
        guard let length = bytes.bigEndian32(at: offset), length < 1 << 31,
            let name = bytes.bigEndian32(at: offset + 4)
        else { return nil }
        let start = offset
        let content = offset + 8
        guard length <= bytes.count - content - 4 else { return nil }
        offset = content + length + 4
        return PNGChunk(name: FourCharacterCode(name), range: start..<offset, content: content..<content + length)
    }
}

/// The checksum that ends a PNG chunk.
package enum PNGChecksum {
    /// Returns the checksum of a chunk's name and content.
    ///
    /// Source: PNG specification, third edition, annex D.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a chunk has the checksum that it states.
    fileprivate func isIntact(_ chunk: PNGChunk) -> Bool {
        let stated = bigEndian32(at: chunk.content.upperBound)
        return stated == Int(PNGChecksum.of(part(chunk.range.lowerBound + 4..<chunk.content.upperBound)))
    }
}

/// The parts of a PNG file that are not the picture.
enum PNGMetadata {
    /// Ancillary chunks that affect the display of the pixels.
    private static let needed: Set<FourCharacterCode> = [
        "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "hIST", "sPLT", "pHYs",
    ]

    static func stripped(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) -> StrippedPicture {
        let structure = try PNGStructure(bytes)
        guard structure.isComplete else { throw .truncated(.png, "\(bytes.count) bytes without an IEND chunk") }
        let orientation = chunk("eXIf", Exif.block(orientation: structure.orientation))
        var isOriented = structure.orientation == 1
        var kept = PNGStructure.signature
        kept.reserveCapacity(bytes.count)
        var removed: Set<MetadataKind> = []
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next() {
            let found = kinds(of: chunk, in: bytes)
            if found.isEmpty {
                kept += bytes.part(chunk.range)
            } else if structure.orientation == 1 || !bytes.part(chunk.range).elementsEqual(orientation) {
                removed.formUnion(found)
            }
            if chunk.name == "eXIf", !isOriented {
                kept += orientation
                isOriented = true
            }
            if chunk.name == "IEND" { break }
        }
        if chunks.offset < bytes.count { removed.insert(.trailingData) }
        return StrippedPicture(bytes: kept, removed: removed)
    }

    static func kinds(in bytes: UnsafeBufferPointer<UInt8>) -> Set<MetadataKind> {
        var kinds: Set<MetadataKind> = []
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next(), chunk.name != "IEND" { kinds.formUnion(Self.kinds(of: chunk, in: bytes)) }
        return kinds
    }

    /// Kinds of metadata in a chunk; empty for a chunk that the picture needs.
    private static func kinds(of chunk: PNGChunk, in bytes: UnsafeBufferPointer<UInt8>) -> Set<MetadataKind> {
        let content = bytes.part(chunk.content)
        // The names of critical chunks begin with a capital letter.
        if bytes[chunk.range.lowerBound + 4] & 0x20 == 0 || needed.contains(chunk.name) { return [] }
        switch chunk.name {
        case "eXIf": return Exif.kinds(in: content)
        case "iTXt" where content.holds("XML:com.adobe.xmp\0", at: 0): return XMP.kinds(in: content)
        case "tEXt", "zTXt", "iTXt": return [.text]
        case "tIME": return [.time]
        default: return [.applicationData]
        }
    }

    /// Returns a whole chunk: length, name, content and checksum.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let checked = name.utf8 + content
        return bytes(UInt32(content.count)) + checked + bytes(PNGChecksum.of(checked))
    }
}
