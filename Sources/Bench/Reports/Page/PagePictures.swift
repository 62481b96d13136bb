import Basics
import Foundation
import Imaging
import SpineDatasets

/// Pictures of a report as JPEGs that share their heads: tables that are longer than a stamp-sized picture itself.
///
/// Heads are kept once, with the size zero, and put together with the pictures in the page.
struct PagePictures: Encodable {
    /// All of a JPEG up to its scan, with the size zero.
    private struct Head: Equatable, Encodable {
        var bytes: Data
        /// Offset of the height and then the width, two bytes each.
        var sizeOffset: Int
    }

    /// Picture in the form `[1600, 7200, 0, 48, 200, "base64"]`: its full size, the index of its head, the size here, the
    /// scan.
    private struct Item: Encodable {
        var numbers: [Int]
        var scan: Data

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(contentsOf: numbers)
            try row.encode(scan)
        }
    }

    /// Location of a sample's picture.
    struct Place {
        var id: String
        var store: PictureStore
        var image: String
        /// Whether it shows whole shelves, which need more pixels.
        var isShelf: Bool

        init(_ id: String, _ sample: Sample, in store: PictureStore) {
            (self.id, self.store, image, isShelf) = (id, store, sample.image, sample.shelf != nil)
        }
    }

    private var heads: [Head] = []
    /// A picture for each place; nil where there is none.
    private var items: [Item?] = []
    /// Reasons for missing pictures.
    private(set) var problems: [String] = []

    /// Draws the pictures of these places, as large as a page has room for with `besideBytes` beside them.
    init(_ places: [Place?], besideBytes: Int) {
        let shelves = ThumbnailBudget(shelves: places.count { $0?.isShelf == true })
        let spines = ThumbnailBudget(
            pictures: places.count { $0?.isShelf == false },
            otherBytes: besideBytes + shelves.pageBytes
        )
        let made = concurrentMap(places.count) { index in
            places[index].map { place in
                Result { try Thumbnail(place.image, in: place.store, budget: place.isShelf ? shelves : spines) }
            }
        }
        for (place, result) in zip(places, made) {
            if case .failure(let error) = result { problems.append("\(place?.id ?? ""): image \(error)") }
            append(try? result?.get())
        }
    }

    /// Takes in a baseline JPEG of one scan, as this package encodes them; any other file is no picture.
    mutating func append(_ thumbnail: Thumbnail?) {
        guard let thumbnail, let parts = JPEGParts(thumbnail.jpeg) else { return items.append(nil) }
        let head = Head(bytes: Data(parts.head), sizeOffset: parts.sizeOffset)
        let index = heads.firstIndex(of: head) ?? heads.count
        if index == heads.count { heads.append(head) }
        let numbers = [thumbnail.fullWidth, thumbnail.fullHeight, index, parts.width, parts.height]
        items.append(Item(numbers: numbers, scan: Data(parts.scan)))
    }
}

/// A JPEG cut where its scan begins (ITU-T T.81, annex B).
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

/// Size limits of a report's pictures.
struct ThumbnailBudget: Sendable {
    /// Maximum size of one picture's own data.
    var bytes: Int
    var side: Int
    var quality: Int
    /// Capacity of the page for all pictures of photos of shelves together.
    private(set) var pageBytes = 0

    /// Capacity of a whole report: 15 MB, less a little, since the rest is an estimate.
    private static let pageBytes = 14_300_000
    /// Overhead of a picture beside its own data: its sizes and its index.
    private static let bytesAround = 50

    /// Creates the budget with the most detail that keeps a report within 15 MB, with `otherBytes` beside its pictures.
    init(pictures: Int, otherBytes: Int) {
        let count = max(1, pictures)
        let left = max(0, (Self.pageBytes - otherBytes) / count - Self.bytesAround)
        // Base64 makes 4 bytes of 3. With less than 250 bytes there is nothing to be seen; with 24,000 all there is.
        bytes = min(max(left * 3 / 4, 250), 24_000)
        side = 560
        // Few bytes are better spent on more pixels than on finer ones.
        quality = bytes >= 8_000 ? 72 : bytes >= 2_000 ? 55 : 40
    }

    /// Creates the budget for photos of this many shelves: large enough to read most titles, and half of the page at
    /// most.
    init(shelves: Int) {
        bytes = min(300_000, Self.pageBytes * 3 / 8 / max(1, shelves))
        (side, quality) = (1600, 72)
        pageBytes = shelves * (bytes * 4 / 3 + Self.bytesAround)
    }

    /// Returns the initial size for a full-size picture: one that fits the bytes at a bit a pixel, without
    /// enlargement.
    func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let fit = (Double(bytes * 8) / Double(width * height)).squareRoot()
        return Self.scaled(width, height, by: min(1, fit, Double(side) / Double(max(width, height))))
    }

    /// Returns a size of the same shape, one pixel a side at least.
    static func scaled(_ width: Int, _ height: Int, by scale: Double) -> (width: Int, height: Int) {
        (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }
}

struct Thumbnail: Sendable {
    var jpeg: [UInt8]
    var fullWidth: Int
    var fullHeight: Int

    /// Maximum number of attempts to reduce a picture before it is used unchanged.
    private static let attempts = 5
}

extension Thumbnail {
    init(_ image: String, in store: PictureStore, budget: ThumbnailBudget) throws {
        let picture = try ScaledPicture(image, in: store, size: budget.size)
        var small = picture.image
        self.init(
            jpeg: try ImageCodec.encodeJPEG(small, quality: budget.quality),
            fullWidth: picture.fullWidth,
            fullHeight: picture.fullHeight
        )
        for _ in 0..<Self.attempts {
            // The tables are shared among the pictures and do not count.
            let bytes = JPEGParts(jpeg)?.scan.count ?? jpeg.count
            guard bytes > budget.bytes else { return }
            let scale = (Double(budget.bytes) / Double(bytes)).squareRoot() * 0.95
            let size = ThumbnailBudget.scaled(small.width, small.height, by: scale)
            small = small.resized(width: size.width, height: size.height)
            jpeg = try ImageCodec.encodeJPEG(small, quality: budget.quality)
        }
    }
}
