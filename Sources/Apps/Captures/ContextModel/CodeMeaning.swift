import CaptureReading
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
        case "mecard": self.init(contact: Properties(semicolons: rest))
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
        case "begin":
            let lines = Properties(lines: text)
            switch rest.prefix(while: { $0.isLetter }).uppercased() {
            case "VCARD": self.init(contact: lines)
            case "VEVENT", "VCALENDAR": self.init(event: lines)
            default: return nil
            }
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

    private init?(contact: Properties) {
        let family = contact["N"].map { Properties.parts(of: $0, at: contact.isCard ? "," : ";") } ?? []
        let given = family.prefix(2).reversed().map(\.trimmingSpace).filter { !$0.isEmpty }.joined(separator: " ")
        let name = contact["FN"]?.known ?? given.known ?? contact["ORG"]?.known
        guard let name = name ?? contact["TEL"]?.known ?? contact["EMAIL"]?.known else { return nil }
        self.init(.contact, "Contact", Properties.plain(name))
        add("Name", Properties.plain(name))
        let names = [
            ("ORG", "Organisation"), ("TITLE", "Role"), ("TEL", "Phone"), ("EMAIL", "E-mail"), ("URL", "Website"),
            ("ADR", "Address"), ("BDAY", "Birthday"), ("NOTE", "Note"),
        ]
        for (key, name) in names {
            for value in contact.all(key) {
                let isList = ["ORG", "ADR"].contains(key) && !contact.isCard
                let parts =
                    isList
                    ? Properties.parts(of: value, at: ";") : [Properties.plain(value).replacing(/^tel:/, with: "")]
                add(name, parts.map(\.trimmingSpace).filter { !$0.isEmpty }.joined(separator: ", "))
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

    private init?(event: Properties) {
        guard event["DTSTART"] != nil || event["SUMMARY"] != nil else { return nil }
        self.init(.event, "Event", event["SUMMARY"].map(Properties.plain))
        let names = [
            ("SUMMARY", "Title"), ("DTSTART", "Begins"), ("DTEND", "Ends"), ("LOCATION", "Location"),
            ("DESCRIPTION", "Description"), ("URL", "Website"),
        ]
        for (key, name) in names {
            guard let value = event[key] else { continue }
            add(name, key.hasPrefix("DT") ? Self.time(value, zone: event.zone(of: key)) : Properties.plain(value))
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

    /// Returns a date-time of iCalendar (RFC 5545, 3.3.5) as people write it: "2026-11-27 18:30 UTC".
    private static func time(_ text: String, zone: String?) -> String {
        let digits = Array(text.filter(\.isNumber))
        guard digits.count >= 8 else { return text }
        let day = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        guard digits.count >= 12 else { return day }
        let place = text.hasSuffix("Z") ? " UTC" : zone.map { " (\($0))" } ?? ""
        return "\(day) \(String(digits[8..<10])):\(String(digits[10..<12]))\(place)"
    }
}

extension String {
    /// The text within quotes, which names and passwords have that look like hexadecimal numbers.
    fileprivate var withoutQuotes: String {
        count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}

/// Names and values of a structured text, in their order.
private struct Properties {
    /// Whether they are fields of the kind of MECARD.
    private(set) var isCard = false
    private var entries: [(name: String, parameters: [String], value: String)] = []

    /// Creates the fields of a text such as "T:WPA;S:network;;", in which a backslash escapes a character.
    init(semicolons text: String) {
        isCard = true
        for field in Self.split(text, at: ";") {
            guard let colon = field.firstIndex(of: ":") else { continue }
            let name = field[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            entries.append((name, [], Self.plain(String(field[field.index(after: colon)...]).withoutQuotes)))
        }
    }

    /// Creates the lines of a vCard or of the first event of a calendar; a line that begins with space continues the
    /// one before it.
    init(lines text: String) {
        let unfolded = text.replacing(/\R[ \t]/, with: "")
        var skipped: String?
        for line in unfolded.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let head = line[..<colon].split(separator: ";").map { $0.uppercased() }
            var value = String(line[line.index(after: colon)...])
            if head.contains("ENCODING=QUOTED-PRINTABLE") {
                value = value.replacing("%", with: "%25").replacing("=", with: "%").removingPercentEncoding ?? value
            }
            if head.first == "BEGIN" || head.first == "END" {
                let part = value.uppercased()
                if head.first == "BEGIN" {
                    if skipped == nil, ["VALARM", "VTIMEZONE"].contains(part) { skipped = part }
                } else {
                    if part == "VEVENT" { break }
                    if part == skipped { skipped = nil }
                }
                continue
            }
            // A group's name may stand before it: "item1.TEL".
            guard skipped == nil, let name = head.first?.split(separator: ".").last else { continue }
            let parameters = line[..<colon].split(separator: ";").dropFirst().map(String.init)
            entries.append((String(name), parameters, value))
        }
    }

    subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { entries.filter { $0.name == name }.map(\.value) }

    func zone(of name: String) -> String? {
        let parameters = entries.first { $0.name == name }?.parameters ?? []
        return parameters.first { $0.uppercased().hasPrefix("TZID=") }.map { String($0.dropFirst(5)) }
    }

    /// Returns the parts of a value, without escapes.
    static func parts(of value: String, at separator: Character) -> [String] {
        split(value, at: separator).map(plain)
    }

    /// Returns a value without escapes: `\n` is a space.
    static func plain(_ value: String) -> String {
        value.replacing(/\\(.)/) { $0.1.lowercased() == "n" ? " " : String($0.1) }
    }

    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for character in text {
            if character == separator, !isEscaped { parts.append("") } else { parts[parts.count - 1].append(character) }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }
}
