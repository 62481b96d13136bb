import Foundation
import Imaging
import Testing

/// Returns the bytes of a file in `Fixtures`.
func fixture(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: fixturePath(name))))
}

func fixturePath(_ name: String) throws -> String {
    let folder = try #require(Bundle.module.resourcePath)
    return folder + "/Fixtures/" + name
}

/// Returns the fault that decoding finds; nil when there is none.
func failure(_ bytes: [UInt8], options: DecodingOptions = DecodingOptions()) -> ImageFault? {
    do throws(ImageCodecError) {
        _ = try ImageCodec.decode(bytes, name: "some file", options: options)
        return nil
    } catch {
        return error.fault
    }
}

/// Returns the text of the fault that decoding finds; empty when there is none.
func message(_ bytes: some Sequence<UInt8>) -> String { failure(Array(bytes))?.description ?? "" }

/// Returns the picture, at a scale that is enough for a short side.
func decoded(_ bytes: some Sequence<UInt8>, shortSide: Int? = nil) throws -> DecodedImage {
    try ImageCodec.decode(Array(bytes), name: "some file", options: DecodingOptions(minimumShortSide: shortSide))
}

/// Returns the decoded pixels, at full size.
func image(_ bytes: some Sequence<UInt8>) throws -> RasterImage { try decoded(bytes).image }

extension [[Int]] {
    /// Returns the largest difference between any two channels of two lists of pixels; 256 when their shapes differ.
    func difference(_ other: [[Int]]) -> Int {
        guard map(\.count) == other.map(\.count) else { return 256 }
        return zip(joined(), other.joined()).map { abs($0 - $1) }.max() ?? 0
    }
}

extension RasterImage {
    /// The middles of the four quarters, row by row.
    var quarters: [[Int]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { pixel(width * $0.0 / 4, height * $0.1 / 4) }
    }

    /// Returns the largest difference between any two bytes of two images; 256 when their shapes differ.
    func difference(_ other: RasterImage) -> Int {
        guard width == other.width, height == other.height, channels == other.channels else { return 256 }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

/// Returns the JPEG with an APP1 segment of `content` after its start-of-image marker.
func withAPP1(_ jpeg: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return Array(jpeg[0..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content + jpeg[2...]
}

/// Returns an EXIF segment's content with one field: tag 0x0112 of type SHORT.
func exif(orientation: UInt8, bigEndian: Bool) -> [UInt8] {
    let header: [UInt8] = Array("Exif".utf8) + [0, 0]
    return bigEndian
        ? header + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        : header + [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
}

/// Returns the first position of a text.
func place(of text: String, in bytes: [UInt8]) -> Int? {
    let text = Array(text.utf8)
    return bytes.indices.dropLast(text.count - 1).first { bytes[$0..<$0 + text.count].elementsEqual(text) }
}

/// Returns the chunks of a PNG: name and whole bytes, length and checksum included.
func chunks(_ png: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var result: [(String, [UInt8])] = []
    var offset = 8
    while offset < png.count {
        let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } + 12
        let name = String(decoding: png[offset + 4..<offset + 8], as: UTF8.self)
        result.append((name, Array(png[offset..<offset + length])))
        offset += length
    }
    return result
}
