import Foundation
import Testing

@testable import WebReading

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
        // Pages that say ISO-8859-1 mean windows-1252: 0x80 is the euro, 0x93 and 0x94 are quotes.
        ("latin1", [0x93, 0x80, 0x94], "“€”"),
        ("windows-1252", [0x8A, 0x9F], "ŠŸ"),
        // 0x81 is no character there; it is taken as a control character, and those are left out.
        ("windows-1252", [0x61, 0x81, 0x62], "a b"),
        ("iso-8859-15", [0xA4, 0x35], "€5"),
        ("iso-8859-2", [0xB1, 0xBF], "ąż"),
        ("windows-1251", [0xCC, 0xE8, 0xF0], "Мир"),
        ("koi8-r", [0xED, 0xC9, 0xD2], "Мир"),
        ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
        ("gbk", [0xD6, 0xD0], "中"),
        ("big5", [0xA4, 0xA4], "中"),
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

    /// HTML 13.2.3.2: a page whose meta element can be read is not in UTF-16.
    @Test func pageThatSaysUTF16InASCIIIsUTF8() throws {
        #expect(try Self.title(Self.page([0xC3, 0xA4], meta: "<meta charset=utf-16>")) == "ä")
    }

    @Test(arguments: ["utf-7", "iso-2022-jp", "ebcdic-us", "nonsense", "utf-32"])
    func unknownNamesAreNotBelieved(name: String) throws {
        #expect(try Self.title(Self.page([0xC3, 0xA4]), contentType: "text/html; charset=\(name)") == "ä")
    }

    /// In UTF-7 "+ADw-" is "<".
    @Test func markupIsNotHiddenInUTF7() throws {
        let page = Array("<meta charset=utf-7><title>+ADw-b+AD4-</title>".utf8)
        #expect(try Self.title(page) == "+ADw-b+AD4-")
    }

    @Test func faultyBytesAreReplacedAndTheRestIsRead() throws {
        let page = Self.page([0x61, 0xFF, 0x62, 0xC3, 0xA4])
        #expect(try Self.title(page, contentType: "text/html; charset=utf-8") == "a\u{FFFD}bä")
    }
}
