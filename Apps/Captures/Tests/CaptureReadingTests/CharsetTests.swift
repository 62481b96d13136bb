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

    /// Labels with a text in bytes of their encodings: by the tables of WHATWG Encoding, and from "x-sjis" on by Python 3.11's
    /// codecs of these names, and cp932, cp949 and gb18030 for those that the standard means.
    static let encodings = Fixture.rows("encodings.tsv").map { ($0[0], Fixture.bytes(hex: $0[1]), $0[2]) }

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
