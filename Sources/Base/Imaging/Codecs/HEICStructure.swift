/// Structure of a HEIC file, from its boxes, read without decoding.
///
/// Only the output of cameras is passed to the decoder: one coded HEVC picture, or a grid of them. libheif 1.15 would
/// also follow a picture that is made of itself until the stack is used up, and allocates as much memory as the coded
/// data requires, whatever size the file states; both are detected here.
struct HEICStructure {
    /// The size of the picture before the file's own cropping and turning.
    private(set) var width = 0
    private(set) var height = 0
    /// The largest that is decoded at once: the picture, or a tile of a grid that reaches far beyond it.
    private(set) var largest = (width: 0, height: 0)
    /// Bytes of the file that are whole boxes.
    let wholeCount: Int
    private let items: HEICItems

    private let bytes: UnsafeBufferPointer<UInt8>

    /// Returns whether a file has one of the major brands that hold HEVC pictures, or may (ISO/IEC 23008-12:2022,
    /// annex B).
    static func isHEIC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"]
        return bytes.holds("ftyp", at: 4) && brands.contains { bytes.holds($0, at: 8) }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFault) {
        self.bytes = bytes
        let boxes = MediaBoxes(bytes, in: 0..<bytes.count)
        wholeCount = boxes.end
        let found = boxes.contents("meta")
        guard found.count <= 1 else { throw .corrupt(.heic, "a second meta box at byte \(found[1].lowerBound)") }
        guard let meta = found.first else {
            if boxes.contents("moov").isEmpty {
                throw .truncated(.heic, "it ends before its meta box")
            }
            throw .unsupported(.heic, "a sequence of pictures")
        }
        items = try HEICItems(bytes, meta: meta)
    }

    /// Follows the picture to its coded data, and checks that it is complete and agrees with the tables.
    mutating func checkPicture() throws(ImageFault) {
        // libheif decodes the transparency of a picture, and of every tile, unasked.
        let transparency: [StaticString] = [
            "urn:mpeg:avc:2015:auxid:1\0", "urn:mpeg:hevc:2015:auxid:1\0",
            "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
        ]
        let auxiliary = items.properties.filter { $0.type == "auxC" }.map(\.content)
        if auxiliary.contains(where: { range in transparency.contains { bytes.holds($0, at: range.lowerBound + 4) } }) {
            throw .unsupported(.heic, "a picture with transparency")
        }
        (width, height) = try size(of: items.primary)
        largest = (width, height)
        var budget = bytes.count
        switch items.types[items.primary] {
        case "hvc1": try checkCoded(items.primary, &budget)
        case "grid": try checkGrid(&budget)
        case "av01": throw .unsupported(.heic, "an AV1 picture (AVIF)")
        case let type?: throw .unsupported(.heic, "a picture of the type '\(type)'")
        case nil: throw corrupt("the primary item is missing")
        }
    }

    /// Kinds of metadata in the file, EXIF and XMP included; an unreadable kind counts as missing.
    var metadataKinds: Set<MetadataKind> {
        var kinds: Set<MetadataKind> = []
        for (item, type) in items.types where type == "Exif" || type == "mime" {
            guard let data = try? data(of: item) else { continue }
            kinds.formUnion(
                data.withUnsafeBufferPointer { content in
                    guard type == "Exif" else { return XMP.kinds(in: content) }
                    // ExifDataBlock (ISO/IEC 23008-12:2022, annex A.2.1): how far the TIFF header is from here, first.
                    guard let offset = content.bigEndian32(at: 0), offset <= content.count - 4 else { return [.exif] }
                    return Exif.kinds(in: content.part(4 + offset..<content.count))
                }
            )
        }
        return kinds
    }

    func data(of item: Int) throws(ImageFault) -> [UInt8] {
        guard let extents = items.extents[item], !extents.isEmpty else { throw corrupt("item \(item) has no data") }
        var data: [UInt8] = []
        for extent in extents {
            let start = extent.isInItemData ? items.itemData?.lowerBound : 0
            let end = extent.isInItemData ? items.itemData?.upperBound : wholeCount
            guard let start, let end, extent.offset <= end - start, extent.length <= end - start - extent.offset else {
                throw .truncated(.heic, "item \(item) reaches past the end")
            }
            // A missing length means the whole file, which a picture never is.
            guard extent.length > 0, extent.length <= bytes.count - data.count else {
                throw corrupt("item \(item) has more bytes than the file, or none")
            }
            data += bytes.part(start + extent.offset..<start + extent.offset + extent.length)
        }
        return data
    }

    private mutating func checkGrid(_ budget: inout Int) throws(ImageFault) {
        let grid = try data(of: items.primary)
        // ImageGrid (ISO/IEC 23008-12:2022, section 6.6.2.3.2): version, flags, rows and columns less one, size.
        guard grid.count >= 8 else { throw corrupt("a grid of \(grid.count) bytes") }
        let (rows, columns) = (Int(grid[2]) + 1, Int(grid[3]) + 1)
        let stated = grid.withUnsafeBufferPointer { grid in
            grid[1] & 1 == 0
                ? (grid.bigEndian16(at: 4), grid.bigEndian16(at: 6))
                : (grid.bigEndian32(at: 4), grid.bigEndian32(at: 8))
        }
        guard stated == (width, height) else { throw corrupt("its grid is not \(width) × \(height)") }
        let tiles = items.parts[items.primary, default: []]
        guard tiles.count == rows * columns else {
            throw corrupt("a grid of \(columns) × \(rows) with \(tiles.count) tiles")
        }
        let tile = try size(of: tiles[0])
        guard tile.width * columns >= width, tile.width * (columns - 1) < width, tile.height * rows >= height,
            tile.height * (rows - 1) < height
        else {
            throw corrupt(
                "\(columns) × \(rows) tiles of \(tile.width) × \(tile.height) do not make \(width) × \(height)"
            )
        }
        if tile.width * tile.height > width * height { largest = tile }
        for item in Set(tiles).sorted() {
            guard items.types[item] == "hvc1" else {
                throw .unsupported(.heic, "a grid of other pictures than HEVC")
            }
            guard try size(of: item) == tile else { throw corrupt("tiles of different sizes") }
            try checkCoded(item, &budget)
        }
    }

    private func size(of item: Int) throws(ImageFault) -> (width: Int, height: Int) {
        let found = items.properties("ispe", of: item)
        guard found.count == 1, let range = found.first, range.count >= 12,
            let width = bytes.bigEndian32(at: range.lowerBound + 4), 1..<1 << 31 ~= width,
            let height = bytes.bigEndian32(at: range.lowerBound + 8), 1..<1 << 31 ~= height
        else { throw corrupt("item \(item) has an invalid size") }
        return (width, height)
    }

    /// Checks that a coded picture is one picture of the size stated; every byte read comes off the budget.
    private func checkCoded(_ item: Int, _ budget: inout Int) throws(ImageFault) {
        let configurations = items.properties("hvcC", of: item)
        guard configurations.count == 1 else { throw corrupt("item \(item) has no decoder configuration") }
        let coded = try data(of: item)
        budget -= coded.count
        // Tiles that share their data would be read over and over.
        guard budget >= 0 else { throw corrupt("its tiles have more bytes than the file") }
        var parameters = HEVCParameters()
        let isRead = try? coded.withUnsafeBufferPointer { coded in
            try parameters.add(configuration: bytes.part(configurations[0])) && parameters.add(unitsOf: coded)
        }
        guard isRead == true else { throw corrupt("item \(item) has coded data that no encoder writes") }
        guard parameters.pictures == 1 else { throw corrupt("item \(item) has \(parameters.pictures) pictures") }
        let (width, height) = try size(of: item)
        // Coded pictures are made of blocks of at most 64 samples a side, and cropped to size.
        guard parameters.width < width + 64, parameters.height < height + 64 else {
            throw corrupt("\(width) × \(height) pixels stated, \(parameters.width) × \(parameters.height) coded")
        }
    }

    private func corrupt(_ detail: String) -> ImageFault { .corrupt(.heic, detail) }
}
