import Basics
import Testing

@testable import CaptureReading

/// Texts of other encodings, whole and with faults.
@Suite struct TextDecoderTests {
    /// All pairs of a byte from 0x80 and any byte, where glibc has the standard's characters; the digests are of encoding_rs's
    /// results.
    @Test func allPairsAreThoseOfTheStandard() {
        let rows = Fixture.rows("encoding-digests.tsv")
        for cells in rows {
            var hash = FNV1a()
            for first in UInt8(0x80)...0xFF {
                for second in UInt8(0)...0xFF {
                    for byte in TextDecoder.utf8([first, second], cells[0]) + [0xFF] { hash.append(byte) }
                }
            }
            #expect(hash.value == UInt64(cells[1], radix: 16), "\(cells[0])")
        }
        #expect(rows.count == 24)
    }

    /// One U+FFFD for an invalid sequence, and a byte of ASCII behind a lead stays; worked out by the decoders' steps
    /// (Encoding, 10 to 13).
    @Test(
        arguments: [
            ("Shift_JIS", [0x93, 0xFA, 0xFF, 0x96, 0x7B], "日\u{FFFD}本"),
            ("Shift_JIS", [0x93, 0x3C, 0x62, 0x3E], "\u{FFFD}<b>"), ("Shift_JIS", [0x93, 0xFA, 0x96], "日\u{FFFD}"),
            ("Shift_JIS", [0xFC, 0xFC, 0x61], "\u{FFFD}a"), ("Shift_JIS", [0xA0, 0xB1], "\u{FFFD}ｱ"),
            ("gb18030", [0xD6, 0xFF, 0xD6, 0xD0], "\u{FFFD}中"), ("gb18030", [0xD6, 0x22, 0x61], "\u{FFFD}\"a"),
            ("gb18030", [0x81, 0x30, 0x81, 0x41], "\u{FFFD}0丄"),
            ("gb18030", [0x81, 0x30, 0x81], "\u{FFFD}"), ("gb18030", [0x81, 0x30, 0x20], "\u{FFFD}0 "),
            ("EUC-KR", [0xB0, 0xFF, 0xB0, 0xA1], "\u{FFFD}가"), ("EUC-KR", [0xC9, 0x20, 0xB0, 0xA1], "\u{FFFD} 가"),
            ("Big5", [0xA4, 0xFF, 0xA4, 0xA4], "\u{FFFD}中"), ("Big5", [0x88, 0x62], "Ê̄"), ("Big5", [0xA4], "\u{FFFD}"),
            ("EUC-JP", [0xC6, 0xFC, 0xFF, 0xCB, 0xDC], "日\u{FFFD}本"), ("EUC-JP", [0x8F, 0xA2, 0x3C], "\u{FFFD}<"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x1B, 0x28, 0x42, 0x61], "\u{FFFD}a"),
            ("ISO-2022-JP", [0x1B, 0x28, 0x4A, 0x5C, 0x7E], "¥‾"),
            ("UTF-8", [0x61, 0xE2, 0x82, 0x62, 0xFF], "a\u{FFFD}b\u{FFFD}"),
            ("windows-1253", [0xE1, 0xD2], "α\u{FFFD}"),
            ("UTF-16LE", [0x61, 0x00, 0x00, 0xD8, 0x62, 0x00, 0x63], "a\u{FFFD}b\u{FFFD}"),
        ] as [(String, [UInt8], String)]
    )
    func whatIsNoneIsReplacedAndTheRestIsRead(encoding: String, bytes: [UInt8], text: String) {
        #expect(String(decoding: TextDecoder.utf8(bytes[...], encoding), as: UTF8.self) == text)
    }

    /// Invalid byte in the middle of a page: the text behind it stays.
    @Test(arguments: ["Shift_JIS", "gbk", "euc-kr", "big5", "euc-jp", "iso-2022-jp", "windows-1253"])
    func aFaultDoesNotEndThePage(label: String) {
        let page = Array("<title>a".utf8) + [0xFF] + Array("b</title><p>The end.</p>".utf8)
        let text = Charset.utf8(page, contentType: "text/html; charset=\(label)")
        #expect(String(decoding: text, as: UTF8.self) == "<title>a\u{FFFD}b</title><p>The end.</p>")
    }
}
