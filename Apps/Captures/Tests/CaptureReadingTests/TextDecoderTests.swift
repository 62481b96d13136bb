import Testing

@testable import CaptureReading

/// Texts of other encodings, whole and with faults.
@Suite struct TextDecoderTests {
    /// Returns the FNV-1a, 64 bits, over each sequence in UTF-8, with 0xFF behind it.
    private static func digest(_ encoding: String, _ sequences: some Sequence<[UInt8]>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for sequence in sequences {
            for byte in TextDecoder.utf8(sequence[...], encoding) + [0xFF] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return hash
    }

    private static func product(_ ranges: ClosedRange<UInt8>...) -> [[UInt8]] {
        ranges.reduce([[]]) { beginnings, range in beginnings.flatMap { beginning in range.map { beginning + [$0] } } }
    }

    /// All pairs of a byte from 0x80 and any byte, where glibc has the standard's characters; the digests are of encoding_rs's
    /// results (Deno 2.9.8).
    @Test(
        arguments: [
            ("UTF-8", 0x7D17_3BE1_9625_ADE5), ("IBM866", 0x9B8E_A784_E0BF_4F69), ("ISO-8859-2", 0x60B2_EE98_CE5F_6785),
            ("ISO-8859-3", 0x23F2_E49B_9894_E673), ("ISO-8859-4", 0xC616_2BB5_354C_C115),
            ("ISO-8859-5", 0x7FC1_1A45_7A0D_303F), ("ISO-8859-6", 0x819C_1A64_B177_6671),
            ("ISO-8859-7", 0x8E50_C18E_B121_8721), ("ISO-8859-8", 0x2A8A_0D10_4A3E_32AD),
            ("ISO-8859-10", 0x9165_654F_875B_9721), ("ISO-8859-13", 0x3070_09F9_2ED2_86F1),
            ("ISO-8859-14", 0xF3C2_8923_B5EC_C13D), ("ISO-8859-15", 0x28C4_0CC4_D6A3_2B6F),
            ("ISO-8859-16", 0xB76A_8500_14C6_4FB7), ("KOI8-R", 0xD15C_24C1_8876_C645),
            ("windows-874", 0x28BF_563F_CD66_2FE9),
            ("windows-1250", 0xBDC4_95C2_C1F8_7931), ("windows-1251", 0x8C88_58DA_CBD2_1D11),
            ("windows-1252", 0x5311_320F_EC16_3777), ("windows-1253", 0x373B_79BE_ABEE_641D),
            ("windows-1254", 0x7DE9_C524_0B0E_ECDD),
            ("windows-1256", 0x16FF_3A3A_3273_E589), ("windows-1257", 0xB9A0_790E_DCCC_7B5D),
            ("x-user-defined", 0x65CE_50F1_FF87_8B25),
        ] as [(String, UInt64)]
    )
    func allPairsAreThoseOfTheStandard(encoding: String, digest: UInt64) {
        #expect(Self.digest(encoding, Self.product(0x80...0xFF, 0x00...0xFF)) == digest)
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
