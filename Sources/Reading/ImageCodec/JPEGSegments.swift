/// One segment of a JPEG file.
struct JPEGSegment {
    var marker: UInt8
    /// The marker, the segment, and of a scan the coded data after it.
    var range: Range<Int>
    /// Content, behind the length field.
    var content: Range<Int>
}

/// Follows a JPEG file from segment to segment.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGSegments {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let name: String
    /// Where the next segment is looked for; past the end-of-image marker once that was met.
    private(set) var offset = 2
    /// The file was followed to its end-of-image marker.
    private(set) var isComplete = false

    /// Begins after the start-of-image marker.
    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String) {
        self.bytes = bytes
        self.name = name
    }

    /// The next segment; nil at the end of the image, or where the file ends before it.
    mutating func next() throws(ImageCodecError) -> JPEGSegment? {
        while let marker = nextMarker() {
            let start = offset - 2
            if marker == 0xD9 {
                isComplete = true
                return nil
            }
            // TEM and the restart markers stand alone.
            if marker == 0x01 || 0xD0...0xD7 ~= marker { continue }
            guard let length = bytes.bigEndian16(at: offset) else { return nil }
            guard length >= 2 else {
                throw .corrupt(name: name, format: .jpeg, detail: "a segment of \(length) bytes at byte \(offset)")
            }
            guard length <= bytes.count - offset else { return nil }
            let content = offset + 2..<offset + length
            offset += length
            if marker == 0xDA { skipScan() }
            return JPEGSegment(marker: marker, range: start..<offset, content: content)
        }
        return nil
    }

    /// Moves past the next marker and gives its code; nil at the end of the file.
    ///
    /// Stray bytes are skipped, as libjpeg does.
    private mutating func nextMarker() -> UInt8? {
        while offset < bytes.count - 1 {
            let code = bytes[offset + 1]
            if bytes[offset] == 0xFF, code != 0x00, code != 0xFF {
                offset += 2
                return code
            }
            offset += 1
        }
        return nil
    }

    /// Moves to the marker that ends the entropy-coded data.
    private mutating func skipScan() {
        while offset < bytes.count - 1 {
            guard bytes[offset] == 0xFF else {
                offset += 1
                continue
            }
            let code = bytes[offset + 1]
            if code != 0x00, code != 0xFF, !(0xD0...0xD7 ~= code) { return }
            offset += code == 0xFF ? 1 : 2
        }
    }
}
