package import CaptureReading
import Foundation

/// Content of a code as phones understand it, without its secrets.
///
/// Sources: ZXing's "Barcode Contents" (`WIFI:`, `MECARD:`, `MATMSG:`, `SMSTO:`), RFC 6350 (vCard), RFC 6068
/// (`mailto:`), RFC 3966 (`tel:`), RFC 5724 (`sms:`), RFC 5870 (`geo:`), RFC 5545 (events), and the key URI format of
/// Google Authenticator (`otpauth:`).
package struct CodeMeaning: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case wifi, contact, email, phone, message, place, event, oneTimePassword
    }

    package struct Field: Codable, Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package var kind: Kind
    /// Title in lists: "Wi-Fi network HotelLuna".
    package var title: String
    /// Texts of the code, as read: on one line, at most ``mostValue`` characters each.
    package private(set) var fields: [Field] = []
    /// Address with the scheme mailto, tel, sms or geo that opens it; nil for other kinds.
    package var action: String?

    static let mostValue = 300
    private static let mostFields = 20

    /// Creates the meaning of a code's content; nil for any other text, an address of the web among them.
    package init?(_ payload: String) {
        let text = payload.bounded(to: 20_000).trimmingSpace
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon].lowercased() {
        case "wifi": self.init(wifi: Properties(semicolons: rest))
        case "mecard", "begin":
            let parts = Self.components(of: text)
            let cards = parts.flatMap { $0.all("VCARD") }
            if cards.isEmpty {
                self.init(events: parts.flatMap { $0.all("VEVENT") })
            } else {
                self.init(contacts: cards)
            }
        case "matmsg":
            let fields = Properties(semicolons: rest)
            self.init(mailTo: fields["TO"] ?? "", subject: fields["SUB"], body: fields["BODY"])
        case "mailto":
            let (to, query) = Self.parts(of: rest)
            self.init(mailTo: to.isEmpty ? query["to"] ?? "" : to, subject: query["subject"], body: query["body"])
        case "tel": self.init(phone: String(rest.prefix { $0 != ";" && $0 != "?" }))
        case "sms", "mms":
            let (to, query) = Self.parts(of: rest)
            self.init(messageTo: to, body: query["body"])
        case "smsto", "mmsto":
            let parts = rest.split(separator: ":", maxSplits: 1).map(String.init)
            self.init(messageTo: parts.first ?? "", body: parts.count > 1 ? parts[1] : nil)
        case "geo": self.init(geo: rest)
        case "otpauth": self.init(otp: text)
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

    /// Returns the contacts or the calendar that a code consists of, each once; none for any other code.
    package static func components(of payload: String) -> [ContentComponent] {
        let text = payload.trimmingSpace
        switch text.prefix(7).lowercased() {
        case "mecard:": return [Properties(semicolons: String(text.dropFirst(7))).card]
        case let head where head.hasPrefix("begin:"): return ContentComponent.parse(text)
        default: return []
        }
    }

    // MARK: - Kinds

    private init?(wifi: Properties) {
        guard let network = wifi["S"]?.known else { return nil }
        self.init(.wifi, "Wi-Fi network", network)
        add("Network", network)
        add("Security", (wifi["T"]?.known).map { $0.lowercased() == "nopass" ? "None" : $0 } ?? "None")
        if wifi["H"]?.lowercased() == "true" { add("Hidden", "Yes") }
    }

    private init?(contacts: [ContentComponent]) {
        let cards = contacts.reduce(into: [ContentComponent]()) { if !$0.contains($1) { $0.append($1) } }.filter {
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
                for line in card.lines where line.name == key && !line.isBinary { add(name, line.shown) }
            }
        }
    }

    private init?(mailTo: String, subject: String?, body: String?) {
        guard mailTo.contains("@") else { return nil }
        self.init(.email, "E-mail to", mailTo)
        add("To", mailTo)
        add("Subject", subject)
        add("Text", body)
        action = Self.address("mailto", mailTo, [("subject", subject), ("body", body)])
    }

    private init?(phone: String) {
        let number = (phone.removingPercentEncoding ?? phone).trimmingSpace
        guard number.contains(where: \.isNumber) else { return nil }
        self.init(.phone, "Phone number", number)
        add("Number", number)
        action = Self.address("tel", number, [])
    }

    private init?(messageTo: String, body: String?) {
        let number = messageTo.trimmingSpace
        guard number.contains(where: \.isNumber) else { return nil }
        self.init(.message, "Text message to", number)
        add("To", number)
        add("Text", body)
        action = Self.address("sms", number, [("body", body)])
    }

    private init?(geo: String) {
        let (path, query) = Self.parts(of: geo)
        // "geo:0,0?q=48.2,16.37(Cafe)", as Android writes a place with a name.
        let labelled = query["q"]?.wholeMatch(of: /\s*(-?[0-9.]+,\s*-?[0-9.]+)\s*(?:\((.*)\))?\s*/)?.output
        let place = labelled.map { $0.1 } ?? path.prefix { $0 != ";" }
        let name = labelled.map { $0.2.map(String.init) } ?? query["q"]
        let numbers = place.split(separator: ",").map { Double(String($0).trimmingSpace) }
        guard numbers.count > 1, let latitude = numbers[0], let longitude = numbers[1],
            Coordinate(latitude: latitude, longitude: longitude) != nil
        else { return nil }
        self.init(.place, "Place", name?.known ?? "\(latitude), \(longitude)")
        add("Name", name)
        add("Latitude", "\(latitude)")
        add("Longitude", "\(longitude)")
        action = "geo:\(latitude),\(longitude)"
    }

    private init?(events: [ContentComponent]) {
        // A changed date of an event (RECURRENCE-ID) is shown with the event itself.
        let ids = Set(events.filter { $0["RECURRENCE-ID"] == nil }.map { $0["UID"]?.value })
        let events = events.filter { event in
            (event["DTSTART"] != nil || event["SUMMARY"] != nil)
                && (event["RECURRENCE-ID"] == nil || !ids.contains(event["UID"]?.value))
        }
        guard !events.isEmpty else { return nil }
        let title = events.compactMap { $0["SUMMARY"]?.text }.joined(separator: ", ")
        self.init(.event, events.count > 1 ? "Events" : "Event", title)
        for event in events {
            add("Title", event["SUMMARY"]?.text)
            let (begin, end) = (event["DTSTART"].map(CalendarTime.init), event["DTEND"].map(CalendarTime.init))
            add("Begins", begin?.text)
            add("Ends", end?.text(after: begin))
            if end == nil { add("Duration", event["DURATION"].map { CalendarTime.duration($0.value) }) }
            add("Repeats", event["RRULE"].map { CalendarTime.repetition($0.value) })
            for (key, name) in [("LOCATION", "Location"), ("DESCRIPTION", "Description"), ("URL", "Website")] {
                add(name, event[key]?.text)
            }
        }
    }

    private init?(otp: String) {
        guard let url = URLComponents(string: otp), ["totp", "hotp"].contains(url.host?.lowercased() ?? "") else {
            return nil
        }
        let label = url.path.drop { $0 == "/" }.split(separator: ":", maxSplits: 1).map { String($0).trimmingSpace }
        let issuer = url.queryItems?.first { $0.name == "issuer" }?.value ?? (label.count > 1 ? label[0] : nil)
        self.init(.oneTimePassword, "One-time password for", issuer ?? label.last)
        add("Issuer", issuer)
        add("Account", label.last)
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

    /// Returns the path of an address without its scheme, and the parameters by their names in lower case, decoded.
    private static func parts(of text: String) -> (path: String, query: [String: String]) {
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
        var query: [String: String] = [:]
        for pair in (halves.count > 1 ? halves[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[sides[0].lowercased()] = sides.count > 1 ? decoded(sides[1]) : ""
        }
        return (decoded(halves[0]), query)
    }

    private static func address(_ scheme: String, _ path: String, _ query: [(String, String?)]) -> String? {
        let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "@+-._,"))
        func encoded(_ text: String) -> String? { text.addingPercentEncoding(withAllowedCharacters: safe) }
        guard let path = encoded(scheme == "mailto" ? path : path.filter { !$0.isWhitespace }) else { return nil }
        let pairs = query.compactMap { name, value in value?.known.flatMap(encoded).map { "\(name)=\($0)" } }
        return "\(scheme):\(path)" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
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

    /// The contact of a MECARD as a vCard 3.0: name and address have commas between their parts.
    var card: ContentComponent {
        var card = ContentComponent("VCARD", lines: [ContentLine("VERSION", "3.0")])
        for (name, value) in entries {
            var parts = ContentLine.split(value, at: ",").map { ContentLine.escaped(Self.plain($0.trimmingSpace)) }
            switch name {
            case "N":
                while parts.count < 5 { parts.append("") }
                card.lines.append(ContentLine("N", parts.joined(separator: ";")))
            case "ADR":
                // Seven parts are those of a vCard; else it is as people write it.
                if parts.count != 7 {
                    parts = ["", "", parts.filter { !$0.isEmpty }.joined(separator: "\\, "), "", "", "", ""]
                }
                card.lines.append(ContentLine("ADR", parts.joined(separator: ";")))
            case "TEL", "EMAIL", "URL", "BDAY", "NOTE", "ORG", "TITLE", "NICKNAME":
                card.lines.append(ContentLine(name, ContentLine.escaped(Self.plain(value))))
            default: continue
            }
        }
        return card
    }

    private static func plain(_ value: String) -> String {
        value.replacing(/\\(.)/) { $0.1.lowercased() == "n" ? " " : String($0.1) }
    }
}

extension ContentComponent {
    /// Name of a card's contact: as written, else of its parts, else of what else it has.
    package var contactName: String? {
        let names = self["N"]?.parts.prefix(2).reversed().map(\.trimmingSpace).filter { !$0.isEmpty }
        let others = ["ORG", "NICKNAME", "TEL", "EMAIL"].lazy.compactMap { self[$0]?.shown.known }
        return self["FN"]?.text.known ?? names?.joined(separator: " ").known ?? others.first
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
