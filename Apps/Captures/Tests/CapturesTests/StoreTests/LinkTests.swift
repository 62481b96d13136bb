import Basics
import Foundation
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures

/// Addresses in notes and in shortcuts of desktops.
@Suite(.inTurns) struct LinkTests {
    /// RFC 3986, appendix C; GitHub Flavored Markdown 0.29, 6.9 and examples 616 to 628; texts of share menus.
    @Test(arguments: [
        (
            "The Silver Lantern - Example Shop\nhttps://shop.example.org/dp/0306406152?ref=share",
            ["https://shop.example.org/dp/0306406152?ref=share"]
        ),
        (
            "https://example.org/one\nhttps://example.org/two\nhttps://example.org/one",
            ["https://example.org/one", "https://example.org/two"]
        ),
        (
            "[The lantern](https://example.org/lantern) and [other](https://example.org/other \"t\")",
            ["https://example.org/lantern", "https://example.org/other"]
        ),
        ("See the page (https://example.org/wiki/Dune_(novel))for more.", ["https://example.org/wiki/Dune_(novel)"]),
        (
            "„https://example.org/q“ «https://example.org/r» 'https://example.org/s' \"https://example.org/t\"",
            ["https://example.org/q", "https://example.org/r", "https://example.org/s", "https://example.org/t"]
        ),
        ("Read https://example.org/a.", ["https://example.org/a"]),
        (
            "https://example.org/a, https://example.org/b; https://example.org/c?! https://example.org/d...",
            ["https://example.org/a", "https://example.org/b", "https://example.org/c", "https://example.org/d"]
        ),
        ("<https://example.org/a> [1]: https://example.org/b", ["https://example.org/a", "https://example.org/b"]),
        (
            "**https://example.org/a** _https://example.org/b_ `https://example.org/c`",
            ["https://example.org/a", "https://example.org/b", "https://example.org/c"]
        ),
        (
            "http://[::1]:8080/a?b[0]=1 http://example.org:8080/x#y",
            ["http://[::1]:8080/a?b[0]=1", "http://example.org:8080/x#y"]
        ),
        ("请看https://example.org/a。谢谢 （https://example.org/b）", ["https://example.org/a", "https://example.org/b"]),
        ("https://bücher.example/größe?q=ü", ["https://bücher.example/größe?q=ü"]),
        (
            "HTTPS://EXAMPLE.ORG/A and www.example.de/x, not wwwexample.org",
            ["HTTPS://EXAMPLE.ORG/A", "https://www.example.de/x"]
        ),
        (
            "https://example.org/wiki/Schindler's_List https://example.org/a,b;c=d",
            ["https://example.org/wiki/Schindler's_List", "https://example.org/a,b;c=d"]
        ),
        ("URL=https://example.org/a|https://example.org/b", ["https://example.org/a|https://example.org/b"]),
        (
            "ftp://example.org xhttps://example.org javascript:alert(1) https:// http://. name@www.example.org node.js 1.2 example.com",
            []
        ),
        ("", []),
    ])
    func aNotesAddressesAreFound(text: String, links: [String]) { #expect(CaptureIntake.addresses(in: text) == links) }

    /// A printed line may have an address without a scheme.
    @Test func aPrintedLineMayLackTheScheme() {
        let line = "Mehr: example.org/buch (Verlag.com), a@b.com"
        #expect(
            CaptureIntake.addresses(in: line, completes: true) == ["https://example.org/buch", "https://Verlag.com"]
        )
    }

    @Test(arguments: [
        ("https://example.org/a.", "https://example.org/a"), (" https://example.org/a?!\n", "https://example.org/a"),
        ("example.com.", "https://example.com"), ("\u{FEFF}https://example.org/a", "https://example.org/a"),
    ])
    func aTextThatIsAnAddressLosesItsStop(text: String, url: String) throws {
        #expect(try CaptureIntake.capture(Array(text.utf8), name: "n.txt", at: Date()).url == url)
    }

    /// The links of a note are items beside it, also when it is processed again; those of a note of very many are counted.
    @Test func theLinksOfANoteAreItems() async throws {
        let store = try CaptureStore.inMemory()
        func processed(_ text: String) async throws -> CapturedItem {
            let item = try store.captured(text)
            try await store.process()
            return try #require(try store.item(item.id))
        }
        let note = try await processed("A lamp\nhttps://example.org/lamp?token=abcdefgh12345678 (https://youtu.be/1)")
        let links = try store.children(of: note.id)
        #expect(note.kind == .text && note.media.transcription?.hasPrefix("A lamp") == true)
        #expect(links.map(\.kind) == [.web, .media] && links.allSatisfy { $0.state == .ready })
        #expect(links.map(\.url) == ["https://example.org/lamp?token=[redacted]", "https://youtu.be/1"])
        #expect(try links.first.flatMap { try store.secret(of: $0.id)?.url }?.hasSuffix("12345678") == true)
        let many = try await processed((0..<130).map { "https://example.org/\($0)" }.joined(separator: " "))
        #expect(try store.children(of: many.id).count == CaptureIntake.mostLinks)
        #expect(many.log.contains { $0.stage == "links" && $0.outcome == "100 of 130" })
        #expect(try await store.children(of: processed("no link").id).isEmpty)
    }

