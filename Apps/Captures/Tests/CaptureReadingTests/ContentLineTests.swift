import Foundation
import Testing

@testable import CaptureReading

/// Content lines of vCards, with examples of their specifications, and of writers that are named beside them.
@Suite struct ContentLineTests {
    private func lines(_ text: String) -> [ContentLine] { ContentLine.cards(in: text).first ?? [] }

    private func value(_ line: String, version: String = "3.0") -> String? {
        lines("BEGIN:VCARD\r\nVERSION:\(version)\r\n\(line)\r\nEND:VCARD\r\n").dropFirst().first?.text
    }

    /// RFC 5545, 3.1; RFC 6350, 3.2: one space or tab goes, whatever ends the line; a character may be cut by it from its mark.
    @Test(arguments: [
        "NOTE:This is a long descrip\r\n tion", "NOTE:This is a long descrip\n\ttion",
        "NOTE:This is a long descrip\r tion",
        "NO\r\n TE:This is a long\r\n  descrip\r\n tion", "note;x=\"a\n b\":This is a long descrip\n tion",
    ])
    func foldedLinesAreOne(line: String) { #expect(value(line) == "This is a long description") }

    @Test func aFoldBeforeACombiningMarkLosesNothing() {
        #expect(value("NOTE:Cafe\r\n \u{301} au lait")?.unicodeScalars.map(\.value).contains(0x301) == true)
        // LINE SEPARATOR ends no line.
        #expect(value("NOTE:one\u{2028}two") == "one\u{2028}two")
    }

    /// RFC 5545, 3.2 (quotes), 3.2.1 (ALTREP); RFC 6868, 3 (`^`).
    @Test func parametersEndByTheirGrammar() throws {
        let text = """
            BEGIN:VCARD
            ATTENDEE;CN="Babe ^'Ruth^' a;b:c";MEMBER="mailto:a@x.example","mailto:b@x.example";X=a^^b^nc:mailto:babe@x.example
            DESCRIPTION;ALTREP="cid:part1.0001@example.org":The Fall'98 Wild Wizards
            SUMMARY;LANGUAGE=en;X-A="a:b":Reading: part 1
            LOCATION;X="open:Quay
            END:VCARD
            """
        let lines = lines(text)
        #expect(lines.map(\.name) == ["ATTENDEE", "DESCRIPTION", "SUMMARY", "LOCATION"])
        #expect(
            lines.map(\.text) == [
                "mailto:babe@x.example", "The Fall'98 Wild Wizards", "Reading: part 1", "Quay",
            ]
        )
    }

    /// RFC 6350, 3.4; a backslash that escapes nothing is written by Windows' paths.
    @Test(arguments: [
        (#"NOTE:a\, b\; c\\d\ne\Nf"#, "a, b; c\\d\ne\nf"), (#"NOTE:C:\Temp\x"#, #"C:\Temp\x"#),
        (#"URL:https\://example.org"#, "https://example.org"), ("item1.NOTE;TYPE=work,voice:x", "x"),
        ("NOTE:a:b;c", "a:b;c"), ("NOTE:", ""),
    ])
    func escapesAreTakenOff(line: String, text: String) { #expect(value(line) == text) }

    /// vCard 2.1, 2.1.5 and RFC 2045, 6.7: values by Python's `quopri`.
    @Test(
        arguments: [
            ("NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen", "Jürgen"),
            ("NOTE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=FCrgen", "Jürgen"),
            ("NOTE;CHARSET=Shift_JIS;ENCODING=QUOTED-PRINTABLE:=97=E9=96=D8", "鈴木"),
            ("NOTE;QUOTED-PRINTABLE;CHARSET=windows-1251:=CF=F0=E8=E2=E5=F2", "Привет"),
            ("NOTE;ENCODING=quoted-printable:J=C3=BCrgen", "Jürgen"),
            ("NOTE;ENCODING=QUOTED-PRINTABLE:J=FCrgen", "Jürgen"),
            ("NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:der langen=\r\n=20Namen", "der langen Namen"),
            ("NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zeile=\n weiter=\n geht's", "Zeile weiter geht's"),
            ("NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=3Dc", "a\nb=c"), ("NOTE;ENCODING=QUOTED-PRINTABLE:50=", "50="),
            ("NOTE;ENCODING=QUOTED-PRINTABLE:a=ZZ b", "a=ZZ b"), ("NOTE;CHARSET=no-such;QUOTED-PRINTABLE:=C3=BC", "ü"),
            // RFC 822, 3.1.1: the space of a continued line belongs to the text in vCard 2.1.
            ("NOTE:of the\r\n pier", "of the pier"),
        ] as [(String, String)]
    )
    func quotedPrintableIsDecoded(line: String, text: String) { #expect(value(line, version: "2.1") == text) }

    /// Semicolons and commas of vCard 2.1 are text, but for those between the parts of a name or an address.
    @Test func anOldCardIsRead() {
        let card =
            "begin:vcard\nversion:2.1\nN;LANGUAGE=de:Quill;Ada\nTEL;WORK;VOICE:1\nNOTE:a, b; c\nPHOTO;BASE64:AAAA\n  BBBB\n\nAGENT:\nBEGIN:VCARD\nFN:Ben\nEND:VCARD\nEND:VCARD"
        let cards = ContentLine.cards(in: card)
        #expect(cards.count == 1 && cards[0].map(\.name) == ["VERSION", "N", "TEL", "NOTE", "PHOTO", "AGENT"])
        #expect(cards[0][1].parts == ["Quill", "Ada"] && cards[0].map(\.text)[2...3] == ["1", "a, b; c"])
        #expect(cards[0].map(\.isBinary) == [false, false, false, false, true, false])
    }

    /// A card that is not closed ends where the next one begins, or with the text.
    @Test func cardsThatAreNotClosedAreKept() {
        let cards = ContentLine.cards(in: "BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD")
        #expect(cards.map { $0.map(\.text) } == [["A"], ["B"]])
        #expect(ContentLine.cards(in: "FN:nobody\nEND:VCARD\n:\n;\n").isEmpty)
    }

    /// A text cut anywhere gives fewer lines, and does not end the program; nor does one of a single thing.
    @Test func aCutTextIsRead() {
        let text = "BEGIN:VCARD\r\nN;X=\"a\";ENCODING=QUOTED-PRINTABLE:=C3=\r\n=BC;\\\r\nEND:VCARD"
        for count in 0..<text.count { _ = ContentLine.cards(in: String(text.prefix(count))) }
        for part in ["\"", ";", ";\"", "a;", "=", "\n ", "BEGIN:VCARD\n"] {
            _ = ContentLine.cards(in: "BEGIN:VCARD\nN" + String(repeating: part, count: 20_000 / part.count))
        }
    }
}
