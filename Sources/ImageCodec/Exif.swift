/// The one EXIF field that decides how a picture is shown.
enum Exif {
    /// The orientation, 1…8, out of a TIFF block: what follows `Exif\0\0` in a JPEG, or fills `eXIf` in a PNG. Nil when
    /// the block has none or makes no sense: a picture is not refused for its metadata.
    ///
    /// Source: Exif 2.32 (CIPA DC-008-2019), section 4.6.2 and table 4, tag 0x0112; TIFF 6.0, section 2.
    static func orientation(inTIFF tiff: UnsafeBufferPointer<UInt8>) -> Int? {
        let isBigEndian: Bool
        if tiff.holds("MM", at: 0) {
            isBigEndian = true
        } else if tiff.holds("II", at: 0) {
            isBigEndian = false
        } else {
            return nil
        }
        func short(_ offset: Int) -> Int? {
            isBigEndian ? tiff.bigEndian16(at: offset) : tiff.littleEndian16(at: offset)
        }
        func long(_ offset: Int) -> Int? {
            isBigEndian ? tiff.bigEndian32(at: offset) : tiff.littleEndian32(at: offset)
        }
        guard short(2) == 42, let directory = long(4), let entries = short(directory) else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + index * 12
            guard let tag = short(entry) else { return nil }
            guard tag == 0x0112 else { continue }
            // Types 3 (short) and 4 (long), one value, held in the entry itself.
            let value =
                switch short(entry + 2) {
                case 3: short(entry + 8)
                case 4: long(entry + 8)
                default: nil as Int?
                }
            guard let value, long(entry + 4) == 1, 1...8 ~= value else { return nil }
            return value
        }
        return nil
    }
}
