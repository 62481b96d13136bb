import Foundation
import Testing

@testable import Captures
@testable import CapturesProgram

/// Files of events and contacts that a calendar and an address book import.
@Suite struct CodeFileTests {
    private func lines(_ payload: String) throws -> [String]? {
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
        let meaning = try #require(CodeMeaning(payload))
        return CodeFile(payload: payload, meaning: meaning, id: id, at: Date(timeIntervalSince1970: 0))?.text
            .components(separatedBy: "\r\n")
    }

    /// What RFC 5545 requires of a calendar and an event is added; what is there stays.
    @Test func anEventAloneBecomesACalendar() throws {
        #expect(
            try lines("BEGIN:VEVENT\nSUMMARY:Tea\nDTSTART:20261127T180000Z\nEND:VEVENT") == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//SpineBench//Captures//EN", "BEGIN:VEVENT",
                "UID:00000000-0000-0000-0000-000000000001", "DTSTAMP:19700101T000000Z", "SUMMARY:Tea",
                "DTSTART:20261127T180000Z", "END:VEVENT", "END:VCALENDAR", "",
            ]
        )
        let whole = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:19970101T000000Z",
            "DTSTART:19970714", "END:VEVENT", "END:VCALENDAR",
        ]
        #expect(try lines(whole.joined(separator: "\n")) == whole + [""])
    }

    /// Each event gets what RFC 5545 requires; alarms are left out, as they may run programs.
    @Test func everyEventIsWhole() throws {
        let event = ["BEGIN:VEVENT", "SUMMARY:Tea", "BEGIN:VALARM", "ACTION:PROCEDURE", "END:VALARM", "END:VEVENT"]
        let id = "UID:00000000-0000-0000-0000-000000000001"
        let whole = ["DTSTAMP:19700101T000000Z", "SUMMARY:Tea", "END:VEVENT"]
        #expect(
            try lines((event + event).joined(separator: "\n"))?.dropFirst(3) == [
                "BEGIN:VEVENT", id, whole[0], whole[1], whole[2], "BEGIN:VEVENT", id + "-2", whole[0], whole[1],
                whole[2],
                "END:VCALENDAR", "",
            ]
        )
    }

    @Test func aContactOfAnyFormBecomesACard() throws {
        #expect(
            try lines("MECARD:N:Doe,Ann;TEL:123;EMAIL:a@b.example;;") == [
                "BEGIN:VCARD", "VERSION:3.0", "N:Doe;Ann;;;", "FN:Ann Doe", "TEL:123", "EMAIL:a@b.example",
                "END:VCARD", "",
            ]
        )
        let card = ["BEGIN:VCARD", "VERSION:4.0", "FN:Ann", "END:VCARD"]
        #expect(try lines(card.joined(separator: "\r\n")) == card + [""])
        // A card that comes twice is one.
        #expect(try lines((card + card).joined(separator: "\r\n")) == card + [""])
        #expect(
            try lines("MECARD:N:Smith,Anna;ADR:,,Main St 1,Vienna,,1010,AT;;")?[2...4] == [
                "N:Smith;Anna;;;", "FN:Anna Smith", "ADR:;;Main St 1;Vienna;;1010;AT",
            ]
        )
        #expect(try lines("WIFI:S:net;;") == nil)
    }

    /// Tasks are not exported, nor are alarms, which vCalendar 1.0 has as properties.
    @Test func anEventIsWrittenAnew() throws {
        #expect(
            try lines(
                "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nSUMMARY:Task\r\nEND:VTODO\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:19970101T000000Z\r\n"
                    + "SUMMARY:A reading of the silver lan\r\n\ttern\r\nPALARM:19970101T000000Z;;;file:///bin/sh\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
            ) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:19970101T000000Z",
                "SUMMARY:A reading of the silver lan\ttern", "END:VEVENT", "END:VCALENDAR", "",
            ]
        )
        let zone = ["BEGIN:VTIMEZONE", "TZID:(UTC+01:00) Amsterdam, Berlin", "END:VTIMEZONE"]
        let event = [
            "BEGIN:VEVENT", "UID:1", "DTSTAMP:1", "DTSTART;TZID=\"(UTC+01:00) Amsterdam, Berlin\":20261127T183000",
            "END:VEVENT",
        ]
        let whole = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + zone + event + ["END:VCALENDAR"]
        #expect(try lines(whole.joined(separator: "\n")) == whole + [""])
    }

    /// Two contacts, one of vCard 2.1; each gets the name that vCard 3.0 requires.
    @Test func cardsAreWrittenAnew() throws {
        let cards =
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:M=FCller;J=FCrgen\nTEL;CELL:1\nEND:VCARD\n"
            + "BEGIN:VCARD\nVERSION:4.0\nFN:Ben\nNOTE:a very long line that the wri\n\tter folded\nEND:VCARD\n"
        #expect(
            try lines(cards) == [
                "BEGIN:VCARD", "VERSION:3.0", "N:Müller;Jürgen", "FN:Jürgen Müller", "TEL;TYPE=CELL:1", "END:VCARD",
                "BEGIN:VCARD", "VERSION:4.0", "FN:Ben", "NOTE:a very long line that the writer folded", "END:VCARD", "",
            ]
        )
        // What is exported is understood as what was shown.
        for payload in [
            cards, "MECARD:N:Smith\\, Jr.,Anna;ADR:Row 5, Vienna;NOTE:\(String(repeating: "a, b; ", count: 30));;",
        ] {
            let text = try #require(try lines(payload)).joined(separator: "\r\n")
            #expect(CodeMeaning(text)?.fields == CodeMeaning(payload)?.fields)
        }
    }
}
