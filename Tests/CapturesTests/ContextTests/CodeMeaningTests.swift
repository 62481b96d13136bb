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

    @Test func thePasswordOfANetworkIsReadWithoutItsEscapes() {
        #expect(CodeMeaning.password(in: #"WIFI:T:WPA;S:Quay;P:a\;b\\nc;;"#) == #"a;b\nc"#)
        #expect(CodeMeaning.password(in: "wifi:S:Quay;T:nopass;;") == nil)
        #expect(CodeMeaning.password(in: "MECARD:N:Doe;P:x;;") == nil)
    }
}
