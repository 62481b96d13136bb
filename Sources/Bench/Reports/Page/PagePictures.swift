import Foundation

/// Pictures of a report as JPEGs that share their heads.
///
/// The tables at the head of a JPEG are longer than a stamp-sized picture itself. Those of one encoder at one quality
/// are equal but for the picture's size, so that they are kept once, with the size zero, and put together in the page.
struct PagePictures: Encodable {
    /// All of a JPEG up to its scan, with the size zero.
    private struct Head: Equatable, Encodable {
        var bytes: Data
        /// Offset of the height and then the width, two bytes each.
        var sizeOffset: Int
    }

    private var heads: [Head] = []
    /// Pictures in the form `[0, 48, 200, "base64"]`: the index of its head, width, height, scan.
    private var items: [PageArray] = []

    var count: Int { items.count }

    /// Takes in a baseline JPEG of one scan, as this package encodes them, and gives its index; nil for any other file.
    mutating func append(_ jpeg: [UInt8]) -> Int? {
        guard let parts = JPEGParts(jpeg) else { return nil }
        let head = Head(bytes: Data(parts.head), sizeOffset: parts.sizeOffset)
        let index = heads.firstIndex(of: head) ?? heads.count
        if index == heads.count { heads.append(head) }
        items.append([index, parts.width, parts.height, Data(parts.scan)])
        return items.count - 1
    }
}

/// A JPEG cut where its scan begins.
///
/// Source: ITU-T T.81, annex B.
struct JPEGParts {
    /// Bytes up to and with the scan's header, width and height zero.
    var head: [UInt8]
    /// Offset of the height in the head, two bytes, most significant first; the width follows.
    var sizeOffset: Int
    var width: Int
    var height: Int
    /// The coded picture and the end marker.
    var scan: [UInt8]

    /// Creates the parts of a baseline JPEG; nil of anything else.
    init?(_ jpeg: [UInt8]) {
        func word(_ offset: Int) -> Int { Int(jpeg[offset]) << 8 | Int(jpeg[offset + 1]) }
        guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
        var offset = 2
        var size: Int?
        while offset + 9 <= jpeg.count, jpeg[offset] == 0xFF {
            let marker = jpeg[offset + 1]
            if marker == 0xC0 { size = offset + 5 }
            offset += 2 + word(offset + 2)
            if marker == 0xDA {
                guard let size, offset < jpeg.count else { return nil }
                (height, width) = (word(size), word(size + 2))
                head = Array(jpeg[..<offset])
                head.replaceSubrange(size..<size + 4, with: [0, 0, 0, 0])
                scan = Array(jpeg[offset...])
                sizeOffset = size
                return
            }
        }
        return nil
    }
}
