import Captures
import Foundation

/// File that a calendar or an address book imports: an event or a contact of a code.
struct CodeFile {
    /// Name with its extension: "event.ics".
    var name: String
    var mediaType: String
    var text: String

    /// Creates the file of a code's content; nil for other codes.
    ///
    /// `id`: identifier of an event that has none; `time`: time of creation of an event that states none.
    init?(payload: String, meaning: CodeMeaning, id: UUID, at time: Date) {
        let lines = payload.trimmingCharacters(in: .whitespacesAndNewlines).split(whereSeparator: \.isNewline)
            .map(String.init)
        switch meaning.kind {
        case .event:
            (name, mediaType) = ("event.ics", "text/calendar")
            text = Self.text(Self.calendar(lines, id: id, at: time))
        case .contact:
            (name, mediaType) = ("contact.vcf", "text/vcard")
            let isCard = lines.first?.uppercased().hasPrefix("BEGIN:VCARD") ?? false
            text = Self.text(isCard ? lines : Self.card(meaning.fields))
        default: return nil
        }
    }

    /// Returns a calendar (RFC 5545) around an event; what the event and the calendar must have is added.
    private static func calendar(_ lines: [String], id: UUID, at time: Date) -> [String] {
        func has(_ name: String) -> Bool { lines.contains { $0.uppercased().hasPrefix(name) } }
        var lines = lines
        if let event = lines.firstIndex(where: { $0.uppercased().hasPrefix("BEGIN:VEVENT") }) {
            let stamp = time.formatted(.iso8601).filter { !"-:".contains($0) }
            let missing = [("UID", "UID:\(id.uuidString)"), ("DTSTAMP", "DTSTAMP:\(stamp)")].filter { !has($0.0) }
            lines.insert(contentsOf: missing.map(\.1), at: event + 1)
        }
        if !has("END:VEVENT") { lines.append("END:VEVENT") }
        if !has("BEGIN:VCALENDAR") { lines = ["BEGIN:VCALENDAR"] + lines }
        let missing = [("VERSION", "VERSION:2.0"), ("PRODID", "PRODID:-//SpineBench//Captures//EN")]
            .filter { !has($0.0) }
        lines.insert(contentsOf: missing.map(\.1), at: 1)
        return has("END:VCALENDAR") ? lines : lines + ["END:VCALENDAR"]
    }

    /// Returns a vCard 3.0 (RFC 2426) of a contact in another form.
    private static func card(_ fields: [CodeMeaning.Field]) -> [String] {
        let names = [
            "Name": "FN", "Organisation": "ORG", "Role": "TITLE", "Phone": "TEL", "E-mail": "EMAIL", "Website": "URL",
            "Birthday": "BDAY", "Note": "NOTE",
        ]
        let lines = fields.compactMap { field -> String? in
            let value = field.value.replacing(/[\\,;]/) { "\\\($0.0)" }
            if field.name == "Address" { return "ADR:;;\(value);;;;" }
            return names[field.name].map { "\($0):\(value)" }
        }
        let family = fields.first { $0.name == "Name" }?.value.replacing(/[\\,;]/) { "\\\($0.0)" } ?? ""
        return ["BEGIN:VCARD", "VERSION:3.0", "N:\(family);;;;"] + lines + ["END:VCARD"]
    }

    private static func text(_ lines: [String]) -> String { lines.joined(separator: "\r\n") + "\r\n" }
}

extension ContextStore {
    /// Returns the file of an item's event or contact, with its secrets; nil for other items.
    func codeFile(of id: UUID) throws -> CodeFile? {
        guard let item = try item(id), let code = item.enrichment.qrContext, let meaning = code.meaning else {
            return nil
        }
        let payload = try secret(of: id)?.payload ?? code.payload
        return CodeFile(payload: payload, meaning: meaning, id: id, at: item.capturedAt)
    }
}
