/// Structure of a JPEG file, as its markers say it, read without decoding anything.
///
/// Source: ITU-T T.81 (1992), annex B.
struct JPEGStructure {
    var width = 0
    var height = 0
    var precision = 0
    var components = 0
    /// Passes over the picture that the file holds.
    var scans = 0
    var orientation = 1
    /// The file was followed to its end-of-image marker.
    var isComplete = false

    /// Whether the scans give every coefficient of every component to its last bit.
    ///
    /// A progressive file that lost its later
    /// scans decodes without a warning, to a coarser picture.
    var hasAllScans: Bool { unfinished.values.allSatisfy { $0 == 0 } }

    private var hasFrame = false
    private var isProgressive = false
    /// For each component, by its identifier, a bit for each of its 64 coefficients that is not yet complete.
    private var unfinished: [UInt8: UInt64] = [:]
    private var hasExif = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageCodecError) {
        var segments = JPEGSegments(bytes, name: name)
        while let segment = try segments.next() { read(segment.marker, bytes.part(segment.content)) }
        isComplete = segments.isComplete
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