    // MARK: - Shortcuts

    private func url(of bytes: [UInt8], _ name: String = "a.url") throws -> String? {
        try CaptureIntake.capture(bytes, name: name, at: Date()).url
    }

    /// Desktop Entry Specification 1.5, 4 and 5; Windows' `[InternetShortcut.W]` is in UTF-7 (by Python's codec `utf-7`).
    @Test(arguments: [
        (
            "[InternetShortcut.W]\r\nURL=https+AG8-\r\n[InternetShortcut]\r\nURL=https://example.org/win4\r\n",
            "https://example.org/win4"
        ),
        (
            "[InternetShortcut]\r\nURL=https://example.org/?\r\n[InternetShortcut.W]\r\nURL=https://example.org/+kE4-\r\n",
            "https://example.org/過"
        ),
        (
            "[DEFAULT]\r\nBASEURL=https://example.org/base\r\n[internetshortcut]\r\nIconFile=C:\\x.ico\r\nurl = https://example.org/x\r\n",
            "https://example.org/x"
        ),
        (
            "[InternetShortcut]\nURL=https://example.org/a+b=c\n[InternetShortcut.A]\nURL=https://example.org/no",
            "https://example.org/a+b=c"
        ),
        (
            "[Desktop Entry]\nVersion=1.0\nType=Link\nName[de]=Laterne\nURL[$e]=https://example.org/kde\n",
            "https://example.org/kde"
        ),
        (
            "# a\n[Desktop Entry]\nType = Link\nURL[de]=https://example.org/de\nURL = https://example.org/x\n[Desktop Action a]\nURL=https://example.org/no",
            "https://example.org/x"
        ),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist><plist version=\"1.0\"><dict><key>URL</key><string>https://example.org/x?a=1&amp;b=2</string></dict></plist>",
            "https://example.org/x?a=1&b=2"
        ),
        ("[InternetShortcut]\rURL=https://example.org/x\r", "https://example.org/x"),
    ])
    func shortcutsOfDesktopsAreRead(text: String, expected: String) throws {
        #expect(try url(of: Array(text.utf8)) == expected)
        #expect(try url(of: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
        #expect(try url(of: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == expected)
    }

    /// What Safari writes, by hand (Apple's CFBinaryPList.c): one dictionary, key and text; and a line in windows-1252.
    @Test func aBinaryShortcutIsRead() throws {
        let address = "https://example.org/mac"
        var list =
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x53] + Array("URL".utf8) + [0x5F, 0x10, UInt8(address.utf8.count)]
        list += Array(address.utf8)
        let table = UInt8(list.count)
        list += [8, 11, 15] + [UInt8](repeating: 0, count: 6) + [1, 1]
        list +=
            [UInt8](repeating: 0, count: 7) + [3] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0, count: 7)
            + [table]
        #expect(try url(of: list, "a.webloc") == address)
        #expect(throws: CaptureError.self) { try url(of: Array(list.dropLast(9)), "a.webloc") }
        #expect(
            try url(
                of: Array("[InternetShortcut]\r\nIconFile=B".utf8) + [0xFC]
                    + Array("cher.ico\r\nURL=https://example.org/x".utf8)
            ) == "https://example.org/x"
        )
    }

    /// A note that has an address in it is a note, whole, and so is the entry of a program.
    @Test(arguments: [
        "Meeting notes\nURL=https://a.example/x\nCall Anna\n",
        "[Desktop Entry]\nType=Application\nURL=https://a.example/x\n",
        "<html><a href=\"https://example.org/\">x</a></html>", "title,url\nA,https://example.org/a\n",
    ])
    func otherTextsAreNotes(text: String) throws {
        let new = try CaptureIntake.capture(Array(text.utf8), name: "n", at: Date())
        #expect(new.url == nil && new.text == text)
    }

    @Test(arguments: [
        "[InternetShortcut]\nURL=file:///etc/passwd", "[InternetShortcut]\nIconIndex=0",
        "[Desktop Entry]\nType=Link\nURL=javascript:alert(1)",
        "<plist version=\"1.0\"><dict><key>URL</key><string>smb://host/</string></dict></plist>",
    ])
    func aShortcutToElsewhereIsRefused(text: String) {
        #expect(throws: CaptureError("a.url", "is a shortcut without a web address (http or https)")) {
            try url(of: Array(text.utf8))
        }
    }
}
