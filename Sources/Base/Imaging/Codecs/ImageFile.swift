/// A file's bytes, known to begin as a PNG, JPEG or HEIC within the limits.
struct ImageFile {
    let header: ImageHeader
    private let bytes: UnsafeBufferPointer<UInt8>
    private let structure: Structure

    private enum Structure {
        case png(PNGStructure)
        case jpeg(JPEGStructure)
        case heic(HEICPicture)
    }

    /// Reads the header out of `bytes`, which must outlive the value.
    init(_ bytes: UnsafeBufferPointer<UInt8>, options: DecodingOptions) throws(ImageFault) {
        guard bytes.count <= options.maximumBytes else {
            throw .tooManyBytes(found: bytes.count, limit: options.maximumBytes)
        }
        self.bytes = bytes
        let format = try ImageFormat(of: bytes)
        var (channels, orientation) = (3, 1)
        let (width, height): (Int, Int)
        switch format {
        case .png:
            let png = try PNGStructure(bytes)
            (width, height, orientation) = (png.width, png.height, png.orientation)
            if !png.isColour { channels = 1 }
            structure = .png(png)
        case .jpeg:
            let jpeg = try JPEGStructure(bytes)
            (width, height, orientation) = (jpeg.width, jpeg.height, jpeg.orientation)
            if jpeg.components == 1 { channels = 1 }
            structure = .jpeg(jpeg)
        case .heic:
            let picture = try HEICPicture(bytes, maximumPixels: options.maximumPixels)
            (width, height) = (picture.width, picture.height)
            structure = .heic(picture)
        }
        header = ImageHeader(format: format, width: width, height: height, channels: channels, orientation: orientation)
        guard width * height <= options.maximumPixels else {
            throw .tooManyPixels(width: width, height: height, limit: options.maximumPixels)
        }
    }

    /// Returns the picture as it is stored, and the scale at which it was decoded.
    func decode(minimumShortSide: Int?) throws(ImageFault) -> (image: RasterImage, scale: Double) {
        switch structure {
        case .png(let png): (try PNGCodec.decode(bytes, structure: png), 1)
        case .jpeg(let jpeg): try JPEGCodec.decode(bytes, structure: jpeg, minimumShortSide: minimumShortSide)
        case .heic(let picture): (try picture.decode(), 1)
        }
    }
}

extension ImageFormat {
    /// Detects the format by a file's first bytes.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        guard !bytes.isEmpty else { throw .empty }
        if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if HEICStructure.isHEIC(bytes) {
            self = .heic
        } else if PNGStructure.signature.starts(with: bytes) {
            throw .truncated(.png, "it ends in the header, after \(bytes.count) bytes")
        } else if bytes.starts(with: [0xFF, 0xD8]) && bytes.count == 2 {
            throw .truncated(.jpeg, "it ends in the header, after 2 bytes")
        } else {
            throw .foreign(ForeignFormat.name(bytes))
        }
    }
}

/// Names the likely format of a file that is not a supported image.
enum ForeignFormat {
    /// Returns a phrase such as "a GIF image", from the first bytes of a file that is not empty.
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
