import Basics
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Texts of QR codes, and which of them are of a book.
@Suite struct QRTextTests {
    /// Codes that segno 1.6 drew: bytes in UTF-8 and in ISO 8859-1 without ECI, Kanji mode, and an ECI of ISO 8859-5; then
    /// three of Structured Append, with the cut between two of them within "É".
    static let drawn = Fixture.rows("qr-texts.tsv").map { (text: $0[0], rows: $0[1]) }

    @Test(arguments: drawn.prefix(4)) func theTextIsReadLetterByLetter(text: String, rows: String) throws {
        var image = RasterImage.plain(300, 300)
        image.draw(.qr(rows: rows), x: 150, y: 150, scale: 6)
        let code = try #require(CodeFinder.codes(in: image).first)
        #expect(code.payload == text)
        #expect(!code.isPartial)
    }

    static let parts = drawn.suffix(3).map(\.rows)
    static let whole = "The lantern burns until the last boat has come home. Été."

    @Test func aPartAloneSaysSo() throws {
        for rows in Self.parts {
            var image = RasterImage.plain(300, 300)
            image.draw(.qr(rows: rows), x: 150, y: 150, scale: 6)
            let code = try #require(CodeFinder.codes(in: image).first)
            #expect(code.isPartial)
            #expect(Self.whole.contains(code.payload) && code.payload.count > 10)
        }
    }

    @Test func partsOnOnePictureAreOneText() throws {
        var image = RasterImage.plain(900, 300)
        for (index, rows) in Self.parts.enumerated() {
            image.draw(.qr(rows: rows), x: 150 + Double(300 * index), y: 150, scale: 6)
        }
        let codes = CodeFinder.codes(in: image)
        #expect(codes.map(\.payload) == [Self.whole])
        #expect(codes.allSatisfy { !$0.isPartial })
    }

    /// Expected values by the bytes of the encodings; ZBar's guesses are those of ZBar 0.23.92.
    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], "a", "a"), ([0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72], "Müller", "Müller"),
            ([0xC4, 0x20, 0xD6], "ﾄ ﾖ", "Ä Ö"), ([0xC3, 0xBD, 0xC4], "ﾃｽﾄ", "Ã½Ä"),
            ([0xE0, 0xDB, 0xE0, 0xE8], "珈琲", "珈琲"), ([0x4D, 0xE9, 0x65], "M嶪", "Mée"),
            // The C library's Shift_JIS has a yen sign for the backslash, which contents escape with.
            ([0x93, 0xFA, 0x5C, 0x3B, 0x96, 0x7B], "日¥;本", #"日\;本"#),
            // Windows' quotes, of which the last one makes it no Shift_JIS.
            ([0x93, 0x48, 0x61, 0x94], "", "“Ha”"),
        ] as [([UInt8], String, String)]
    )
    func otherBytesAreWhatTheyCanBe(bytes: [UInt8], guess: String, text: String) {
        #expect(QRText.text(bytes, guess: guess) == text)
    }

    @Test func charactersThatAreCutAreLeftOut() {
        let bytes = [0] + Array("um Éa".utf8) + [0xC3, 0, 0xBC, 0x61]
        #expect(QRText.parts(bytes, guess: "") == "um Éa … a")
    }

    /// Expected values by GS1 Digital Link: URI Syntax 1.4, section 4; RFC 8254; GS1 General Specifications, section
    /// 3.
    ///
    /// 9780261102217 is the number
    /// of a book, 19780261102214 of a carton of it, 09506000134352 GS1's own example of a product.
    @Test(arguments: [
        ("https://id.gs1.org/01/09780261102217", true), ("HTTPS://ID.GS1.ORG/01/09780261102217", true),
        ("https://example.com/p/01/09780261102217/10/ABC?17=301231", true),
        ("https://example.com/01/9780261102217", true),
        ("https://id.gs1.org/01/09780261102217?01=5", true), ("urn:isbn:9780261102217", true),
        ("URN:ISBN:978-0-261-10221-7", true), ("urn:isbn:0-261-10221-4", true), ("urn:isbn:9780261102217?=a#p1", true),
        ("(01)09780261102217(10)A", true), ("ISBN 978-0-261-10221-7", true), ("isbn:9780261102217", true),
        ("9780261102217", true), ("https://id.gs1.org/01/19780261102214", false),
        ("https://id.gs1.org/01/09506000134352", false), ("https://id.gs1.org/01/09780261102218", false),
        ("https://id.gs1.org/00/09780261102217", false), ("https://example.com/?01=09780261102217", false),
        ("urn:isbn:9780261102218", false), ("urn:issn:9780261102217", false), ("4006381333931", false),
        ("0261102214", false),
    ])
    func codesOfBooksAreKnown(payload: String, isBook: Bool) {
        let code = FoundCode(symbology: .qr, payload: payload, minX: 0, minY: 0, maxX: 1, maxY: 1)
        #expect(code.isbn?.digits == (isBook ? "9780261102217" : nil))
        var part = code
        part.isPartial = true
        #expect(part.isbn == nil)
    }

    @Test func identifiersOfGS1AreReadWhereTheCodeSaysSo() {
        var code = FoundCode(symbology: .code128, payload: "0109780261102217", minX: 0, minY: 0, maxX: 1, maxY: 1)
        #expect(code.isbn == nil)
        code.isGS1 = true
        #expect(code.isbn?.digits == "9780261102217")
        code.payload = "10LOT\u{1D}0109780261102217"
        #expect(code.isbn?.digits == "9780261102217")
    }
}

extension DrawnCode {
    /// Returns a QR code by its rows in hexadecimal digits, the leftmost module first.
    static func qr(rows: String) -> DrawnCode {
        let numbers = rows.split(separator: " ").map { Int($0, radix: 16) ?? 0 }
        return DrawnCode(
            modules: numbers.map { row in
                numbers.indices.map { row >> (numbers.count - 1 - $0) & 1 == 1 }
            },
            quiet: 4
        )
    }
}
