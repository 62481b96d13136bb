import Basics
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Texts of QR codes, and which of them are of a book.
@Suite struct QRTextTests {
    /// Codes that segno 1.6 drew: bytes in UTF-8 and in ISO 8859-1 without ECI, Kanji mode, and an ECI of ISO 8859-5.
    static let drawn: [(text: String, rows: String)] = [
        (
            "Bücherei Köln",
            "1fcf7f 104141 17485d 17565d 17545d 104741 1fd57f 000d00 18ea18 1888c5 1dfb8b 000891 0255b3 001678 1fd086 105e7e 174143 174914 174cd3 10568c 1fd832"
        ),
        (
            "Müller & Söhne",
            "1fd67f 105741 175d5d 174d5d 17535d 104b41 1fd57f 000700 13f797 1f00ca 19e12e 009e16 14c0b8 001cdb 1fd3b4 1059cc 175aea 175e20 17491f 10402f 1fdb50"
        ),
        (
            "珈琲",
            "1fc87f 104441 174f5d 17475d 17595d 104141 1fd57f 001000 067dd0 0483aa 1cd0f2 0b8b8f 0e751b 00166e 1fd397 104bc5 174e49 175312 175554 104e99 1fc9e3"
        ),
        (
            "Привет",
            "1fc07f 104641 174b5d 174b5d 17595d 104541 1fd57f 001f00 0676d0 17aef1 164787 0b808e 10ced8 001925 1fdfb4 1042c7 17417b 175d8e 175fec 104dae 1fcf20"
        ),
    ]

    @Test(arguments: drawn) func theTextIsReadLetterByLetter(text: String, rows: String) throws {
        var image = RasterImage.plain(300, 300)
        image.draw(.qr(rows: rows), x: 150, y: 150, scale: 6)
        let code = try #require(CodeFinder.codes(in: image).first)
        #expect(code.payload == text)
        #expect(!code.isPartial)
    }

    /// Three codes of Structured Append that segno drew; the cut between two of them is within "É".
    static let parts = [
        "1fcf77f 1046e41 174ba5d 174375d 1740d5d 105d341 1fd557f 0007400 12d79a0 0a0acd1 0bc74e9 1400dd2 09685f5 0982386 12d2d51 080accd 1cf19f0 0015b11 1fc7753 1059117 174c3ff 175e32a 17482c5 104c7ab 1fd91b5",
        "1fd307f 1050841 174d25d 175ee5d 174d05d 1047541 1fd557f 001d600 16e694b 0d26752 0276906 068ae4a 05507cd 0ab663a 084901a 1031122 02f65f3 0015b1d 1fd735f 1059517 17479fc 1755b43 1753a96 104c1bb 1fdd509",
        "1fd777f 1053841 175595d 174ad5d 175095d 1047341 1fd557f 000e600 13f9a97 1da60ef 1ec7a4d 07a96a1 0550a4f 199d5c9 1f5cd7b 1321636 14ebff2 0012f1e 1fd1551 1052710 17539f1 1755064 174bcdf 1043954 1fd729f",
    ]
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
