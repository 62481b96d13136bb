import Basics
import Imaging

/// An EAN-13 bar code as a picture.
///
/// Source of the patterns: ISO/IEC 15420; a book's number begins with 9, whose parity is LGGLGL.
enum DrawnBarCode {
    private static let left = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]

    /// Modules of a number of 13 digits that begins with 9: "1" for dark.
    static func modules(_ digits: [Int]) -> String {
        let right = left.map { String($0.map { $0 == "0" ? "1" : "0" }) }
        let even = right.map { String($0.reversed()) }
        var text = "101"
        for (digit, parity) in zip(digits[1...6], "LGGLGL") { text += parity == "L" ? left[digit] : even[digit] }
        text += "01010"
        for digit in digits[7...12] { text += right[digit] }
        return text + "101"
    }

    /// Returns a PNG of the code, two pixels a module, with a quiet zone.
    static func png(_ isbn: ISBN) throws -> [UInt8] {
        let (scale, height, zone) = (2, 60, 24)
        let row = modules(isbn.digits.compactMap(\.wholeNumberValue)).flatMap { module in
            [UInt8](repeating: module == "1" ? 0 : 255, count: scale)
        }
        let blank = [UInt8](repeating: 255, count: zone)
        let line = blank + row + blank
        let white = [UInt8](repeating: 255, count: line.count * zone)
        let pixels = white + (0..<height).flatMap { _ in line } + white
        return try ImageCodec.encodePNG(
            RasterImage(width: line.count, height: height + 2 * zone, channels: 1, pixels: pixels)
        )
    }
}
