/// Structure of a JPEG file, from its markers, read without decoding.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGStructure {
    private(set) var width = 0
    private(set) var height = 0
    private var precision = 0
    private(set) var components = 0
    /// Number of passes over the picture.
    private var scans = 0
    private(set) var orientation = 1
    /// The parts of the file, up to its end if it was followed to its end-of-image marker.
    private(set) var parts: [FilePart] = [FilePart(range: 0..<2)]
    private(set) var isComplete = false

    /// Maximum number of scans of a file.
    ///
    /// An encoder writes about ten; every further one costs a pass over the whole picture, however few bytes it has.
    private static let maximumScans = 100

    private var hasFrame = false
    private var isProgressive = false
    /// Incomplete coefficients of each component, by its identifier: a bit for each of the 64.
    private var unfinished: [UInt8: UInt64] = [:]
    private var hasExif = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        var segments = JPEGSegments(bytes)
        while let segment = try segments.next() {
            let rest = read(segment.marker, bytes.part(segment.content))
            parts.append(FilePart(range: segment.range, rest: rest))
        }
        isComplete = segments.isComplete
        // Data after the end is mostly whole JPEG files, each with its own EXIF.
        if isComplete { parts.append(FilePart(range: segments.offset - 2..<bytes.count, rest: [0xFF, 0xD9])) }
        guard hasFrame else {
            if isComplete { throw .corrupt(.jpeg, "it has no frame header") }
            throw .truncated(.jpeg, "it ends before the frame header")
        }
        guard width > 0, height > 0 else { throw .corrupt(.jpeg, "its size is \(width) × \(height)") }
    }

    /// Checks that the file is whole, and of a kind that is decoded.
    func checkWhole() throws(ImageFault) {
        guard isComplete else { throw .truncated(.jpeg, "it ends before its end-of-image marker") }
        guard precision == 8, [1, 3, 4].contains(components) else {
            throw .unsupported(.jpeg, "a JPEG of \(components) components of \(precision) bits")
        }
        guard scans <= Self.maximumScans else {
            throw .unsupported(.jpeg, "a JPEG of \(scans) scans, more than the \(Self.maximumScans) allowed")
        }
        // A progressive file that lost its later scans decodes without a warning, to a coarser picture.
        guard unfinished.values.allSatisfy({ $0 == 0 }) else {
            throw .truncated(.jpeg, "some of its \(scans) scans are missing")
        }
    }

    /// Takes a segment into account, and returns what is left of it without metadata; nil for all of it.
    private mutating func read(_ marker: UInt8, _ content: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard !hasFrame, content.count >= 6 else { return nil }
            hasFrame = true
            precision = Int(content[0])
            height = content.bigEndian16(at: 1) ?? 0
            width = content.bigEndian16(at: 3) ?? 0
            components = Int(content[5])
            isProgressive = marker & 3 == 2
            for offset in stride(from: 6, to: content.count, by: 3).prefix(components) {
                unfinished[content[offset]] = .max
            }
            return nil
        case 0xDA:
            scans += 1
            readScan(content)
            return nil
        // Tables, restart intervals and the like, the colour profile, and the meaning of three and four components.
        case 0xC4, 0xCC, 0xDB...0xDF: return nil
        case 0xE2 where content.holds("ICC_PROFILE\0", at: 0): return nil
        case 0xEE where content.holds("Adobe", at: 0): return nil
        case 0xE0 where content.holds("JFIF\0", at: 0) && content.count >= 14:
            // The header's fields, and a thumbnail of 0 × 0.
            return [0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]
        case 0xE1 where !hasExif && content.holds("Exif\0", at: 0) && content.count > 6:
            // Later APP1 segments carry XMP, or a second camera's EXIF in a stereo file.
            hasExif = true
            orientation = Exif(inAPP1: content)?.orientation ?? 1
            guard orientation != 1 else { return [] }
            let block = Exif.block(orientation: orientation)
            return [0xFF, 0xE1, 0, UInt8(block.count + 8)] + "Exif\0\0".utf8 + block
        default: return []
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

/// A part of a file.
struct FilePart {
    var range: Range<Int>
    /// What is left of it when metadata are removed; nil for all of it.
    var rest: [UInt8]?
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
    ///
    /// `range`: the marker, the segment, and of a scan the coded data after it.
    mutating func next() throws(ImageFault) -> (marker: UInt8, range: Range<Int>, content: Range<Int>)? {
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
            if marker == 0xDA {
                // The next marker ends the coded data, but for those that restart it.
                while let end = nextMarker() {
                    guard !(0xD0...0xD7 ~= end) else { continue }
                    offset -= 2
                    break
                }
            }
            return (marker, start..<offset, content)
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
}
