/// The tables in the `meta` box of a HEIC file: its items, their positions and their properties.
///
/// Source: ISO/IEC 14496-12:2022, section 8.11; ISO/IEC 23008-12:2022, section 9.3.
struct HEICItems {
    /// A stretch of an item's data, as the file states it.
    struct Extent {
        /// Offset in the file, or in the `idat` box; may reach past the end.
        var offset: Int
        var length: Int
        var isInItemData: Bool
    }

    private(set) var primary = 0
    private(set) var types: [Int: FourCharacterCode] = [:]
    /// Items whose data is pieced together in a way that is not followed here have none.
    private(set) var extents: [Int: [Extent]] = [:]
    /// The boxes of properties, in the file's order.
    private(set) var properties: [MediaBox] = []
    /// The items that an item is put together from, in order.
    private(set) var parts: [Int: [Int]] = [:]
    /// Range of the content of `idat`.
    private(set) var itemData: Range<Int>?
    /// Indices into `properties`.
    private var propertiesOfItem: [Int: [Int]] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, meta: Range<Int>) throws(ImageFault) {
        var header = ByteCursor(bytes, meta)
        _ = try header.versionAndFlags()
        func boxes(in range: Range<Int>) throws(ImageFault) -> MediaBoxes {
            let boxes = MediaBoxes(bytes, in: range)
            guard boxes.end == range.upperBound else {
                throw .corrupt(.heic, "a box that does not fit at byte \(boxes.end)")
            }
            return boxes
        }
        let tables = try boxes(in: header.rest)
        func only(_ type: FourCharacterCode, of boxes: MediaBoxes) throws(ImageFault) -> Range<Int>? {
            let found = boxes.contents(type)
            guard found.count <= 1 else {
                throw .corrupt(.heic, "a second \(type) box at byte \(found[1].lowerBound)")
            }
            return found.first
        }
        func one(_ type: FourCharacterCode, of boxes: MediaBoxes) throws(ImageFault) -> Range<Int> {
            if let content = try only(type, of: boxes) { return content }
            throw .corrupt(.heic, "no \(type) box at byte \(meta.lowerBound)")
        }
        try readPrimary(ByteCursor(bytes, one("pitm", of: tables)))
        try readTypes(bytes, one("iinf", of: tables))
        try readLocations(ByteCursor(bytes, one("iloc", of: tables)))
        if let references = try only("iref", of: tables) { try readReferences(bytes, references) }
        itemData = try only("idat", of: tables)
        let itemProperties = try boxes(in: one("iprp", of: tables))
        properties = try boxes(in: one("ipco", of: itemProperties)).all
        for association in itemProperties.contents("ipma") { try readAssociations(ByteCursor(bytes, association)) }
    }

    func properties(_ type: FourCharacterCode, of item: Int) -> [Range<Int>] {
        propertiesOfItem[item, default: []].map { properties[$0] }.filter { $0.type == type }.map(\.content)
    }

    private mutating func readPrimary(_ cursor: ByteCursor) throws(ImageFault) {
        var cursor = cursor
        primary = try cursor.number(cursor.versionAndFlags().version == 0 ? 2 : 4)
    }

    private mutating func readTypes(_ bytes: UnsafeBufferPointer<UInt8>, _ content: Range<Int>) throws(ImageFault) {
        var cursor = ByteCursor(bytes, content)
        _ = try cursor.number(cursor.versionAndFlags().version == 0 ? 2 : 4)
        for entry in MediaBoxes(bytes, in: cursor.rest).contents("infe") {
            var cursor = ByteCursor(bytes, entry)
            let version = try cursor.versionAndFlags().version
            guard version >= 2 else { continue }
            let item = try cursor.number(version == 2 ? 2 : 4)
            // item_protection_index, which no picture has.
            _ = try cursor.number(2)
            let type = FourCharacterCode(try cursor.number(4))
            // Every reader chooses which of the two counts.
            if types.updateValue(type, forKey: item) != nil {
                throw .corrupt(.heic, "a second item \(item) at byte \(entry.lowerBound)")
            }
        }
    }

    private mutating func readLocations(_ cursor: ByteCursor) throws(ImageFault) {
        var cursor = cursor
        let version = try cursor.versionAndFlags().version
        let sizes = try cursor.number(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        for _ in 0..<(try cursor.number(version < 2 ? 2 : 4)) {
            let item = try cursor.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try cursor.number(2) & 15
            let otherFile = try cursor.number(2)
            let base = try cursor.number(baseSize)
            var found: [Extent] = []
            for _ in 0..<(try cursor.number(2)) {
                _ = try cursor.number(indexSize)
                let (offset, overflow) = try base.addingReportingOverflow(cursor.number(offsetSize))
                let length = try cursor.number(lengthSize)
                guard !overflow else { throw cursor.exhausted }
                found.append(Extent(offset: offset, length: length, isInItemData: method == 1))
            }
            if method <= 1, otherFile == 0 { extents[item, default: []] += found }
        }
    }

    private mutating func readReferences(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ content: Range<Int>
    ) throws(ImageFault) {
        var cursor = ByteCursor(bytes, content)
        let size = try cursor.versionAndFlags().version == 0 ? 2 : 4
        for reference in MediaBoxes(bytes, in: cursor.rest).contents("dimg") {
            var cursor = ByteCursor(bytes, reference)
            let item = try cursor.number(size)
            for _ in 0..<(try cursor.number(2)) { parts[item, default: []].append(try cursor.number(size)) }
        }
    }

    private mutating func readAssociations(_ cursor: ByteCursor) throws(ImageFault) {
        var cursor = cursor
        let (version, flags) = try cursor.versionAndFlags()
        let indexSize = flags & 1 == 0 ? 1 : 2
        for _ in 0..<(try cursor.number(4)) {
            let item = try cursor.number(version == 0 ? 2 : 4)
            for _ in 0..<(try cursor.number(1)) {
                // The highest bit marks the property as essential; the rest counts from 1, and 0 means none.
                let index = try cursor.number(indexSize) & (1 << (8 * indexSize - 1) - 1)
                if properties.indices ~= index - 1 { propertiesOfItem[item, default: []].append(index - 1) }
            }
        }
    }
}

/// One box of an ISO base media file: its type and the range of its content.
struct MediaBox {
    var type: FourCharacterCode
    var content: Range<Int>
}

/// The boxes that follow one another in a stretch of a file.
///
/// Source: ISO/IEC 14496-12:2022, section 4.2.
struct MediaBoxes {
    private(set) var all: [MediaBox] = []
    /// End of the last whole box.
    private(set) var end: Int

    /// Maximum number of boxes read; libheif 1.15 has the same limit.
    static let maximumCount = 20_000

    /// Reads boxes until the end of `range`, which must be inside the bytes, or until a box does not fit into it.
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
