import Foundation
import Testing

@testable import Captures

/// What is printed on photos of signs, cards, receipts and letters, and typed in notes.
@Suite struct PrintedFactTests {
    /// Each with its facts as "kind text", in the order of kinds; numbers of 555 and of example hosts.
    @Test(
        arguments: [
            (
                "Café Luna\nTel: 01 / 555 23 45\noffice@luna.example",
                ["phone 01 / 555 23 45", "email office@luna.example"]
            ),
            ("Tel. +43 (0)1 555 23 45-12", ["phone +43 (0)1 555 23 45-12"]),
            ("Call (212) 555-0123 or 212-555-0199", ["phone (212) 555-0123", "phone 212-555-0199"]),
            ("Mobil 0664 5550123", ["phone 0664 5550123"]), ("☎ 5550 1234", ["phone 5550 1234"]),
            ("tel:+1-201-555-0123;ext=1", ["phone +1-201-555-0123"]),
            ("SMSTO:+15105550101:hello", ["phone +15105550101"]),
            (
                "mailto:addr1@an.example,addr2@an.example?subject=current-issue",
                ["email addr1@an.example", "email addr2@an.example"]
            ),
            ("MATMSG:TO:a@b.example;SUB:Hi;BODY:There;;", ["email a@b.example"]),
            (
                "Mehr: example.org/buch (Verlag.com), a@b.com",
                ["email a@b.com", "web https://example.org/buch", "web https://Verlag.com"]
            ),
            ("Total € 1.234,50\n12.90 EUR, $5, 7,- €", ["amount € 1.234,50", "amount $5", "amount 12.90 EUR"]),
            ("Datum: 27.11.2026 18:30", ["date 27.11.2026"]), ("2026-11-27T18:30", ["date 2026-11-27"]),
            ("2026-11-27, 11/27/26, 3. März 2027", ["date 2026-11-27", "date 11/27/26", "date 3. März 2027"]),
            ("on November 27th, 2026 and 1 May 2027", ["date November 27th, 2026", "date 1 May 2027"]),
            ("05.12.26", ["date 05.12.26"]), ("01/02/2026 20:00", ["date 01/02/2026"]),
            ("Herrengasse 14, 1010 Wien", ["address Herrengasse 14, 1010 Wien"]),
            ("Lange Straße 5b\nHauptstr. 12", ["address Lange Straße 5b", "address Hauptstr. 12"]),
            ("350 Fifth Avenue, New York, NY 10118", ["address 350 Fifth Avenue, New York, NY 10118"]),
            ("12 Baker St.", ["address 12 Baker St."]), ("a@b.example a@b.example", ["email a@b.example"]),
            // No fact: numbers of books, of versions, of prices without a currency, of rooms and years.
            ("ISBN 0-306-40615-2, 978-0-306-40615-7, 0306406152", []), ("Swift 6.1.12, 192.168.10.1", []),
            ("12.90", []),
            ("99.99.2026 2026-13-45", []), ("Room 1234567, 2026/2027, order 4006381333931", []), ("call 5 of them", []),
            ("Spring 2026, Street 5, 3 of 4 Roads", []), ("me@home, @name, a@b", []), ("node.js, file.txt, e.g.", []),
            ("", []),
        ] as [(String, [String])]
    )
    func aTextHasItsFacts(text: String, facts: [String]) {
        #expect(PrintedFact.all(in: text).map { "\($0.kind.rawValue) \($0.text)" } == facts)
    }

    @Test(arguments: [
        ("+43 (0)1 555 23 45", "tel:+4315552345"), ("Tel 01/555 23 45", "tel:015552345"),
        ("office@luna.example", "mailto:office@luna.example"), ("example.org/a?b=1", "https://example.org/a?b=1"),
        ("Herrengasse 14", "https://www.openstreetmap.org/search?query=Herrengasse%2014"), ("€ 5", nil),
        ("2026-11-27", nil),
    ])
    func aFactIsOpened(text: String, href: String?) throws {
        #expect(try #require(PrintedFact.all(in: text).first).href == href)
    }

    @Test func aLongTextHasTwentyAtMost() {
        let text = (0..<300).map { "a\($0)@example.org" }.joined(separator: "\n")
        #expect(PrintedFact.all(in: text).count == 20)
        #expect(PrintedFact.all(in: String(repeating: "+1 ", count: 100_000)).isEmpty)
    }

    /// A stranger's card opens no page that runs a script, and writes to nobody else.
    @Test func aContactsFieldsAreFacts() throws {
        var item = CapturedItem(sessionID: UUID(), kind: .qrCode, capturedAt: Date())
        let card = "MECARD:N:Doe;TEL:0405550123;EMAIL:a@b.example?bcc=c@d.example;URL:javascript\\:alert(1);;"
        let code = QRCodeContext(payload: card, symbology: "QR-Code", meaning: CodeMeaning(card))
        item.answer(.picture, Facts(qrContext: code))
        #expect(item.facts.map(\.href) == ["tel:0405550123", "mailto:a@b.example%3Fbcc%3Dc@d.example", nil])
        item.answer(.picture, Facts(qrContext: QRCodeContext(payload: "tel:+1-201-555-0123", symbology: "QR-Code")))
        #expect(item.facts.map(\.href) == ["tel:+12015550123"])
    }
}
