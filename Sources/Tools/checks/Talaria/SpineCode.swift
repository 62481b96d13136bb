import Basics
import Foundation
import Imaging
import TextRecognition

/// Picture that is readable without an engine: black or white squares that encode a number.
struct SpineCode: Sendable, Hashable {
    var number: UInt32

    private static let side = 8
    private static let columns = 8
    private static let bits = 32

    init(_ number: Int) { self.number = UInt32(number) }

    /// Reads a picture, independent of its encodings in between.
    init?(_ image: RasterImage) {
        let (side, columns) = (Self.side, Self.columns)
        guard image.width == columns * side, image.height == Self.bits / columns * side else { return nil }
        number = (0..<Self.bits).reduce(0) { code, bit in
            let (x, y) = (bit % columns * side + side / 2, bit / columns * side + side / 2)
            return image.pixels[(y * image.width + x) * image.channels] > 127 ? code | 1 << UInt32(bit) : code
        }
    }

    func picture() throws -> [UInt8] {
        let (side, columns) = (Self.side, Self.columns)
        let (width, height) = (columns * side, Self.bits / columns * side)
        let pixels = (0..<height * width).map { index -> UInt8 in
            let bit = index / width / side * columns + index % width / side
            return number >> UInt32(bit) & 1 == 1 ? 255 : 0
        }
        return try ImageCodec.encodePNG(RasterImage(width: width, height: height, channels: 1, pixels: pixels))
    }
}

/// Returns the lines on the spine of a code; nil for a code that no spine has.
typealias SpineLines = @Sendable (SpineCode) -> [String]?

/// The reader on the device.
struct SpineCodeReader: SpineTextReader {
    var lines: SpineLines

    func read(_ image: RasterImage) throws -> SpineReading {
        guard let lines = SpineCode(image).flatMap(lines) else {
            throw CheckFailure("the picture is not one of this check's")
        }
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return SpineReading(
            lines: lines.map { RecognizedLine(text: $0, confidence: 0.9, quad: quad) },
            orientation: lines.isEmpty ? nil : .clockwise,
            timings: StageTimings()
        )
    }
}

/// A made-up book for each number; no two are alike.
struct NumberedBook {
    let title: String
    let author: String

    /// Lines on the spine of a number.
    static let lines: SpineLines = { code in
        let book = NumberedBook(Int(code.number))
        return [book.author.uppercased(), book.title.uppercased()]
    }

    init(_ number: Int) {
        var random = SplitMix64(state: UInt64(number) + 0x5eed)
        func word() -> String {
            let syllables = (0..<4).map { _ -> String in
                let consonant = Array("bcdfghjklmnprstvwz").randomElement(using: &random) ?? "b"
                let vowel = Array("aeiou").randomElement(using: &random) ?? "a"
                return "\(consonant)\(vowel)"
            }
            return syllables.joined().capitalized
        }
        title = "\(word()) \(word())"
        author = "\(word()) \(word())"
    }
}
