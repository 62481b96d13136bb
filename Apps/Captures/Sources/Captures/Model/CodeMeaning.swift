import CaptureReading
import Foundation

/// Content of a code that is a Wi-Fi network or a contact, without its secrets; the facts in other contents are
/// ``PrintedFact``s.
///
/// Sources: ZXing's "Barcode Contents" (`WIFI:`, `MECARD:`), RFC 6350 (vCard).
struct CodeMeaning: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable, CaseIterable {
        case wifi, contact
    }

    struct Field: Codable, Sendable, Equatable {
        var name: String
        var value: String
    }

    var kind: Kind
    /// Title in lists: "Wi-Fi network HotelLuna".
    var title: String
    /// Texts of the code, as read: on one line, at most ``mostValue`` characters each.
    private(set) var fields: [Field] = []

    static let mostValue = 300
    private static let mostFields = 20

    /// Creates the meaning of a code's content; nil for any other text, an address of the web among them.
    init?(_ payload: String) {
        let text = payload.bounded(to: 20_000).trimmingSpace
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon].lowercased() {
        case "wifi": self.init(wifi: Properties(semicolons: rest))
        case "mecard": self.init(contacts: [Properties(semicolons: rest).card])
        case "begin": self.init(contacts: ContentLine.cards(in: text))
        default: return nil
        }
    }

    private init(_ kind: Kind, _ title: String, _ name: String?) {
        self.kind = kind
        self.title = Self.line([title, name ?? ""].joined(separator: " ").trimmingSpace)
    }

    /// Password of the Wi-Fi network that a code describes; nil for any other code, and for an open network.
    static func password(in payload: String) -> String? {
        guard payload.trimmingSpace.lowercased().hasPrefix("wifi:") else { return nil }
        return Properties(semicolons: String(payload.trimmingSpace.dropFirst(5)))["P"]?.known
    }

    // MARK: - Kinds

    private init?(wifi: Properties) {
        guard let network = wifi["S"]?.known else { return nil }
        self.init(.wifi, "Wi-Fi network", network)
        add("Network", network)
        add("Security", (wifi["T"]?.known).map { $0.lowercased() == "nopass" ? "None" : $0 } ?? "None")
        if wifi["H"]?.lowercased() == "true" { add("Hidden", "Yes") }
    }

    private init?(contacts: [[ContentLine]]) {
        let cards = contacts.reduce(into: [[ContentLine]]()) { if !$0.contains($1) { $0.append($1) } }.filter {
            $0.contactName != nil
        }
        guard !cards.isEmpty else { return nil }
        let title = cards.compactMap(\.contactName).joined(separator: ", ")
        self.init(.contact, cards.count > 1 ? "Contacts" : "Contact", title)
        let names = [
            ("NICKNAME", "Nickname"), ("ORG", "Organisation"), ("TITLE", "Role"), ("TEL", "Phone"), ("EMAIL", "E-mail"),
            ("URL", "Website"), ("ADR", "Address"), ("BDAY", "Birthday"), ("NOTE", "Note"),
        ]
        for card in cards {
            add("Name", card.contactName)
            for (key, name) in names {
                for line in card where line.name == key && !line.isBinary { add(name, line.shown) }
            }
        }
    }

    // MARK: - Parts

    private mutating func add(_ name: String, _ value: String?) {
        let line = Self.line(value ?? "")
        if !line.isEmpty, fields.count < Self.mostFields { fields.append(Field(name: name, value: line)) }
    }

    /// Returns a stranger's text on one line, without secrets.
    private static func line(_ text: String) -> String {
        PlainText.line(TextSecrets(in: text.bounded(to: 2_000)).redacted, most: mostValue)
    }
}

extension String {
    /// The text within quotes, which names and passwords have that look like hexadecimal numbers.
    fileprivate var withoutQuotes: String {
        count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}

/// Fields of a text such as "T:WPA;S:network;;", in which a backslash escapes a character, in their order.
private struct Properties {
    private var entries: [(name: String, value: String)] = []

    init(semicolons text: String) {
        for field in ContentLine.split(text, at: ";") {
            guard let colon = field.firstIndex(of: ":") else { continue }
            entries.append((field[..<colon].uppercased().trimmingSpace, String(field[field.index(after: colon)...])))
        }
    }

    subscript(name: String) -> String? {
        (entries.first { $0.name == name }?.value).map { Self.plain($0.withoutQuotes) }
    }

    /// The contact of a MECARD as the lines of a vCard: name and address have commas between their parts.
    var card: [ContentLine] {
        entries.map { name, value in
            let parts = ["N", "ADR"].contains(name) ? ContentLine.split(value, at: ",") : [value]
            return ContentLine(
                name,
                parts.map { ContentLine.escaped(Self.plain($0.trimmingSpace)) }.joined(separator: ";")
            )
        }
    }

    private static func plain(_ value: String) -> String {
        value.replacing(/\\(.)/) { $0.1.lowercased() == "n" ? " " : String($0.1) }
    }
}

extension [ContentLine] {
    /// Name of a card's contact: as written, else of its parts, else of what else it has.
    fileprivate var contactName: String? {
        func line(_ name: String) -> ContentLine? { first { $0.name == name } }
        let names = line("N")?.parts.prefix(2).reversed().map(\.trimmingSpace).filter { !$0.isEmpty }
        let others = ["ORG", "NICKNAME", "TEL", "EMAIL"].lazy.compactMap { line($0)?.shown.known }
        return line("FN")?.text.known ?? names?.joined(separator: " ").known ?? others.first
    }
}

extension ContentLine {
    /// The value as people read it.
    fileprivate var shown: String {
        switch name {
        case "ORG", "ADR": parts.map(\.trimmingSpace).filter { !$0.isEmpty }.joined(separator: ", ")
        case "TEL": text.replacing(/^tel:/.ignoresCase(), with: "")
        case "EMAIL": text.replacing(/^mailto:/.ignoresCase(), with: "")
        default: text
        }
    }
}
