import Foundation
import Testing

@testable import Captures

/// Contents of codes, with examples of the formats' own specifications.
@Suite struct CodeMeaningTests {
    /// ZXing's "Barcode Contents".
    @Test(
        arguments: [
            (
                "WIFI:T:WPA;S:mynetwork;P:mypass;;", "Wi-Fi network mynetwork", ["mynetwork", "WPA"]
            ),
            (
                #"WIFI:S:\"foo\;bar\\baz\";T:nopass;H:true;;"#, #"Wi-Fi network "foo;bar\baz""#,
                [#""foo;bar\baz""#, "None", "Yes"]
            ),
            (#"WIFI:S:"ABCD";T:WEP;P:"1234";;"#, "Wi-Fi network ABCD", ["ABCD", "WEP"]),
            (
                "MECARD:N:Owen,Sean;ADR:76 9th Avenue, 4th Floor, New York, NY 10011;TEL:12125551212;EMAIL:srowen@example.com;;",
                "Contact Sean Owen",
                ["Sean Owen", "12125551212", "srowen@example.com", "76 9th Avenue, 4th Floor, New York, NY 10011"]
            ),
        ] as [(String, String, [String])]
    )
    func aCodeIsUnderstood(payload: String, title: String, values: [String]) throws {
        let meaning = try #require(CodeMeaning(payload))
        #expect(meaning.title == title)
        #expect(meaning.fields.map(\.value) == values)
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

    @Test(arguments: [
        "https://example.org/", "9780141439587", "WIFI:", "WIFI:T:WPA;P:x;;", "tel:", "geo:91,0", "geo:a,b",
        "mailto:nobody", "mailto:a@b.example", "tel:+1-201-555-0123", "SMSTO:+15105550101:hello", "geo:48.2010,16.3695",
        "otpauth://totp/ACME%20Co:john@example.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ",
        "BEGIN:VEVENT\nSUMMARY:A\nEND:VEVENT",
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

    @Test func thePasswordOfANetworkIsReadWithoutItsEscapes() {
        #expect(CodeMeaning.password(in: #"WIFI:T:WPA;S:Quay;P:a\;b\\nc;;"#) == #"a;b\nc"#)
        #expect(CodeMeaning.password(in: "wifi:S:Quay;T:nopass;;") == nil)
        #expect(CodeMeaning.password(in: "MECARD:N:Doe;P:x;;") == nil)
    }
}
