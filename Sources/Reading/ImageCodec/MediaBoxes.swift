/// One box of an ISO base media file: what it is and where its content lies.
struct MediaBox {
    var type: FourCharacterCode
    var content: Range<Int>
}

/// The boxes that follow one another in a stretch of a file.
///
/// Source: ISO/IEC 14496-12:2022, section 4.2.
struct MediaBoxes {
    private(set) var all: [MediaBox] = []
    /// Where the last whole box ends.
    private(set) var end: Int

    /// The most boxes that are looked at; libheif 1.15 draws the line at the same number.
    static let maximumCount = 20_000

    /// Reads boxes until `range`, which must lie in the bytes, ends, or a box does not fit into it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        end = range.lowerBound
        while all.count < Self.maximumCount, range.upperBound - end >= 8 {
            guard let size = bytes.bigEndian32(at: end), let type = bytes.bigEndian32(at: end + 4) else { return }
            var header = 8
            var length = size
            if size == 1 {
                guard let high = bytes.bigEndian32(at: end + 8), let low = bytes.bigEndian32(at: end + 12) else {
                    return
                }
                guard high < 1 << 24 else { return }
                header = 16
                length = high << 32 | low
            } else if size == 0 {
                length = range.upperBound - end
            }
            guard length >= header, length <= range.upperBound - end else { return }
            all.append(MediaBox(type: FourCharacterCode(type), content: end + header..<end + length))
            end += length
        }
    }

    /// The content of every box of a type.
    func contents(_ type: FourCharacterCode) -> [Range<Int>] { all.filter { $0.type == type }.map(\.content) }
}

/// The name of a box, an item type or a brand: four bytes, as a rule letters.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private var value: Int

    init(_ value: Int) { self.value = value }

    init(stringLiteral text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
        value = (0..<4).reduce(0) { $0 << 8 | Int(text.utf8Start[$1]) }
    }

    var description: String {
        String(
            decoding: [24, 16, 8, 0].map { shift in
                let byte = UInt8(truncatingIfNeeded: value >> shift)
                return 0x20...0x7E ~= byte ? byte : UInt8(ascii: "?")
            },
            as: UTF8.self
        )
    }
}
