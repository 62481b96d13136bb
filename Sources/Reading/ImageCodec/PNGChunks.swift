/// One chunk of a PNG file.
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
    /// Where the next chunk begins.
    private(set) var offset = PNGStructure.signature.count

    /// Begins after the signature.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next chunk; nil where the file ends or states a length that it has not got.
    mutating func next() -> PNGChunk? {
        guard let length = bytes.bigEndian32(at: offset), length < 1 << 31,
            let name = bytes.bigEndian32(at: offset + 4)
        else { return nil }
        let start = offset
        let content = offset + 8
        guard length <= bytes.count - content - 4 else { return nil }
        offset = content + length + 4
        return PNGChunk(
            name: FourCharacterCode(name),
            range: start..<offset,
            content: content..<content + length
        )
    }
}

/// The checksum that ends a PNG chunk.
package enum PNGChecksum {
    /// The checksum of a chunk's name and content.
    ///
    /// Source: PNG specification, third edition, annex D.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}
