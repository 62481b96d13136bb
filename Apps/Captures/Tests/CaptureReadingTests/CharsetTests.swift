import Foundation
import Testing

@testable import CaptureReading

@Suite struct CharsetTests {
    private static func title(_ bytes: [UInt8], contentType: String? = nil) throws -> String? {
        let url = try #require(URL(string: "https://example.org/"))
        return WebPage(html: bytes, contentType: contentType, url: url).title
    }

    private static func page(_ title: [UInt8], meta: String = "") -> [UInt8] {
        Array("<html><head>\(meta)<title>".utf8) + title + Array("</title></head></html>".utf8)
    }

    /// "Käse" or the like in bytes of an encoding, by the tables of WHATWG Encoding.
    static let encodings: [(name: String, bytes: [UInt8], text: String)] = [
        ("utf-8", [0x4B, 0xC3, 0xA4, 0x73, 0x65], "Käse"),
        ("UTF8", [0x4B, 0xC3, 0xA4, 0x73, 0x65], "Käse"),
        ("ISO-8859-1", [0x4B, 0xE4, 0x73, 0x65], "Käse"),
        // Pages labelled ISO-8859-1 mean windows-1252: 0x80 is the euro, 0x93 and 0x94 are quotes.
        ("latin1", [0x93, 0x80, 0x94], "“€”"),
        ("windows-1252", [0x8A, 0x9F], "ŠŸ"),
        // 0x81 is not a character there; it becomes a control character, and those are omitted.
        ("windows-1252", [0x61, 0x81, 0x62], "a b"),
        ("iso-8859-15", [0xA4, 0x35], "€5"),
        ("iso-8859-2", [0xB1, 0xBF], "ąż"),
        ("windows-1251", [0xCC, 0xE8, 0xF0], "Мир"),
        ("koi8-r", [0xED, 0xC9, 0xD2], "Мир"),
        ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
        ("gbk", [0xD6, 0xD0], "中"),
        ("big5", [0xA4, 0xA4], "中"),
        // Expected values by Python 3.11's codecs of these names, and cp932, cp949 and gb18030 for those that the
        // standard means.
        ("x-sjis", [0x87, 0x40, 0x87, 0x8A, 0xFB, 0xFC], "①㈱髙"),
        ("windows-31j", [0xED, 0x95], "﨑"),
        ("x-euc-jp", [0xAD, 0xA1, 0xCA, 0xB8, 0xBB, 0xFA], "①文字"),
        ("ks_c_5601-1987", [0x8C, 0x63, 0xB9, 0xE6], "똠방"),
        ("korean", [0xC7, 0xD1], "한"),
        ("gb2312", [0xE9, 0x46, 0x81, 0x40], "镕丂"),
        ("cn-big5", [0xC1, 0x63, 0xC5, 0xE9], "繁體"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
        ("csiso2022jp", [0x1B, 0x28, 0x49, 0x36, 0x45, 0x1B, 0x28, 0x42], "ｶﾅ"),
        ("ibm866", [0x8C, 0xA8, 0xE0], "Мир"),
        ("dos-874", [0xE4, 0xB7, 0xC2, 0x80], "ไทย€"),
        ("x-cp1251", [0xCC, 0xE8, 0xF0], "Мир"),
        ("x-mac-ukrainian", [0x8C, 0xE8, 0xF0], "Мир"),
        ("iso_8859-9:1989", [0xFD, 0xDE], "ıŞ"),
        ("visual", [0xF9, 0xEC], "של"),
        ("koi8-ru", [0xEB, 0xC9, 0xA7], "Киї"),
    ]

    @Test(arguments: encodings) func headerNamesTheEncoding(name: String, bytes: [UInt8], text: String) throws {
        #expect(try Self.title(Self.page(bytes), contentType: "text/html;charset=\"\(name)\"") == text)
    }

    @Test(arguments: encodings) func pageNamesTheEncoding(name: String, bytes: [UInt8], text: String) throws {
        #expect(try Self.title(Self.page(bytes, meta: "<meta charset=\(name)>")) == text)
        let old = "<META http-equiv='Content-Type' content='text/html; charset=\(name)'>"
        #expect(try Self.title(Self.page(bytes, meta: old)) == text)
    }

    @Test func headerCountsBeforeThePage() throws {
        let page = Self.page([0xC3, 0xA4], meta: "<meta charset=koi8-r>")
        #expect(try Self.title(page, contentType: "text/html; charset=UTF-8") == "ä")
    }

    @Test func byteOrderMarkCountsBeforeTheHeader() throws {
        let header = "text/html; charset=koi8-r"
        #expect(try Self.title([0xEF, 0xBB, 0xBF] + Self.page([0xC3, 0xA4]), contentType: header) == "ä")
        let units = Array("<title>Käse 🧀</title>".utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try Self.title([0xFF, 0xFE] + little, contentType: header) == "Käse 🧀")
        #expect(try Self.title([0xFE, 0xFF] + big, contentType: header) == "Käse 🧀")
        #expect(try Self.title(little, contentType: "text/html; charset=utf-16le") == "Käse 🧀")
        #expect(try Self.title(big, contentType: "text/html; charset=UTF-16BE") == "Käse 🧀")
        // Half a unit at the end.
        #expect(try Self.title([0xFF, 0xFE] + little + [0x3C]) == "Käse 🧀")
    }

    @Test func withoutANameItIsUTF8WhereThatIsValid() throws {
        #expect(try Self.title(Self.page([0xC3, 0xA4])) == "ä")
        #expect(try Self.title(Self.page([0xE4])) == "ä")
    }

    /// HTML 13.2.3.2, step by step: which declaration counts, of KOI8-R or of windows-1251, in which the same bytes
    /// are other letters ("МИР" and "ЛШР" in capitals by their tables).
    @Test(arguments: [
        ("<meta charset=koi8-r>", "Мир"),
        ("<!-- <meta charset=windows-1251> --><meta charset=koi8-r>", "Мир"),
        ("<!--><meta charset=koi8-r>-->", "Мир"),
        ("<meta name=x content='text/html; charset=windows-1251'><meta charset=koi8-r>", "Мир"),
        ("<meta content='text/html; charset=koi8-r' http-equiv=content-type>", "Мир"),
        ("<META/CHARSET = 'koi8-r'/>", "Мир"),
        ("<meta charset=\" koi8-r\n\">", "Мир"),
        ("<a title='<meta charset=windows-1251>'></a><meta charset=koi8-r>", "Мир"),
        ("<meta charset=nonsense><meta charset=koi8-r>", "Мир"),
        ("<meta charset=koi8-r charset=windows-1251>", "Мир"),
        ("<!doctype html><?x <meta charset=koi8-r>?><meta charset=koi8-r>", "Мир"),
        ("<metadata charset=windows-1251></metadata><meta charset=koi8-r>", "Мир"),
        ("<?xml version='1.0' encoding=\"koi8-r\"?>", "Мир"),
        ("<?xml version='1.0' encoding='windows-1251'?><meta charset=koi8-r>", "Мир"),
        ("<script>" + String(repeating: "/* long */", count: 200) + "</script><meta charset=koi8-r>", "Мир"),
    ])
    func theFirstDeclarationCounts(head: String, text: String) throws {
        let page = Array("\(head)<title>".utf8) + [0xED, 0xC9, 0xD2] + Array("</title>".utf8)
        #expect(try Self.title(page) == text)
        // The header counts before all of them.
        #expect(try Self.title(page, contentType: "text/html; charset=windows-1251") == "нЙТ")
        #expect(try Self.title(page, contentType: "text/html; charset=nonsense") == text)
    }

    /// HTML 13.2.3.2: a page that declares x-user-defined is read as windows-1252; a header's declaration is used
    /// unchanged (Encoding, 14.5).
    @Test func encodingsWithRulesOfTheirOwn() throws {
        #expect(try Self.title(Self.page([0xE4], meta: "<meta charset=x-user-defined>")) == "ä")
        #expect(try Self.title(Self.page([0xE4]), contentType: "text/html; charset=x-user-defined") == "\u{F7E4}")
        #expect(try Self.title(Self.page([0x61]), contentType: "text/html; charset=hz-gb-2312") == nil)
        #expect(Charset.utf8([0x61], contentType: "text/html; charset=iso-2022-kr") == Array("\u{FFFD}".utf8))
        let units = Array("<title>Käse</title>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try Self.title(units, contentType: "text/html; charset=unicode") == "Käse")
    }

    /// All labels of section 4.2 of the standard: 228, as Deno 2.9 knows them (compared one by one).
    @Test func allLabelsAreKnown() {
        #expect(Charset.names.count == 228)
        #expect(Set(Charset.names.values).count == 38)
        for (label, name) in Charset.names { #expect(Charset.encoding(" \(label.uppercased())\t") == name) }
        #expect(Charset.encoding("utf-7") == nil && Charset.encoding("") == nil && Charset.encoding("cp932") == nil)
    }

    /// HTML 13.2.3.2: a page whose meta element can be read is not in UTF-16.
    @Test func pageThatSaysUTF16InASCIIIsUTF8() throws {
        #expect(try Self.title(Self.page([0xC3, 0xA4], meta: "<meta charset=utf-16>")) == "ä")
    }

    @Test(arguments: ["utf-7", "ebcdic-us", "nonsense", "utf-32"])
    func unknownNamesAreNotBelieved(name: String) throws {
        #expect(try Self.title(Self.page([0xC3, 0xA4]), contentType: "text/html; charset=\(name)") == "ä")
    }

    /// "+ADw-" is "<" in UTF-7.
    @Test func markupIsNotHiddenInUTF7() throws {
        let page = Array("<meta charset=utf-7><title>+ADw-b+AD4-</title>".utf8)
        #expect(try Self.title(page) == "+ADw-b+AD4-")
    }

    @Test func faultyBytesAreReplacedAndTheRestIsRead() throws {
        let page = Self.page([0x61, 0xFF, 0x62, 0xC3, 0xA4])
        #expect(try Self.title(page, contentType: "text/html; charset=utf-8") == "a\u{FFFD}bä")
    }
}
