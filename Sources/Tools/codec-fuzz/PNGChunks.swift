import Imaging

/// The chunks of a PNG file, as far as a file that may be damaged has any.
enum PNGChunks {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func isPNG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// Returns the offsets of the chunks' length fields.
    static func offsets(_ bytes: [UInt8]) -> [Int] {
        var offsets: [Int] = []
        var offset = signature.count
        while let length = length(bytes, at: offset) {
            offsets.append(offset)
            offset += length + 12
        }
        return offsets
    }

    /// Gives every chunk the checksum that its contents call for.
    static func repairChecksums(_ bytes: inout [UInt8]) {
        for offset in offsets(bytes) {
            guard let length = length(bytes, at: offset) else { return }
            let end = offset + 8 + length
            let checksum = PNGChecksum.of(bytes[(offset + 4)..<end])
            for index in 0..<4 {
                bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
            }
        }
    }

    /// Returns the stated length of the chunk at `offset`; nil when no whole chunk is there.
    private static func length(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        return length <= bytes.count - offset - 12 ? length : nil
    }
}
