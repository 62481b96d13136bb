import Foundation

/// Element of XML, or of HTML as OCR programs write it.
final class MarkupElement {
    /// In lower case, without the prefix of a namespace.
    let name: String
    let attributes: [String: String]
    /// Line in the file, counted from 1.
    let line: Int
    fileprivate(set) var children: [MarkupElement] = []
    /// Text of the element itself and of those in it, in order.
    fileprivate(set) var text = ""

    fileprivate init(name: String, attributes: [String: String], line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }

    /// Returns the elements below that fulfil a condition, in order; none inside another of them.
    func outermost(_ condition: (MarkupElement) -> Bool) -> [MarkupElement] {
        children.flatMap { condition($0) ? [$0] : $0.outermost(condition) }
    }

    func outermost(_ name: String) -> [MarkupElement] { outermost { $0.name == name } }

    /// Classes of an element of HTML.
    var classes: [Substring] { (attributes["class"] ?? "").split(whereSeparator: \.isWhitespace) }

    /// Returns an attribute as a finite number; nil without one.
    func number(_ name: String) -> Double? {
        attributes[name].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// Parser of XML without external parts: it loads nothing, and defines no entities.
struct MarkupParser {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [MarkupElement] = []

    /// Nesting beyond any page.
    private static let mostDepth = 200
    /// Elements of HTML that have no end.
    private static let empty: Set<String> = ["meta", "link", "br", "hr", "img", "input"]

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the outermost element of a text.
    ///
    /// - Throws: ``ImportFault`` with the line for text that is not markup, or was cut off.
    static func parse(_ text: String) throws(ImportFault) -> MarkupElement {
        var parser = MarkupParser(text)
        return try parser.document()
    }

    private mutating func document() throws(ImportFault) -> MarkupElement {
        let root = MarkupElement(name: "", attributes: [:], line: 1)
        open = [root]
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let text = Self.unescaped(String(decoding: take(until: "<"), as: UTF8.self))
                for element in open { element.text += text }
            } else if takes("<!--") {
                _ = try take(through: "-->", of: "a comment")
            } else if takes("<![CDATA[") {
                let text = String(decoding: try take(through: "]]>", of: "CDATA"), as: UTF8.self)
                for element in open { element.text += text }
            } else if takes("<?") {
                _ = try take(through: "?>", of: "a declaration")
            } else if takes("<!") {
                // The subset of a document type may contain further declarations.
                let start = try take(through: ">", of: "a declaration")
                if start.contains(UInt8(ascii: "[")), !start.contains(UInt8(ascii: "]")) {
                    _ = try take(through: "]>", of: "a document type")
                }
            } else if takes("</") {
                let name = Self.local(String(decoding: try take(through: ">", of: "a tag"), as: UTF8.self))
                // HTML leaves out the ends of some elements.
                if let place = open.lastIndex(where: { $0.name == name }), place > 0 { open.removeSubrange(place...) }
            } else {
                index += 1
                try element()
            }
        }
        if let last = open.last, open.count > 1 {
            throw ImportFault("line \(last.line): <\(last.name)> has no end: the file was cut off, or is not XML")
        }
        guard let first = root.children.first else { throw ImportFault("no element of XML or HTML") }
        return first
    }

    private mutating func element() throws(ImportFault) {
        let start = line
        let name = Self.local(String(decoding: name(), as: UTF8.self))
        guard !name.isEmpty else { throw ImportFault("line \(start): \"<\" without a name") }
        var attributes: [String: String] = [:]
        var isClosed = false
        while true {
            skipSpace()
            guard index < bytes.count else { throw ImportFault("line \(start): <\(name) is cut off") }
            if takes("/>") {
                isClosed = true
                break
            }
            if takes(">") { break }
            let key = Self.local(String(decoding: self.name(), as: UTF8.self))
            guard !key.isEmpty else { throw ImportFault("line \(line): <\(name)> has an invalid attribute") }
            skipSpace()
            guard takes("=") else {
                attributes[key] = ""
                continue
            }
            skipSpace()
            attributes[key] = Self.unescaped(String(decoding: try value(of: name), as: UTF8.self))
        }
        guard open.count < Self.mostDepth else {
            throw ImportFault("line \(start): elements are nested deeper than \(Self.mostDepth) levels")
        }
        let element = MarkupElement(name: name, attributes: attributes, line: start)
        open[open.count - 1].children.append(element)
        if !isClosed, !Self.empty.contains(name) { open.append(element) }
    }

    private mutating func value(of name: String) throws(ImportFault) -> ArraySlice<UInt8> {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            return take { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        }
        let quote = bytes[index]
        index += 1
        let value = take { $0 != quote }
        guard index < bytes.count else { throw ImportFault("<\(name) is cut off in a value") }
        index += 1
        return value
    }

    // MARK: Bytes

    private mutating func name() -> ArraySlice<UInt8> {
        take { $0 > 0x20 && !"=/>\"'<".utf8.contains($0) }
    }

    private mutating func skipSpace() { _ = take { $0 <= 0x20 } }

    private mutating func take(until end: Unicode.Scalar) -> ArraySlice<UInt8> { take { $0 != UInt8(ascii: end) } }

    private mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, condition(bytes[index]) {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        return bytes[start..<index]
    }

    private mutating func takes(_ text: StaticString) -> Bool {
        guard holds(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private func holds(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    private mutating func take(through end: StaticString, of what: String) throws(ImportFault) -> ArraySlice<UInt8> {
        let (start, first) = (index, line)
        while index < bytes.count, !holds(end) {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        guard index < bytes.count else { throw ImportFault("line \(first): \(what) has no end: the file was cut off") }
        defer { index += end.utf8CodeUnitCount }
        return bytes[start..<index]
    }

    // MARK: Text

    private static func local(_ name: String) -> String {
        String(name.split(separator: ":").last ?? "").trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]

    /// Replaces the entities of XML, and numbers of characters; unknown ones stay.
    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return text.replacing(/&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]+);/) { match in
            guard match.1.hasPrefix("#") else { return entities[String(match.1)] ?? String(match.0) }
            let digits = match.1.dropFirst()
            let isHex = digits.first?.lowercased() == "x"
            let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
        }
    }
}
