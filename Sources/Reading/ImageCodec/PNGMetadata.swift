/// The parts of a PNG file that are not the picture.
enum PNGMetadata {
    /// Ancillary chunks that say how the pixels are to be shown.
    private static let needed: Set<FourCharacterCode> = [
        "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "hIST", "sPLT", "pHYs",
    ]

    /// The file without them.
    static func stripped(
        _ bytes: UnsafeBufferPointer<UInt8>,
        name: String
    ) throws(ImageCodecError) -> StrippedPicture {
        let structure = try PNGStructure(bytes, name: name)
        guard structure.isComplete else {
            throw .truncated(name: name, format: .png, detail: "\(bytes.count) bytes without an IEND chunk")
        }
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

    /// Kinds of metadata in a file.
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

    /// A whole chunk: length, name, content and checksum.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let checked = name.utf8 + content
        return bytes(UInt32(content.count)) + checked + bytes(PNGChecksum.of(checked))
    }
}
