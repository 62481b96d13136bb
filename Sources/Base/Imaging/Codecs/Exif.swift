/// A block of EXIF data.
///
/// Missing or invalid fields read as absent: a picture is not refused for its metadata.
///
/// Source: Exif 2.32 (CIPA DC-008-2019), section 4.6; TIFF 6.0, section 2.
public struct Exif {
    private let tiff: UnsafeBufferPointer<UInt8>
    private let isBigEndian: Bool
    private var first = 0

    /// Reads a TIFF block: the content after `Exif\0\0` in a JPEG, or of `eXIf` in a PNG; nil for any other bytes.
    init?(_ tiff: UnsafeBufferPointer<UInt8>) {
        (self.tiff, isBigEndian) = (tiff, tiff.holds("MM", at: 0))
        guard isBigEndian || tiff.holds("II", at: 0), short(2) == 42 else { return nil }
        first = long(4) ?? 0
    }

    /// Reads the content of an APP1 segment of a JPEG; nil when the segment holds something else.
    init?(inAPP1 content: UnsafeBufferPointer<UInt8>) {
        guard content.holds("Exif\0", at: 0), content.count > 6 else { return nil }
        self.init(content.part(6..<content.count))
    }

    /// Returns a TIFF block with an orientation and nothing else.
    static func block(orientation: Int) -> [UInt8] {
        let value = UInt8(truncatingIfNeeded: orientation)
        // Byte order, 42, offset of the directory; one entry: tag, type 3 (short), one value, the value; no more.
        return [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
    }

    /// Orientation of the picture, 1…8 (table 4, tag 0x0112); nil if it is missing.
    var orientation: Int? {
        guard let entry = entry(0x0112, in: first), long(entry + 4) == 1 else { return nil }
        // Types 3 (short) and 4 (long), one value, held in the entry itself.
        let value =
            switch short(entry + 2) {
            case 3: short(entry + 8)
            case 4: long(entry + 8)
            default: nil as Int?
            }
        guard let value, 1...8 ~= value else { return nil }
        return value
    }

    /// Returns whether bytes contain a location, in EXIF or, as text, in XMP (XMP Specification Part 2, Adobe 2016,
    /// section 3.2), wherever either begins.
    static func hasLocation(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.holds("GPSLatitude") || bytes.indices.contains { Exif(bytes.part($0..<bytes.count))?.hasLocation == true }
    }

    /// Whether the GPS directory (tag 0x8825) contains a location: a latitude, a longitude, of here or of the goal,
    /// or an area.
    private var hasLocation: Bool {
        guard let directory = directory(0x8825) else { return false }
        return [2, 4, 0x14, 0x16, 0x1C].contains { self.entry($0, in: directory) != nil }
    }

    /// Location of the picture: degrees north and east (tags 1 to 4 of the GPS directory); nil if it is missing, or
    /// void (tag 9), or 0, 0, which cameras without a fix write.
    public var coordinate: (latitude: Double, longitude: Double)? {
        guard let directory = directory(0x8825), letter(9, in: directory) != "V",
            let latitude = degrees(2, reference: 1, "NS", in: directory), abs(latitude) <= 90,
            let longitude = degrees(4, reference: 3, "EW", in: directory), abs(longitude) <= 180,
            latitude != 0 || longitude != 0
        else { return nil }
        return (latitude, longitude)
    }

    /// Degrees of a tag's degrees, minutes and seconds, of which the latter may be missing, negative for the second of
    /// the two letters of the hemispheres; nil without one of them.
    private func degrees(_ tag: Int, reference: Int, _ letters: String, in directory: Int) -> Double? {
        guard let letter = self.letter(reference, in: directory), letters.contains(letter),
            let parts = rationals(tag, in: directory, count: 1...3), parts.dropFirst().allSatisfy({ $0 <= 60 })
        else { return nil }
        let degrees = zip(parts, [1, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
        return letter == letters.last ? -degrees : degrees
    }

    /// First letter of a text, large: "South" and "s" are S.
    private func letter(_ tag: Int, in directory: Int) -> Character? {
        text(tag, in: directory)?.first { $0 != " " }?.uppercased().first
    }

    /// Start of the directory that a tag of the first one refers to.
    public func directory(_ tag: Int) -> Int? { entry(tag, in: first).flatMap { long($0 + 8) } }

    /// Returns the rationals (type 5, or 10 with a sign) of a tag, none of them negative; 0/0 behind the first is 0.
    public func rationals(_ tag: Int, in directory: Int, count: ClosedRange<Int> = 3...3) -> [Double]? {
        guard let entry = entry(tag, in: directory), let type = short(entry + 2), type == 5 || type == 10,
            let number = long(entry + 4), count.contains(number), let values = long(entry + 8)
        else { return nil }
        var found: [Double] = []
        for place in stride(from: values, to: values + number * 8, by: 8) {
            guard let above = long(place), let below = long(place + 4), type == 5 || max(above, below) < 1 << 31,
                below > 0 || above == 0 && !found.isEmpty
            else { return nil }
            found.append(below > 0 ? Double(above) / Double(below) : 0)
        }
        return found
    }

    /// Returns the text (type 2, or bytes as some write) of a tag, of at most 64 bytes, which is stored elsewhere if longer than
    /// four.
    public func text(_ tag: Int, in directory: Int) -> String? {
        guard let entry = entry(tag, in: directory), let type = short(entry + 2), [1, 2, 7, 129].contains(type),
            let count = long(entry + 4), count <= 64, let start = count > 4 ? long(entry + 8) : entry + 8,
            start + count <= tiff.count
        else { return nil }
        return String(decoding: tiff[start..<start + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    private func entry(_ tag: Int, in directory: Int) -> Int? {
        guard let count = short(directory) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let found = short(entry) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    private func short(_ offset: Int) -> Int? {
        tiff.bigEndian16(at: offset).map { isBigEndian ? $0 : $0 >> 8 | ($0 & 0xFF) << 8 }
    }

    private func long(_ offset: Int) -> Int? {
        guard let one = short(offset), let two = short(offset + 2) else { return nil }
        return isBigEndian ? one << 16 | two : two << 16 | one
    }
}
