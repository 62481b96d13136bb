import Raster

/// A file's bytes, known to begin as a PNG, JPEG or HEIC within the limits.
struct ImageFile {
    let header: ImageHeader
    private let bytes: UnsafeBufferPointer<UInt8>
    private let structure: Structure

    private enum Structure {
        case png(PNGStructure)
        case jpeg(JPEGStructure)
        case heic(HEIFHandle)
    }

    /// Reads the header out of `bytes`, which must outlive the value.
    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String, options: DecodingOptions) throws(ImageCodecError) {
        guard bytes.count <= options.maximumBytes else {
            throw .tooManyBytes(name: name, found: bytes.count, limit: options.maximumBytes)
        }
        self.bytes = bytes
        switch try ImageFormat(of: bytes, name: name) {
        case .png:
            let png = try PNGStructure(bytes, name: name)
            header = ImageHeader(
                format: .png,
                width: png.width,
                height: png.height,
                channels: png.isColour ? 3 : 1,
                orientation: png.orientation
            )
            structure = .png(png)
        case .jpeg:
            let jpeg = try JPEGStructure(bytes, name: name)
            header = ImageHeader(
                format: .jpeg,
                width: jpeg.width,
                height: jpeg.height,
                channels: jpeg.components == 1 ? 1 : 3,
                orientation: jpeg.orientation
            )
            structure = .jpeg(jpeg)
        case .heic:
            let handle = try HEICCodec.open(bytes, name: name, maximumPixels: options.maximumPixels)
            header = ImageHeader(format: .heic, width: handle.width, height: handle.height, channels: 3)
            structure = .heic(handle)
        }
        guard header.width * header.height <= options.maximumPixels else {
            throw .tooManyPixels(
                name: name,
                width: header.width,
                height: header.height,
                limit: options.maximumPixels
            )
        }
    }

    /// The picture as it is stored, and the scale at which it was decoded.
    func decode(
        name: String,
        minimumShortSide: Int?
    ) throws(ImageCodecError) -> (image: RasterImage, scale: Double) {
        switch structure {
        case .png(let png):
            (try PNGCodec.decode(bytes, structure: png, name: name), 1)
        case .jpeg(let jpeg):
            try JPEGCodec.decode(bytes, structure: jpeg, minimumShortSide: minimumShortSide, name: name)
        case .heic(let handle):
            (try HEICCodec.decode(handle, name: name), 1)
        }
    }
}

extension ImageFormat {
    /// Tells the format by a file's first bytes.
    init(of bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageCodecError) {
        guard !bytes.isEmpty else { throw .empty(name: name) }
        if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if HEICStructure.isHEIC(bytes) {
            self = .heic
        } else if PNGStructure.signature.starts(with: bytes) {
            throw .truncated(name: name, format: .png, detail: "it ends in the header, after \(bytes.count) bytes")
        } else if bytes.starts(with: [0xFF, 0xD8]) && bytes.count == 2 {
            throw .truncated(name: name, format: .jpeg, detail: "it ends in the header, after 2 bytes")
        } else {
            throw .foreign(name: name, found: ForeignFormat.name(bytes))
        }
    }
}

/// Names what a file that is no image of ours seems to be.
enum ForeignFormat {
    /// A phrase such as "a GIF image", from the first bytes of a file that is not empty.
    static func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        for (magic, name) in magics where bytes.holds(magic, at: 0) { return name }
        if bytes.holds("RIFF", at: 0), bytes.holds("WEBP", at: 8) { return "a WebP image" }
        if bytes.holds("ftyp", at: 4) {
            return bytes.holds("avi", at: 8) ? "an AVIF image" : "an MPEG-4 file"
        }
        let start = bytes.prefix(64)
        if start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }) {
            return start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") ? "markup (SVG, HTML or XML)" : "text"
        }
        let shown = bytes.prefix(8).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "data that starts with \(shown.joined(separator: " "))"
    }

    private static let magics: [(StaticString, String)] = [
        ("GIF8", "a GIF image"),
        ("BM", "a BMP image"),
        ("II*\0", "a TIFF image"),
        ("MM\0*", "a TIFF image"),
        ("8BPS", "a Photoshop document"),
        ("%PDF", "a PDF document"),
        ("\0\0\0\u{C}jP  ", "a JPEG 2000 image"),
        ("\0\0\0\u{C}JXL ", "a JPEG XL image"),
        ("PK\u{3}\u{4}", "a ZIP archive"),
    ]
}
