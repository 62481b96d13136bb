/// Structure of a JPEG file, from its markers, read without decoding.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGStructure {
    var width = 0
    var height = 0
    var precision = 0
    var components = 0
    /// Number of passes over the picture.
    var scans = 0
    var orientation = 1
    /// The file was followed to its end-of-image marker.
    var isComplete = false

    /// Whether the scans give every coefficient of every component to its last bit.
    ///
    /// A progressive file that lost its later scans decodes without a warning, to a coarser picture.
    var hasAllScans: Bool { unfinished.values.allSatisfy { $0 == 0 } }

    private var hasFrame = false
    private var isProgressive = false
    /// Incomplete coefficients of each component, by its identifier: a bit for each of the 64.
    private var unfinished: [UInt8: UInt64] = [:]
    private var hasExif = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        var segments = JPEGSegments(bytes)
        while let segment = try segments.next() { read(segment.marker, bytes.part(segment.content)) }
        isComplete = segments.isComplete
        guard hasFrame else {
            if isComplete { throw .corrupt(.jpeg, "it has no frame header") }
            throw .truncated(.jpeg, "it ends before the frame header")
        }
        guard width > 0, height > 0 else { throw .corrupt(.jpeg, "its size is \(width) × \(height)") }
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
            isProgressive = marker & 3 == 2
            for offset in stride(from: 6, to: content.count, by: 3).prefix(components) {
                unfinished[content[offset]] = .max
            }
        case 0xDA:
            scans += 1
            readScan(content)
        case 0xE1:
            // Later APP1 segments carry XMP, or a second camera's EXIF in a stereo file.
            guard !hasExif, let tiff = Exif.tiff(inAPP1: content) else { return }
            hasExif = true
            orientation = Exif(tiff)?.orientation ?? 1
        default:
            break
        }
    }

    /// Takes the coefficients that a scan completes off the list.
    private mutating func readScan(_ content: UnsafeBufferPointer<UInt8>) {
        guard let components = content.first.map(Int.init), content.count >= 4 + 2 * components else { return }
        let parameters = content.part(1 + 2 * components..<4 + 2 * components)
        let (first, last, lowBit) = (parameters[0], parameters[1], parameters[2] & 15)
        var completed = UInt64.max
        if isProgressive {
            guard first <= last, last < 64, lowBit == 0 else { return }
            completed = (UInt64.max << UInt64(first)) & (UInt64.max >> UInt64(63 - last))
        }
        for index in 0..<components { unfinished[content[1 + 2 * index], default: 0] &= ~completed }
    }
}

struct JPEGSegment {
    var marker: UInt8
    /// The marker, the segment, and of a scan the coded data after it.
    var range: Range<Int>
    var content: Range<Int>
}

/// Follows a JPEG file from segment to segment.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGSegments {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Offset of the next segment; past the end-of-image marker after its detection.
    private(set) var offset = 2
    /// The file was followed to its end-of-image marker.
    private(set) var isComplete = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the next segment; nil at the end of the image, or where the file ends before it.
    mutating func next() throws(ImageFault) -> JPEGSegment? {
        while let marker = nextMarker() {
            let start = offset - 2
            if marker == 0xD9 {
                isComplete = true
                return nil
            }
            // TEM and the restart markers have no content.
            if marker == 0x01 || 0xD0...0xD7 ~= marker { continue }
            guard let length = bytes.bigEndian16(at: offset) else { return nil }
            guard length >= 2 else { throw .corrupt(.jpeg, "a segment of \(length) bytes at byte \(offset)") }
            guard length <= bytes.count - offset else { return nil }
            let content = offset + 2..<offset + length
            offset += length
            if marker == 0xDA { skipScan() }
            return JPEGSegment(marker: marker, range: start..<offset, content: content)
        }
        return nil
    }

    /// Moves past the next marker and returns its code; nil at the end of the file.
    ///
    /// Stray bytes are skipped, as in libjpeg.
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

/// The parts of a JPEG file that are not the picture.
enum JPEGMetadata {
    static func stripped(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) -> StrippedPicture {
        let structure = try JPEGStructure(bytes)
        guard structure.isComplete else {
            throw .truncated(.jpeg, "\(bytes.count) bytes without an end-of-image marker")
        }
        // APP1 with the length of the following content.
        let content = Array("Exif\0\0".utf8) + Exif.block(orientation: structure.orientation)
        let orientation = [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
        var isOriented = structure.orientation == 1
        var kept: [UInt8] = [0xFF, 0xD8]
        kept.reserveCapacity(bytes.count)
        var removed: Set<MetadataKind> = []
        var segments = JPEGSegments(bytes)
        while let segment = try segments.next() {
            let found = kinds(of: segment, in: bytes)
            if found == [.thumbnail], segment.marker == 0xE0, bytes.holds("JFIF\0", at: segment.content.lowerBound) {
                // The header stays: a length of 16, the fields, and a thumbnail of 0 × 0.
                kept += [0xFF, 0xE0, 0, 16] + bytes.part(segment.content).prefix(12) + [0, 0]
                removed.insert(.thumbnail)
            } else if found.isEmpty {
                // JFIF wants to be the first segment.
                if !isOriented, segment.marker != 0xE0 {
                    kept += orientation
                    isOriented = true
                }
                kept += bytes.part(segment.range)
            } else if structure.orientation == 1 || !bytes.part(segment.range).elementsEqual(orientation) {
                removed.formUnion(found)
            }
        }
        kept += [0xFF, 0xD9]
        if segments.offset < bytes.count { removed.insert(.trailingData) }
        return StrippedPicture(bytes: kept, removed: removed)
    }

    static func kinds(in bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) -> Set<MetadataKind> {
        var kinds: Set<MetadataKind> = []
        var segments = JPEGSegments(bytes)
        while let segment = try segments.next() { kinds.formUnion(Self.kinds(of: segment, in: bytes)) }
        guard segments.isComplete, segments.offset < bytes.count else { return kinds }
        kinds.insert(.trailingData)
        // Mostly these are whole JPEG files, each with its own EXIF.
        for offset in segments.offset..<bytes.count where bytes.holds("Exif\0\0", at: offset) {
            kinds.formUnion(Exif.kinds(in: bytes.part(offset + 6..<bytes.count)))
        }
        return kinds
    }

    /// Kinds of metadata in a segment; empty for a segment that the picture needs.
    private static func kinds(of segment: JPEGSegment, in bytes: UnsafeBufferPointer<UInt8>) -> Set<MetadataKind> {
        let content = bytes.part(segment.content)
        switch segment.marker {
        // Frames, tables, scans, restart intervals and the like.
        case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xDF: return []
        case 0xE0 where content.holds("JFIF\0", at: 0) && content.count >= 14:
            return content.count > 14 || content[12] != 0 || content[13] != 0 ? [.thumbnail] : []
        case 0xE0 where content.holds("JFXX\0", at: 0): return [.thumbnail]
        case 0xE1:
            if let tiff = Exif.tiff(inAPP1: content) { return Exif.kinds(in: tiff) }
            return content.holds("http://ns.adobe.com/x", at: 0) ? XMP.kinds(in: content) : [.applicationData]
        case 0xE2 where content.holds("ICC_PROFILE\0", at: 0): return []
        case 0xE2 where content.holds("MPF\0", at: 0): return [.otherPictures]
        case 0xED: return [.photoshop]
        // Meaning of three and four colour components.
        case 0xEE where content.holds("Adobe", at: 0): return []
        case 0xFE: return [.comment]
        default: return [.applicationData]
        }
    }
}
