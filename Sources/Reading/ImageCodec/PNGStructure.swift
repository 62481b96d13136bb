/// Structure of a PNG file, as its chunks say it, read without decoding anything.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, sections 5 and 11.
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var width = 0
    var height = 0
    var bitDepth = 0
    var colourType = 0
    /// A `tRNS` chunk stands where it counts.
    var hasTransparency = false
    var orientation = 1
    /// Bytes of compressed pixels.
    var dataCount = 0
    /// The file was followed to its `IEND`.
    var isComplete = false

    /// Palette images count as colour.
    var isColour: Bool { colourType & 2 != 0 }
    var hasAlpha: Bool { colourType & 4 != 0 || hasTransparency }

    /// Bytes of the filtered rows before compression, of a picture that is not interlaced.
    var filteredByteCount: Int {
        let samples =
            switch colourType {
            case 2: 3
            case 4: 2
            case 6: 4
            default: 1
            }
        return height * (1 + (width * samples * bitDepth + 7) / 8)
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageCodecError) {
        guard bytes.count >= 33 else {
            throw .truncated(name: name, format: .png, detail: "it ends in the header, after \(bytes.count) bytes")
        }
        guard bytes.holds("IHDR", at: 12), bytes.bigEndian32(at: 8) == 13 else {
            throw .corrupt(name: name, format: .png, detail: "the first chunk is not IHDR")
        }
        width = bytes.bigEndian32(at: 16) ?? 0
        height = bytes.bigEndian32(at: 20) ?? 0
        bitDepth = Int(bytes[24])
        colourType = Int(bytes[25])
        guard 1..<1 << 31 ~= width, 1..<1 << 31 ~= height else {
            throw .corrupt(name: name, format: .png, detail: "its size is \(width) × \(height)")
        }
        let depths: [Int]? =
            switch colourType {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: nil
            }
        guard let depths, depths.contains(bitDepth) else {
            throw .corrupt(name: name, format: .png, detail: "colour type \(colourType) with \(bitDepth) bits")
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
            case "tRNS" where dataCount == 0: hasTransparency = true
            case "eXIf": orientation = Exif(bytes.part(chunk.content))?.orientation ?? orientation
            default: break
            }
        }
    }
}
