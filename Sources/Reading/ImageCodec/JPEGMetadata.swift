/// The parts of a JPEG file that are not the picture.
enum JPEGMetadata {
    /// The file without them.
    static func stripped(
        _ bytes: UnsafeBufferPointer<UInt8>,
        name: String
    ) throws(ImageCodecError) -> StrippedPicture {
        let structure = try JPEGStructure(bytes, name: name)
        guard structure.isComplete else {
            throw .truncated(name: name, format: .jpeg, detail: "\(bytes.count) bytes without an end-of-image marker")
        }
        // APP1 with the length of what follows.
        let content = Array("Exif\0\0".utf8) + Exif.block(orientation: structure.orientation)
        let orientation = [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
        var isOriented = structure.orientation == 1
        var kept: [UInt8] = [0xFF, 0xD8]
        kept.reserveCapacity(bytes.count)
        var removed: Set<MetadataKind> = []
        var segments = JPEGSegments(bytes, name: name)
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

    /// Kinds of metadata in a file.
    static func kinds(
        in bytes: UnsafeBufferPointer<UInt8>,
        name: String
    ) throws(ImageCodecError) -> Set<MetadataKind> {
        var kinds: Set<MetadataKind> = []
        var segments = JPEGSegments(bytes, name: name)
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
        // What the colours of three and four components mean.
        case 0xEE where content.holds("Adobe", at: 0): return []
        case 0xFE: return [.comment]
        default: return [.applicationData]
        }
    }
}
