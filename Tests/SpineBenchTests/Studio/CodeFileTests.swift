import Foundation
import Testing

@testable import Captures
@testable import spinebench_apps

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
        // The second card is not shown, and not exported.
        #expect(try lines((card + card).joined(separator: "\r\n")) == card + [""])
        #expect(
            try lines("MECARD:N:Smith,Anna;ADR:,,Main St 1,Vienna,,1010,AT;;")?[2...4] == [
                "N:Smith;Anna;;;", "FN:Anna Smith", "ADR:;;Main St 1;Vienna;;1010;AT",
            ]
        )
        #expect(try lines("WIFI:S:net;;") == nil)
    }
}
