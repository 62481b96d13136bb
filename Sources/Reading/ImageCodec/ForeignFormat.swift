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
