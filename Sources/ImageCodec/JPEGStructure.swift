/// What the markers of a JPEG file say, read without decoding anything.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGStructure {
    var width = 0
    var height = 0
    var precision = 0
    var components = 0
    /// The first scan is not the last: the decoder keeps all coefficients until the last scan has been read.
    var scans = 0
    var orientation = 1
    /// The file was followed to its end-of-image marker.
    var isComplete = false

    private var hasFrame = false
    private var hasExif = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageCodecError) {
        var offset = 2
        while let marker = Self.nextMarker(bytes, from: &offset) {
            if marker == 0xD9 {
                isComplete = true
                break
            }
            // TEM and the restart markers stand alone.
            if marker == 0x01 || 0xD0...0xD7 ~= marker { continue }
            guard let length = bytes.bigEndian16(at: offset) else { break }
            guard length >= 2 else {
                throw .corrupt(name: name, format: .jpeg, detail: "a segment of \(length) bytes at byte \(offset)")
            }
            guard length <= bytes.count - offset else { break }
            read(marker, bytes.part(offset + 2..<offset + length))
            offset += length
            if marker == 0xDA { Self.skipScan(bytes, &offset) }
        }
        guard hasFrame else {
            if isComplete { throw .corrupt(name: name, format: .jpeg, detail: "it has no frame header") }
            throw .truncated(name: name, format: .jpeg, detail: "it ends before the frame header")
        }
        guard width > 0, height > 0 else {
            throw .corrupt(name: name, format: .jpeg, detail: "its size is \(width) × \(height)")
        }
    }

    private mutating func read(_ marker: UInt8, _ content: UnsafeBufferPointer<UInt8>) {
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard !hasFrame, content.count >= 6 else { return }
            hasFrame = true
            precision = Int(content[0])
            height = content.bigEndian16(at: 1) ?? 0
            width = content.bigEndian16(at: 3) ?? 0
            components = Int(content[5])
        case 0xDA:
            scans += 1
        case 0xE1:
            // Later APP1 segments carry XMP, or a second camera's EXIF in a stereo file.
            guard !hasExif, content.holds("Exif\0", at: 0), content.count > 6 else { return }
            hasExif = true
            orientation = Exif.orientation(inTIFF: content.part(6..<content.count)) ?? 1
        default:
            break
        }
    }

    /// Moves past the next marker and gives its code; nil at the end of the file. Stray bytes are skipped, as libjpeg does.
    private static func nextMarker(_ bytes: UnsafeBufferPointer<UInt8>, from offset: inout Int) -> UInt8? {
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

    /// Moves to the marker that ends the entropy-coded data at `offset`.
    private static func skipScan(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) {
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
