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
            .map { $0.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } } }
        switch meaning.kind {
        case .event:
            (name, mediaType) = ("event.ics", "text/calendar")
            text = Self.text(Self.calendar(lines, id: id, at: time))
        case .contact:
            (name, mediaType) = ("contact.vcf", "text/vcard")
            let isCard = lines.first?.uppercased().hasPrefix("BEGIN:VCARD") ?? false
            // The first card alone is shown.
            let card = Array(lines.prefix { $0.uppercased() != "END:VCARD" }) + ["END:VCARD"]
            text = Self.text(isCard ? card : Self.card(meaning.fields, payload))
        default: return nil
        }
    }

    /// Returns a calendar (RFC 5545) around an event; what the event and the calendar must have is added.
    private static func calendar(_ lines: [String], id: UUID, at time: Date) -> [String] {
        func has(_ name: String, _ lines: some Sequence<String>) -> Bool {
            lines.contains { $0.uppercased().hasPrefix(name) }
        }
        let stamp = time.formatted(.iso8601).filter { !"-:".contains($0) }
        var lines = lines
        // An alarm may run a program.
        while let start = lines.firstIndex(where: { $0.uppercased() == "BEGIN:VALARM" }) {
            let end = lines[start...].firstIndex { $0.uppercased() == "END:VALARM" } ?? lines.count - 1
            lines.removeSubrange(start...end)
        }
        let events = lines.indices.filter { lines[$0].uppercased().hasPrefix("BEGIN:VEVENT") }
        for (number, event) in events.enumerated().reversed() {
            let own = lines[event...].prefix { !$0.uppercased().hasPrefix("END:VEVENT") }
            let uid = "UID:\(id.uuidString)\(number == 0 ? "" : "-\(number + 1)")"
            let missing = [("UID", uid), ("DTSTAMP", "DTSTAMP:\(stamp)")].filter { !has($0.0, own) }
            lines.insert(contentsOf: missing.map(\.1), at: event + 1)
        }
        if !has("END:VEVENT", lines) { lines.append("END:VEVENT") }
        if !has("BEGIN:VCALENDAR", lines) { lines = ["BEGIN:VCALENDAR"] + lines }
        let missing = [("VERSION", "VERSION:2.0"), ("PRODID", "PRODID:-//SpineBench//Captures//EN")]
            .filter { !has($0.0, lines) }
        lines.insert(contentsOf: missing.map(\.1), at: 1)
        return has("END:VCALENDAR", lines) ? lines : lines + ["END:VCALENDAR"]
    }

    /// Returns a vCard 3.0 (RFC 2426) of a contact in another form.
    private static func card(_ fields: [CodeMeaning.Field], _ payload: String) -> [String] {
        func escaped(_ text: String) -> String { text.replacing(/[\\,;]/) { "\\\($0.0)" } }
        /// Returns a value of MECARD, whose parts have commas between, with as many parts as a vCard has.
        func parts(_ text: String, _ count: Int) -> String {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { escaped(String($0)) }
            return (parts + Array(repeating: "", count: max(0, count - parts.count))).joined(separator: ";")
        }
        let names = [
            "Name": "FN", "Organisation": "ORG", "Role": "TITLE", "Phone": "TEL", "E-mail": "EMAIL", "Website": "URL",
            "Birthday": "BDAY", "Note": "NOTE",
        ]
        let lines = fields.compactMap { field -> String? in
            if field.name == "Address" {
                let isWhole = field.value.count { $0 == "," } == 6
                return "ADR:" + (isWhole ? parts(field.value, 7) : ";;\(escaped(field.value));;;;")
            }
            return names[field.name].map { "\($0):\(escaped(field.value))" }
        }
        let name = payload.firstMatch(of: /[:;]N:([^;\\\r\n]*)/.ignoresCase()).map { String($0.1) }
        let whole = fields.first { $0.name == "Name" }?.value ?? ""
        return ["BEGIN:VCARD", "VERSION:3.0", "N:" + parts(name ?? whole, 5)] + lines + ["END:VCARD"]
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
