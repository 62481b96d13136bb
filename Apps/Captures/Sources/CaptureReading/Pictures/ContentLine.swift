import Foundation

/// A property of a contact or an event: a content line of vCard or iCalendar.
///
/// Sources: RFC 6350, 3.3 and 3.4; RFC 2426; vCard 2.1 (versit, 1996); RFC 5545, 3.1 and 3.2; RFC 6868 (`^n` in parameters).
package struct ContentLine: Sendable, Equatable {
    /// A parameter: its name in upper case, and its values, which are separated by commas.
    package struct Parameter: Sendable, Equatable {
        var name: String
        var values: [String]
    }

    /// Name of the group, as "item1" in "item1.TEL"; "" for none.
    var group = ""
    /// Name in upper case.
    package var name: String
    var parameters: [Parameter] = []
    /// Value with its escapes; quoted-printable is decoded.
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Returns a parameter's first value.
    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }

    /// The value without escapes: `\n` is a line feed.
    package var text: String { Self.unescaped(value) }

    /// The parts of a structured value (N, ADR, ORG), without escapes.
    package var parts: [String] { Self.split(value, at: ";").map(Self.unescaped) }

    /// Whether the value is a file's bytes as text.
    package var isBinary: Bool { ["B", "BASE64"].contains(parameter("ENCODING")?.uppercased()) }

    /// Returns a text as a value has it.
    package static func escaped(_ text: String) -> String {
        text.replacing(/\r\n|\r/, with: "\n").replacing(/[\\,;]/) { "\\\($0.0)" }.replacing("\n", with: "\\n")
    }

    /// A backslash before a letter other than n stands for itself, as in "C:\Temp".
    private static func unescaped(_ value: String) -> String {
        value.replacing(/\\([\\,;:"nN])/) { $0.1.lowercased() == "n" ? "\n" : String($0.1) }
    }

    /// Returns the parts of a text between separators that no backslash escapes.
    package static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for character in text {
            if character == separator, !isEscaped { parts.append("") } else { parts[parts.count - 1].append(character) }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }
}

// MARK: - Reading

extension ContentLine {
    /// Creates the property of an unfolded line; nil for any other text.
    init?(line: String) {
        var rest = line[...]
        let head = rest.prefix { $0 != ";" && $0 != ":" }
        let path = head.split(separator: ".", maxSplits: 1).map { String($0).trimmingCharacters(in: .whitespaces) }
        guard let last = path.last,
            path.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) } && !$0.isEmpty })
        else { return nil }
        rest = rest[head.endIndex...]
        var parameters: [Parameter] = []
        while rest.first == ";" {
            rest.removeFirst()
            let name = rest.prefix { !"=;:".contains($0) }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else {
                // vCard 2.1 has values without a name.
                let value = name.trimmingCharacters(in: .whitespaces)
                let isEncoding = ["QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"].contains(value.uppercased())
                if !value.isEmpty {
                    parameters.append(Parameter(name: isEncoding ? "ENCODING" : "TYPE", values: [value]))
                }
                continue
            }
            var values: [String] = []
            repeat {
                rest.removeFirst()
                values.append(Self.parameterValue(&rest))
            } while rest.first == ","
            parameters.append(
                Parameter(name: name.trimmingCharacters(in: .whitespaces).uppercased(), values: values)
            )
        }
        guard rest.first == ":" else { return nil }
        self.init(last.uppercased(), String(rest.dropFirst()))
        (group, self.parameters) = (path.count > 1 ? path[0] : "", parameters)
        if parameter("ENCODING")?.uppercased() == "QUOTED-PRINTABLE" {
            value = Self.decoded(value, charset: parameter("CHARSET"))
            self.parameters.removeAll { ["ENCODING", "CHARSET"].contains($0.name) }
        }
    }

    /// Takes the next value of a parameter, up to a comma, a semicolon or a colon; those within quotes belong to it.
    private static func parameterValue(_ rest: inout Substring) -> String {
        var value = ""
        let inner = rest.dropFirst()
        if rest.first == "\"", let end = inner.firstIndex(of: "\"") {
            value = String(inner[..<end])
            rest = rest[rest.index(after: end)...]
        } else if rest.first == "\"" {
            rest = inner
        }
        let tail = rest.prefix { !",;:".contains($0) }
        rest = rest[tail.endIndex...]
        return (value + tail).replacing(/\^([n'^])/) { $0.1 == "n" ? "\n" : $0.1 == "'" ? "\"" : "^" }
    }

    /// Returns a quoted-printable text (RFC 2045, 6.7), its line feeds escaped; in UTF-8, else windows-1252, where no
    /// encoding is named.
    private static func decoded(_ value: String, charset: String?) -> String {
        let characters = Array(value.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < characters.count {
            if characters[index] == UInt8(ascii: "="), index + 2 < characters.count,
                let byte = UInt8(String(decoding: characters[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(characters[index])
                index += 1
            }
        }
        // What a reader of codes has made UTF-8 of is none of the encoding's bytes.
        let isASCII = value.utf8.allSatisfy { $0 < 0x80 }
        let named = isASCII ? charset.flatMap(Charset.encoding) : nil
        let text =
            named.map { String(decoding: TextDecoder($0).utf8(bytes[...]), as: UTF8.self) }
            ?? String(validating: bytes, as: UTF8.self)
            ?? String(decoding: TextDecoder("windows-1252").utf8(bytes[...]), as: UTF8.self)
        return text.replacing(/\r\n|\r|\n/, with: "\\n")
    }
}

/// A contact, a calendar or a part of one: what stands between `BEGIN` and `END`.
package struct ContentComponent: Sendable, Equatable {
    /// Name in upper case: "VCARD", "VEVENT".
    package var name: String
    package var lines: [ContentLine]
    package var parts: [ContentComponent]

    package init(_ name: String, lines: [ContentLine] = [], parts: [ContentComponent] = []) {
        (self.name, self.lines, self.parts) = (name, lines, parts)
    }

    package subscript(name: String) -> ContentLine? { lines.first { $0.name == name } }

    /// Returns itself and its parts of a name, however deep, but for those within such a part.
    package func all(_ name: String) -> [ContentComponent] {
        self.name == name ? [self] : parts.flatMap { $0.all(name) }
    }

    /// Returns the components of a text.
    ///
    /// Those of vCard 2.1 and vCalendar 1.0 become ones of vCard 3.0 and iCalendar 2.0,
    /// whose escapes differ.
    package static func parse(_ text: String) -> [ContentComponent] {
        var open = [ContentComponent("")]
        func close(_ count: Int) {
            for _ in 0..<count {
                let isOld = open.contains(where: \.isOld)
                let part = open.removeLast()
                open[open.count - 1].parts.append(isOld ? part.modern : part)
            }
        }
        for line in unfolded(text).lazy.compactMap(ContentLine.init(line:)) {
            let name = line.value.trimmingCharacters(in: .whitespaces).uppercased()
            switch line.name {
            case "BEGIN":
                // One that was never closed; but vCard 2.1 has a card within a card.
                if open.count > 1, open[open.count - 1].name == name, open[open.count - 1].lines.last?.name != "AGENT" {
                    close(1)
                }
                if open.count < 10 { open.append(ContentComponent(name)) }
            case "END":
                if let index = open.lastIndex(where: { $0.name == name }), index > 0 { close(open.count - index) }
            default: if open.count > 1 { open[open.count - 1].lines.append(line) }
            }
        }
        close(open.count - 1)
        return open[0].parts
    }

    /// Returns the lines of a text.
    ///
    /// A line that begins with a space or a tab continues the one before it, and so does any line
    /// behind a quoted-printable one that ends with "=". In vCard 2.1 the space of a continued line belongs to the text
    /// (RFC 822, 3.1.1).
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        var (isSoft, keepsSpace) = (false, false)
        // No others end a line: U+2028 may stand in a value.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { ["\r\n", "\n", "\r"].contains($0) })
        {
            if isSoft, !line.uppercased().hasPrefix("END:"), let last = lines.popLast() {
                lines.append(String(last.dropLast()) + String(line))
            } else if let first = line.unicodeScalars.first, first == " " || first == "\t", let last = lines.popLast() {
                let rest = keepsSpace ? line.unicodeScalars[...] : line.unicodeScalars.dropFirst()
                lines.append(last + String(String.UnicodeScalarView(rest)))
            } else {
                lines.append(String(line))
            }
            let head = lines.last?.prefix { $0 != ":" }.uppercased() ?? ""
            isSoft = head.contains("QUOTED-PRINTABLE") && lines.last?.last == "="
            if head == "BEGIN", lines.last?.uppercased().contains("VCARD") == true { keepsSpace = false }
            if head == "VERSION" { keepsSpace = lines.last.flatMap(ContentLine.init(line:))?.isOldVersion ?? false }
        }
        return lines
    }

    private var isOld: Bool { self["VERSION"]?.isOldVersion ?? false }

    /// It as vCard 3.0 or iCalendar 2.0: in the older ones a comma parts nothing, and nested cards stand behind AGENT.
    private var modern: ContentComponent {
        var copy = self
        if name == "VCARD" { copy.parts = [] }
        copy.lines = lines.filter { $0.name != "AGENT" }.map { line in
            var line = line
            line.parameters.removeAll { $0.name == "CHARSET" }
            if line.name == "VERSION" { line.value = name == "VCARD" ? "3.0" : "2.0" }
            if line.isBinary {
                line.value = line.value.filter { !$0.isWhitespace }
                line.parameters = line.parameters.filter { $0.name != "ENCODING" }
                line.parameters.append(ContentLine.Parameter(name: "ENCODING", values: ["b"]))
            } else if ["N", "ADR", "ORG"].contains(line.name) {
                line.value = line.parts.map(ContentLine.escaped).joined(separator: ";")
            } else if !["RRULE", "EXRULE", "URL", "GEO"].contains(line.name) {
                line.value = ContentLine.escaped(line.text)
            }
            return line
        }
        return copy
    }
}

extension ContentLine {
    /// Whether it is the version of vCard 2.1 or vCalendar 1.0.
    fileprivate var isOldVersion: Bool { ["2.1", "1.0"].contains(value.trimmingCharacters(in: .whitespaces)) }
}

// MARK: - Writing

extension ContentComponent {
    /// It as text: lines of at most 75 bytes, which end with CRLF.
    package var written: String {
        (["BEGIN:\(name)"] + lines.map(\.written)).map { Self.folded($0) + "\r\n" }.joined()
            + parts.map(\.written).joined() + "END:\(name)\r\n"
    }

    private static func folded(_ line: String) -> String {
        var (text, width) = ("", 0)
        for scalar in line.unicodeScalars {
            let count = UTF8.width(scalar)
            if width + count > 75 {
                text += "\r\n "
                width = 1
            }
            text.unicodeScalars.append(scalar)
            width += count
        }
        return text
    }
}

extension ContentLine {
    fileprivate var written: String {
        let parameters = parameters.map { parameter in
            let values = parameter.values.map { value in
                let text = value.replacing("^", with: "^^").replacing("\n", with: "^n").replacing("\"", with: "^'")
                return text.contains(/[,;:]/) ? "\"\(text)\"" : text
            }
            return ";\(parameter.name)=" + values.joined(separator: ",")
        }
        let line = (group.isEmpty ? "" : group + ".") + name + parameters.joined() + ":" + value
        return String(
            String.UnicodeScalarView(
                line.unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control }
            )
        )
    }
}
