import Basics
import BookCatalogue
import Foundation
import Imaging
import TextRecognition

/// Picture that is readable without an engine: black or white squares that encode a number.
struct SpineCode: Sendable, Hashable {
    /// Kind of text on the spine.
    enum Kind: Int, Sendable, CaseIterable {
        /// The title and the author of a book that the back end knows.
        case book
        /// Words of no book.
        case unknown
        /// Blank spine.
        case blank
        /// The title and the author of ``NumberedBook``, another one for each number.
        case numbered
    }

    /// Number, unique for each picture.
    var number: Int
    var kind: Kind
    /// Index in ``FaultCatalogue/books``.
    var book: Int

    private static let side = 8
    private static let columns = 8
    private static let bits = 32

    /// Lines that a reader reads off it.
    var lines: [String] {
        switch kind {
        case .book: [FaultCatalogue.books[book].authors[0].uppercased(), FaultCatalogue.books[book].title.uppercased()]
        case .unknown: ["QXZWV KJHGF", "ZZYXW PQRST"]
        case .blank: []
        case .numbered: [NumberedBook(number).author.uppercased(), NumberedBook(number).title.uppercased()]
        }
    }

    /// Returns the picture's file.
    func picture() throws -> [UInt8] {
        let code = UInt32(number) << 8 | UInt32(kind.rawValue) << 5 | UInt32(book)
        let (side, columns) = (Self.side, Self.columns)
        let (width, height) = (columns * side, Self.bits / columns * side)
        let pixels = (0..<height * width).map { index -> UInt8 in
            let bit = index / width / side * columns + index % width / side
            return code >> UInt32(bit) & 1 == 1 ? 255 : 0
        }
        return try ImageCodec.encodePNG(RasterImage(width: width, height: height, channels: 1, pixels: pixels))
    }
}

extension SpineCode {
    /// Reads a picture, independent of its encodings in between.
    init?(_ image: RasterImage) {
        let (side, columns) = (Self.side, Self.columns)
        guard image.width == columns * side, image.height == Self.bits / columns * side else { return nil }
        var code: UInt32 = 0
        for bit in 0..<Self.bits {
            let (x, y) = (bit % columns * side + side / 2, bit / columns * side + side / 2)
            if image.pixels[(y * image.width + x) * image.channels] > 127 { code |= 1 << UInt32(bit) }
        }
        guard let kind = Kind(rawValue: Int(code >> 5 & 7)), code & 31 < FaultCatalogue.books.count else { return nil }
        self.init(number: Int(code >> 8), kind: kind, book: Int(code & 31))
    }
}

/// The reader on the device.
struct SpineCodeReader: SpineTextReader {
    func read(_ image: RasterImage) throws -> SpineReading {
        guard let code = SpineCode(image) else { throw CheckFailure("the picture is not one of this check's") }
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return SpineReading(
            lines: code.lines.map { RecognizedLine(text: $0, confidence: 0.9, quad: quad) },
            orientation: code.lines.isEmpty ? nil : .clockwise,
            timings: StageTimings()
        )
    }
}

/// The books that the check's spines may be of; no two are alike.
enum FaultCatalogue {
    static let books = [
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("978-0-441-17271-9")),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "The Heart Is a Lonely Hunter", authors: ["Carson McCullers"]),
        BookRecord(title: "Middlemarch", authors: ["George Eliot"]),
        BookRecord(title: "Walden", authors: ["Henry David Thoreau"]),
        BookRecord(title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"]),
    ]
    /// Book that a device takes a spine for when it is wrong.
    static let wrong = BookRecord(title: "Gardening for Beginners", authors: ["Nobody Inparticular"])
}

/// A made-up book for each number; no two are alike.
struct NumberedBook {
    let title: String
    let author: String

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
