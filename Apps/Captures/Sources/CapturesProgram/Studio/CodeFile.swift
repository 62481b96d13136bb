import CaptureReading
import Captures
import Foundation

/// File that a calendar or an address book imports: the events or contacts of a code.
struct CodeFile {
    /// Name with its extension: "event.ics".
    var name: String
    var mediaType: String
    var text: String

    /// Creates the file of a code's content; nil for other codes.
    ///
    /// `id`: identifier of an event that has none; `time`: time of creation of an event that states none.
    init?(payload: String, meaning: CodeMeaning, id: UUID, at time: Date) {
        let parts = CodeMeaning.components(of: payload)
        switch meaning.kind {
        case .event:
            (name, mediaType) = ("event.ics", "text/calendar")
            text = Self.calendar(parts, id: id, at: time).written
        case .contact:
            (name, mediaType) = ("contact.vcf", "text/vcard")
            let cards = parts.flatMap { $0.all("VCARD") }.map(Self.card)
            text = cards.reduce(into: [ContentComponent]()) { if !$0.contains($1) { $0.append($1) } }.map(\.written)
                .joined()
        default: return nil
        }
    }

    /// Returns a calendar (RFC 5545) of the events; what an event and the calendar must have is added.
    private static func calendar(_ parts: [ContentComponent], id: UUID, at time: Date) -> ContentComponent {
        let stamp = time.formatted(.iso8601).filter { !"-:".contains($0) }
        var calendar = parts.first { $0.name == "VCALENDAR" } ?? ContentComponent("VCALENDAR", parts: parts)
        calendar.add([("VERSION", "2.0"), ("PRODID", "-//SpineBench//Captures//EN")])
        // What is not shown is not exported.
        calendar.parts.removeAll { !["VEVENT", "VTIMEZONE"].contains($0.name) }
        var number = 0
        for index in calendar.parts.indices where calendar.parts[index].name == "VEVENT" {
            number += 1
            let uid = id.uuidString + (number == 1 ? "" : "-\(number)")
            calendar.parts[index].add([("UID", uid), ("DTSTAMP", stamp)])
            // An alarm may run a program; in vCalendar 1.0 it is a property.
            calendar.parts[index].parts = []
            calendar.parts[index].lines.removeAll { $0.name.hasSuffix("ALARM") }
        }
        return calendar
    }

    /// Returns a card with the name that a vCard must have.
    private static func card(_ card: ContentComponent) -> ContentComponent {
        var card = card
        card.parts = []
        if card["FN"] == nil, let name = card.contactName {
            let place = card.lines.firstIndex { $0.name == "N" }.map { $0 + 1 } ?? card.lines.count
            card.lines.insert(ContentLine("FN", ContentLine.escaped(name)), at: place)
        }
        return card
    }
}

extension ContentComponent {
    /// Adds the properties that it lacks before the others.
    fileprivate mutating func add(_ properties: [(name: String, value: String)]) {
        let missing = properties.filter { self[$0.name] == nil }
        lines.insert(contentsOf: missing.map { ContentLine($0.name, $0.value) }, at: 0)
    }
}

extension ContextStore {
    /// Returns the file of an item's events or contacts, with its secrets; nil for other items.
    func codeFile(of id: UUID) throws -> CodeFile? {
        guard let item = try item(id), let code = item.enrichment.qrContext, let meaning = code.meaning else {
            return nil
        }
        let payload = try secret(of: id)?.payload ?? code.payload
        return CodeFile(payload: payload, meaning: meaning, id: id, at: item.capturedAt)
    }
}
