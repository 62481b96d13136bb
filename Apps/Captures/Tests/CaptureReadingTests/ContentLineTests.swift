import Foundation
import Testing

@testable import CaptureReading

/// Content lines of vCard and iCalendar, with examples of their specifications, and of writers that are named beside them.
@Suite struct ContentLineTests {
    private func lines(_ text: String) -> [ContentLine] { ContentComponent.parse(text).first?.lines ?? [] }

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
    @Test func parametersAreReadByTheirGrammar() throws {
        let text = """
            BEGIN:VEVENT
            ATTENDEE;CN="Babe ^'Ruth^' a;b:c";MEMBER="mailto:a@x.example","mailto:b@x.example";X=a^^b^nc:mailto:babe@x.example
            DESCRIPTION;ALTREP="cid:part1.0001@example.org":The Fall'98 Wild Wizards
            SUMMARY;LANGUAGE=en;X-A="a:b":Reading: part 1
            LOCATION;X="open:Quay
            END:VEVENT
            """
        let lines = lines(text)
        try #require(lines.map(\.name) == ["ATTENDEE", "DESCRIPTION", "SUMMARY", "LOCATION"])
        #expect(lines[0].parameters.map(\.name) == ["CN", "MEMBER", "X"])
        #expect(
            lines[0].parameters.map(\.values) == [
                ["Babe \"Ruth\" a;b:c"], ["mailto:a@x.example", "mailto:b@x.example"], ["a^b\nc"],
            ]
        )
        #expect(
            lines.map(\.text) == [
                "mailto:babe@x.example", "The Fall'98 Wild Wizards", "Reading: part 1", "Quay",
            ]
        )
        #expect(lines[2].parameter("X-A") == "a:b" && lines[3].parameter("X") == "open")
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
    @Test func anOldCardBecomesANewOne() {
        let card =
            "begin:vcard\nversion:2.1\nN;LANGUAGE=de:Quill;Ada\nTEL;WORK;VOICE:1\nNOTE:a, b; c\nPHOTO;BASE64:AAAA\n  BBBB\n\nAGENT:\nBEGIN:VCARD\nFN:Ben\nEND:VCARD\nEND:VCARD"
        let parts = ContentComponent.parse(card)
        #expect(
            parts.map(\.written) == [
                "BEGIN:VCARD\r\nVERSION:3.0\r\nN;LANGUAGE=de:Quill;Ada\r\nTEL;TYPE=WORK;TYPE=VOICE:1\r\nNOTE:a\\, b\\; c\r\n"
                    + "PHOTO;ENCODING=b:AAAABBBB\r\nEND:VCARD\r\n"
            ]
        )
    }

    /// A component that is not closed ends where the next one of its name begins, or with what it is in.
    @Test func componentsThatAreNotClosedAreKept() {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\nBEGIN:VALARM\nSUMMARY:B\nBEGIN:VEVENT\nSUMMARY:C\nEND:VCALENDAR\nEND:VEVENT"
        let events = ContentComponent.parse(text).flatMap { $0.all("VEVENT") }
        #expect(events.first?["SUMMARY"]?.text == "A" && ContentComponent.parse(text).count == 1)
        let cards = ContentComponent.parse("BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD")
        #expect(cards.compactMap { $0["FN"]?.text } == ["A", "B"])
        #expect(ContentComponent.parse("FN:nobody\nEND:VCARD\n:\n;\n").isEmpty)
    }

    /// What is written is read back as it was, and no line is longer than 75 bytes (RFC 5545, 3.1).
    @Test(arguments: [
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Quill;Ada\r\nNOTE:a very long line that the wri\r\n\tter folded\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\nVERSION:2.1\nADR;WORK;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Stra=C3=9Fe der langen=\n=20Namen 14;Wien;;1010;=C3=96sterreich\nEND:VCARD",
        "BEGIN:VCARD\nVERSION:4.0\nADR;TYPE=WORK;LABEL=\"Lantern Row 5: 2nd ^'floor^'\\nWien\":;;Lantern Row 5;Wien\nx.NOTE;X=a,\"b;c\":\\,\\;\\\\\nEND:VCARD",
        "BEGIN:VEVENT\nSUMMARY:\(String(repeating: "Läśt 灯籠🏮 ", count: 30))\nBEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\nEND:VEVENT",
    ])
    func whatIsWrittenIsReadBack(text: String) {
        let parts = ContentComponent.parse(text)
        let written = parts.map(\.written).joined()
        #expect(!parts.isEmpty && ContentComponent.parse(written) == parts)
        let widths = written.components(separatedBy: "\r\n").map(\.utf8.count)
        #expect(widths.allSatisfy { $0 <= 75 })
    }

    /// A text cut anywhere gives fewer lines, and does not end the program.
    @Test func aCutTextIsRead() {
        let text = "BEGIN:VCARD\r\nN;X=\"a\";ENCODING=QUOTED-PRINTABLE:=C3=\r\n=BC;\\\r\nEND:VCARD"
        for count in 0..<text.count { _ = ContentComponent.parse(String(text.prefix(count))).map(\.written) }
    }
}
