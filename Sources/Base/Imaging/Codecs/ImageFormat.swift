/// The file formats that this codec reads; it writes PNG and JPEG.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png
    case jpeg
    /// HEIF with pictures in HEVC, as iPhones take them.
    case heic

    /// The endings that files of these formats go by, in lower case.
    public static let fileExtensions: Set<String> = ["png", "jpg", "jpeg", "heic", "heif"]

    /// Detects the format by a file's first bytes.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        guard !bytes.isEmpty else { throw .empty }
        if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.holds("ftyp", at: 4), Self.brands.contains(where: { bytes.holds($0, at: 8) }), !bytes.isAVIF {
            self = .heic
        } else if PNGStructure.signature.starts(with: bytes) {
            throw .truncated(.png, "it ends in the header, after \(bytes.count) bytes")
        } else if bytes.starts(with: [0xFF, 0xD8]) && bytes.count == 2 {
            throw .truncated(.jpeg, "it ends in the header, after 2 bytes")
        } else {
            throw .foreign(bytes.foreignName)
        }
    }

    /// The major brands of files that hold HEVC pictures, or may (ISO/IEC 23008-12:2022, annex B).
    private static let brands: [StaticString] = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1",
    ]

    /// Usual name of the format.
    var label: String { rawValue.uppercased() }

    /// The kind of it that is decoded here.
    var decodable: String {
        switch self {
        case .png: "a PNG"
        case .jpeg: "an 8-bit grey, colour or CMYK JPEG"
        case .heic: "a HEIC with an opaque HEVC picture"
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether one of the brands of an MPEG-4 file, which are in its first bytes, is that of AV1 pictures.
    fileprivate var isAVIF: Bool { part(0..<Swift.min(count, 64)).holds("avif") }

    /// Likely format of a file that is not a supported image and not empty: a phrase such as "a GIF image".
    fileprivate var foreignName: String {
        for (magic, name) in Self.magics where holds(magic, at: 0) { return name }
        if holds("RIFF", at: 0), holds("WEBP", at: 8) { return "a WebP image" }
        if holds("ftyp", at: 4) { return isAVIF ? "an AVIF image" : "an MPEG-4 file" }
        let start = prefix(64)
        if start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }) {
            return start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") ? "markup (SVG, HTML or XML)" : "text"
        }
        let shown = prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return "data that starts with \(shown.joined(separator: " "))"
    }

    private static var magics: [(StaticString, String)] {
        [
            ("GIF8", "a GIF image"), ("BM", "a BMP image"), ("II*\0", "a TIFF image"), ("MM\0*", "a TIFF image"),
            ("8BPS", "a Photoshop document"), ("%PDF", "a PDF document"), ("PK\u{3}\u{4}", "a ZIP archive"),
            ("\0\0\0\u{C}jP  ", "a JPEG 2000 image"), ("\0\0\0\u{C}JXL ", "a JPEG XL image"),
        ]
    }
}
