import Foundation
import Testing

@testable import Captures

/// Contents of codes, with examples of the formats' own specifications.
@Suite struct CodeMeaningTests {
    /// ZXing's "Barcode Contents"; RFC 6068, 6.1; RFC 3966, 6; RFC 5724, 2.5; RFC 5870, 6.1; the key URI format.
    @Test(
        arguments: [
            (
                "WIFI:T:WPA;S:mynetwork;P:mypass;;", "Wi-Fi network mynetwork", ["mynetwork", "WPA"], nil
            ),
            (
                #"WIFI:S:\"foo\;bar\\baz\";T:nopass;H:true;;"#, #"Wi-Fi network "foo;bar\baz""#,
                [#""foo;bar\baz""#, "None", "Yes"], nil
            ),
            (#"WIFI:S:"ABCD";T:WEP;P:"1234";;"#, "Wi-Fi network ABCD", ["ABCD", "WEP"], nil),
            (
                "MECARD:N:Owen,Sean;ADR:76 9th Avenue, 4th Floor, New York, NY 10011;TEL:12125551212;EMAIL:srowen@example.com;;",
                "Contact Sean Owen",
                ["Sean Owen", "12125551212", "srowen@example.com", "76 9th Avenue, 4th Floor, New York, NY 10011"], nil
            ),
            (
                "mailto:addr1@an.example,addr2@an.example?subject=current-issue&body=a%0D%0Ab",
                "E-mail to addr1@an.example,addr2@an.example",
                ["addr1@an.example,addr2@an.example", "current-issue", "a b"],
                "mailto:addr1@an.example,addr2@an.example?subject=current-issue&body=a%0D%0Ab"
            ),
            (
                "MATMSG:TO:a@b.example;SUB:Hi;BODY:There;;", "E-mail to a@b.example", ["a@b.example", "Hi", "There"],
                "mailto:a@b.example?subject=Hi&body=There"
            ),
            ("tel:+1-201-555-0123;ext=1", "Phone number +1-201-555-0123", ["+1-201-555-0123"], "tel:+1-201-555-0123"),
            (
                "sms:+15105550101?body=hello%20there", "Text message to +15105550101", ["+15105550101", "hello there"],
                "sms:+15105550101?body=hello%20there"
            ),
            (
                "SMSTO:+15105550101:hello", "Text message to +15105550101", ["+15105550101", "hello"],
                "sms:+15105550101?body=hello"
            ),
            ("geo:0,0?q=48.2,16.37(Cafe)", "Place Cafe", ["Cafe", "48.2", "16.37"], "geo:48.2,16.37"),
            ("geo:48.2010,16.3695,183", "Place 48.201, 16.3695", ["48.201", "16.3695"], "geo:48.201,16.3695"),
            (
                "geo:48.198634,16.371648;crs=wgs84;u=40?q=Karlskirche", "Place Karlskirche",
                ["Karlskirche", "48.198634", "16.371648"], "geo:48.198634,16.371648"
            ),
            (
                "otpauth://totp/ACME%20Co:john@example.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ&issuer=ACME%20Co",
                "One-time password for ACME Co", ["ACME Co", "john@example.com"], nil
            ),
        ] as [(String, String, [String], String?)]
    )
    func aCodeIsUnderstood(payload: String, title: String, values: [String], action: String?) throws {
        let meaning = try #require(CodeMeaning(payload))
        #expect(meaning.title == title)
        #expect(meaning.fields.map(\.value) == values)
        #expect(meaning.action == action)
    }

    /// RFC 6350, 7 and 3.2 (folding), with an escaped comma of RFC 6350, 3.4.
    @Test func aVCardIsAContact() throws {
        let card = """
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Simon Perreault\r\nN:Perreault;Simon;;;ing. jr,M.Sc.\r\nORG;TYPE=work:Viagenie;R\\,D\r
            item1.TEL;VALUE=uri;TYPE="work,voice":tel:+1-418-656-9254\r\nEMAIL;TYPE=work:simon.perreault@viag\r\n enie.ca\r
            ADR;TYPE=work:;Suite D2-630;2875 Laurier;Quebec;QC;G1V 2M2;Canada\r\nNOTE:Password: hunter2\r\nEND:VCARD\r\n
            """
        let meaning = try #require(CodeMeaning(card))
        #expect(meaning.kind == .contact && meaning.title == "Contact Simon Perreault")
        #expect(
            meaning.fields.map { "\($0.name): \($0.value)" } == [
                "Name: Simon Perreault", "Organisation: Viagenie, R,D", "Phone: +1-418-656-9254",
                "E-mail: simon.perreault@viagenie.ca",
                "Address: Suite D2-630, 2875 Laurier, Quebec, QC, G1V 2M2, Canada", "Note: Password: [redacted]",
            ]
        )
    }

    /// RFC 5545, 3.6.1, 3.6.5 and 3.8.2.4.
    @Test func anEventIsUnderstood() throws {
        let calendar = """
            BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:America/New_York\nBEGIN:STANDARD\nDTSTART:19971026T020000\nEND:STANDARD
            END:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=America/New_York:19980119T020000\nDTEND:19980119T080000Z
            SUMMARY:Networld+Interop\\, Conference\nLOCATION:Atlanta\nBEGIN:VALARM\nSUMMARY:Alarm\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR
            """
        let meaning = try #require(CodeMeaning(calendar))
        #expect(meaning.title == "Event Networld+Interop, Conference")
        #expect(
            meaning.fields.map(\.value) == [
                "Networld+Interop, Conference", "1998-01-19 02:00 (America/New_York)", "1998-01-19 08:00 UTC",
                "Atlanta",
            ]
        )
        #expect(
            CodeMeaning("BEGIN:VEVENT\nSUMMARY:A\nDTSTART;VALUE=DATE:19970714\nEND:VEVENT")?.fields[1].value
                == "1997-07-14"
        )
    }

    @Test(arguments: [
        "https://example.org/", "9780141439587", "WIFI:", "WIFI:T:WPA;P:x;;", "tel:", "geo:91,0", "geo:a,b",
        "mailto:nobody",
        "BEGIN:VTODO\nEND:VTODO", "note: buy milk", ":", "", "javascript:alert(1)", "otpauth://x/y",
    ])
    func anyOtherTextHasNoMeaning(payload: String) { #expect(CodeMeaning(payload) == nil) }

    // MARK: - Contacts

    /// Each with its title and fields: names of several parts (RFC 6350, 6.2.2), several cards, groups, files and quotes.
    @Test(
        arguments: [
            ("VERSION:2.1\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FCrgen", ["Jürgen Müller"]),
            (
                "VERSION:2.1\nN;CHARSET=UTF-8;QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen\nADR;WORK;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Stra=C3=9Fe der langen=\n=20Namen 14;Wien;;1010;=C3=96sterreich",
                ["Jürgen Müller", "Straße der langen Namen 14, Wien, 1010, Österreich"]
            ),
            (
                "VERSION:4.0\nFN:Ada Quill\nADR;TYPE=WORK;LABEL=\"Lantern Row 5: 2nd floor\\nWien\":;;Lantern Row 5;Wien;;1010;AT",
                ["Ada Quill", "Lantern Row 5, Wien, 1010, AT"]
            ),
            ("VERSION:3.0\nN:Quill;Ada;Maria,Luise;Dr.;M.Sc.\nFN:", ["Ada Quill"]),
            (
                "VERSION:3.0\nORG:ABC\\, Inc.;North\\;West Division;\nitem1.TEL;TYPE=CELL,VOICE:1\nitem1.X-ABLabel:boat\nTEL;TYPE=fax:2",
                ["ABC, Inc., North;West Division", "ABC, Inc., North;West Division", "1", "2"]
            ),
            (
                "VERSION:4.0\nFN:Ada\nEMAIL:mailto:a@b.example\nTEL;VALUE=uri:TEL:+43-1",
                ["Ada", "+43-1", "a@b.example"]
            ),
            (
                "VERSION:2.1\nN:Quill;Ada\nPHOTO;JPEG;BASE64:AAAA\n AA==\n\nLOGO:data:image/png;base64,AAAA\nNOTE;ENCODING=b:AAAA",
                ["Ada Quill"]
            ),
            ("VERSION:2.1\nN:Quill;Ada\nAGENT:\nBEGIN:VCARD\nN:Moor;Ben\nTEL:2\nEND:VCARD\nTEL:1", ["Ada Quill", "1"]),
            (
                "VERSION:3.0\nFN:Ada Quill\nTEL:1\nEND:VCARD\nBEGIN:VCARD\nFN:Ben Moor\nTEL:2",
                ["Ada Quill", "1", "Ben Moor", "2"]
            ),
            ("version:3.0\nfn:Ada Quill\ntel:1", ["Ada Quill", "1"]),
        ] as [(String, [String])]
    )
    func aCardsFieldsAreItsOwn(lines: String, values: [String]) throws {
        for (begin, end) in [
            ("BEGIN:VCARD\n", "\nEND:VCARD"), ("begin:vcard\n", "\nend:vcard\n"), ("BEGIN:VCARD\n", ""),
        ] {
            let meaning = try #require(CodeMeaning(begin + lines + end))
            #expect(meaning.kind == .contact && meaning.fields.map(\.value) == values)
        }
    }

    @Test func twoCardsAreTwoContacts() throws {
        let cards = "BEGIN:VCARD\nFN:Ada Quill\nEND:VCARD\n"
        #expect(CodeMeaning(cards + "BEGIN:VCARD\nFN:Ben Moor\nEND:VCARD")?.title == "Contacts Ada Quill, Ben Moor")
        #expect(CodeMeaning(cards + cards)?.title == "Contact Ada Quill")
        #expect(CodeMeaning("BEGIN:VCARD\nVERSION:3.0\nEND:VCARD") == nil)
    }

    /// NTT DoCoMo's MECARD: a backslash escapes `;`, `:`, `,` and itself; a field may come several times.
    @Test(arguments: [
        (
            "N:鈴木一郎;SOUND:suzuki ichiro;TEL:000-0000-0000;TEL:111;URL:https\\://example.org;NICKNAME:Ichi;;",
            ["鈴木一郎", "Ichi", "000-0000-0000", "111", "https://example.org"]
        ),
        ("N:Smith,Anna;ADR:,,Main St 1,Vienna,,1010,AT;;", ["Anna Smith", "Main St 1, Vienna, 1010, AT"]),
        ("N:Smith\\, Jr.,Anna;NOTE:a\\;b\\\\c;;", ["Anna Smith, Jr.", "a;b\\c"]),
        ("N:Doe;ADR:Row 5,,;BDAY:19700310", ["Doe", "Row 5", "19700310"]), ("TEL:1;N:;", ["1", "1"]),
        ("N:Doe;EMAIL:a@b.example;EMAIL:c@d.example;ORG:A, B;;", ["Doe", "A, B", "a@b.example", "c@d.example"]),
    ])
    func aMecardIsRead(fields: String, values: [String]) {
        #expect(CodeMeaning("MECARD:" + fields)?.fields.map(\.value) == values)
    }

    // MARK: - Events

    /// RFC 5545, 3.3.4 to 3.3.10 and 3.6.1; names of zones as Outlook writes them; an RFC 3339 time, as makers of codes write.
    @Test(
        arguments: [
            ("DTSTART;TZID=\"America/New_York\":20261127T183000", ["2026-11-27 18:30 (America/New_York)"]),
            (
                "DTSTART;TZID=\"(UTC+01:00) Amsterdam, Berlin\":20261127T183000\nDTEND;TZID=\"(UTC+01:00) Amsterdam, Berlin\":20261127T200000",
                ["2026-11-27 18:30 (UTC+01:00) Amsterdam, Berlin", "2026-11-27 20:00 (UTC+01:00) Amsterdam, Berlin"]
            ),
            ("DTSTART:20261127T183000", ["2026-11-27 18:30"]),
            ("DTSTART:2026-11-27T18:30:00Z", ["2026-11-27 18:30 UTC"]),
            ("DTSTART;VALUE=DATE:20261127\nDTEND;VALUE=DATE:20261128", ["2026-11-27"]),
            ("DTSTART;VALUE=DATE:20261127\nDTEND;VALUE=DATE:20261127", ["2026-11-27"]),
            ("DTSTART;VALUE=DATE:20261230\nDTEND;VALUE=DATE:20270102", ["2026-12-30", "2027-01-01"]),
            ("DTSTART:20240228\nDTEND:20240302", ["2024-02-28", "2024-03-01"]),
            ("DTSTART:20261127T183000Z\nDURATION:PT1H30M", ["2026-11-27 18:30 UTC", "1 hour 30 minutes"]),
            ("DTSTART:20261127\nDURATION:P1W", ["2026-11-27", "1 week"]),
            ("DTSTART:20261127\nDURATION:P15DT5H0M20S", ["2026-11-27", "15 days 5 hours 20 seconds"]),
            ("DTSTART:20261127\nDTEND:20261130\nDURATION:P9D", ["2026-11-27", "2026-11-29"]),
            ("DTSTART:20261127\nDURATION:soon", ["2026-11-27", "soon"]),
            ("DTSTART:20261127T183000Z\nRRULE:FREQ=WEEKLY;COUNT=10", ["2026-11-27 18:30 UTC", "every week, 10 times"]),
            (
                "DTSTART:20261127\nRRULE:FREQ=MONTHLY;INTERVAL=2;UNTIL=20271224T000000Z;BYDAY=1FR;WKST=MO",
                ["2026-11-27", "every 2 months on 1FR, until 2027-12-24 00:00 UTC"]
            ),
            ("DTSTART:20261127\nRRULE:BYDAY=MO,WE;FREQ=WEEKLY", ["2026-11-27", "every week on Monday, Wednesday"]),
            ("DTSTART:20261127\nRRULE:FREQ=YEARLY;BYMONTHDAY=15", ["2026-11-27", "every year, BYMONTHDAY=15"]),
            ("DTSTART:20261127\nRRULE:D1 #10", ["2026-11-27", "D1 #10"]),
            ("DTSTART:20261347T183000Z", ["20261347T183000Z"]), ("DTSTART:20261127T993000", ["20261127T993000"]),
            ("DTSTART:20261127\nBEGIN:VALARM\nDURATION:PT5M\nDESCRIPTION:x\nEND:VALARM", ["2026-11-27"]),
            ("DTSTART:20261127\nDESCRIPTION:a\\nb\nGEO:48;16", ["2026-11-27", "a b"]),
        ] as [(String, [String])]
    )
    func anEventsTimesAreRead(lines: String, values: [String]) throws {
        let event = try #require(
            CodeMeaning(
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;X-A=\"a:b\":Reading\n\(lines)\nEND:VEVENT\nEND:VCALENDAR"
            )
        )
        #expect(event.title == "Event Reading")
        #expect(event.fields.map(\.value) == ["Reading"] + values)
    }

    /// RFC 5545, 3.8.4.4: a changed date is none of its own; vCalendar 1.0 has quoted-printable.
    @Test func severalEventsAreTold() throws {
        func event(_ lines: String) -> String { "BEGIN:VEVENT\n\(lines)\nEND:VEVENT\n" }
        let meaning = try #require(
            CodeMeaning(
                "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Task\nEND:VTODO\n"
                    + event("UID:1\nSUMMARY:Tea\nDTSTART:20261127")
                    + event("UID:1\nRECURRENCE-ID:20261204\nSUMMARY:Late tea\nDTSTART:20261205")
                    + event("UID:2\nSUMMARY:Cake\nDTSTART:20261128") + "END:VCALENDAR"
            )
        )
        #expect(meaning.title == "Events Tea, Cake")
        #expect(meaning.fields.map(\.value) == ["Tea", "2026-11-27", "Cake", "2026-11-28"])
        let alone = CodeMeaning(event("UID:1\nRECURRENCE-ID:20261204\nSUMMARY:Late tea\nDTSTART:20261205"))
        #expect(alone?.title == "Event Late tea")
        let old =
            "BEGIN:VCALENDAR\nVERSION:1.0\n"
            + event("SUMMARY;ENCODING=QUOTED-PRINTABLE:Tee f=C3=BCr zwei\nDTSTART:20261127T180000Z")
        #expect(CodeMeaning(old)?.title == "Event Tee für zwei")
    }

    @Test(arguments: ["VTODO", "VJOURNAL", "VFREEBUSY"]) func whatIsNotAnEventIsNone(name: String) {
        #expect(
            CodeMeaning(
                "BEGIN:VCALENDAR\nBEGIN:\(name)\nSUMMARY:Return books\nDTSTART:20261127\nEND:\(name)\nEND:VCALENDAR"
            ) == nil
        )
    }

    @Test func thePasswordOfANetworkIsReadWithoutItsEscapes() {
        #expect(CodeMeaning.password(in: #"WIFI:T:WPA;S:Quay;P:a\;b\\nc;;"#) == #"a;b\nc"#)
        #expect(CodeMeaning.password(in: "wifi:S:Quay;T:nopass;;") == nil)
        #expect(CodeMeaning.password(in: "MECARD:N:Doe;P:x;;") == nil)
    }
}
