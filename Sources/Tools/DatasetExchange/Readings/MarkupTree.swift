import CLibXML
import Foundation

/// Element of XML, or of HTML as OCR programs write it, without the parts of a document that are in other files.
final class MarkupElement {
    enum Node {
        case text(String)
        case element(MarkupElement)

        var text: String {
            switch self {
            case .text(let text): text
            case .element(let element): element.text
            }
        }
    }

    /// In lower case, without the prefix of a namespace.
    let name: String
    let attributes: [String: String]
    /// Line in the file, counted from 1.
    let line: Int
    /// Elements and texts in it, in order.
    let nodes: [Node]

    var children: [MarkupElement] { nodes.compactMap { if case .element(let element) = $0 { element } else { nil } } }
    /// Text of the element itself and of those in it, in order.
    var text: String { nodes.map(\.text).joined() }

    private init(_ node: xmlNode) {
        // The parser of HTML leaves the prefix in the name.
        name = Self.text(node.name).lowercased().split(separator: ":").last.map(String.init) ?? ""
        line = Int(node.line)
        nodes = Self.nodes(node.children)
        var attributes: [String: String] = [:]
        var next = node.properties
        while let attribute = next {
            attributes[Self.text(attribute.pointee.name).lowercased()] =
                Self.nodes(attribute.pointee.children).map(\.text).joined()
            next = attribute.pointee.next
        }
        self.attributes = attributes
    }

    /// Returns the outermost element of a text.
    ///
    /// The parser loads nothing, and refuses more than 256 levels and entities that grow.
    ///
    /// - Throws: ``ImportFault`` with the line for text that is not markup, or was cut off.
    static func parse(_ markup: String, isHTML: Bool) throws(ImportFault) -> MarkupElement {
        // A parser of HTML adds the ends that are missing.
        if isHTML, let root = MarkupRoot(markup), !root.isClosed(in: markup) {
            throw ImportFault("<\(root.tag)> has no end: the file was cut off")
        }
        let quiet = XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_NONET.rawValue
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        xmlResetLastError()
        let bytes = Array(markup.utf8)
        let document = bytes.withUnsafeBytes { raw in
            let start = raw.bindMemory(to: CChar.self).baseAddress
            return isHTML
                ? htmlReadMemory(start, Int32(raw.count), nil, "UTF-8", Int32(quiet | HTML_PARSE_RECOVER.rawValue))
                : xmlReadMemory(start, Int32(raw.count), nil, "UTF-8", Int32(quiet | XML_PARSE_BIG_LINES.rawValue))
        }
        defer { xmlFreeDoc(document) }
        guard let document, let root = xmlDocGetRootElement(document) else {
            let fault = xmlGetLastError()?.pointee
            let reason = fault.flatMap { $0.message.map { String(cString: $0).onOneLine } } ?? "no element"
            throw ImportFault("line \(max(1, fault?.line ?? 1)): not XML or HTML, or cut off: \(reason)")
        }
        return MarkupElement(root.pointee)
    }

    /// Returns the elements and texts from a node on; references to unknown entities are left out.
    private static func nodes(_ first: UnsafeMutablePointer<xmlNode>?) -> [Node] {
        sequence(first: first) { $0?.pointee.next }.prefix { $0 != nil }.compactMap { node in
            guard let node = node?.pointee else { return nil }
            switch node.type {
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: return .text(text(node.content))
            case XML_ELEMENT_NODE: return .element(MarkupElement(node))
            default: return nil
            }
        }
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }

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

/// First tag of a text that is XML or HTML by its grammar, behind declarations and comments.
struct MarkupRoot {
    /// With its prefix, as it is written.
    let tag: String
    /// In lower case, without the prefix of a namespace.
    var name: String { tag.lowercased().split(separator: ":").last.map(String.init) ?? "" }
    var isHTML: Bool { Self.html.contains(name) }

    private static let html: Set = [
        "html", "head", "meta", "body", "div", "p", "span", "table", "pre", "h1", "h2", "h3", "ul", "ol", "br",
    ]

    /// Creates the root of a text; nil for a text that only begins with "<".
    init?(_ text: String) {
        var rest = text.drop(while: \.isWhitespace)
        var isDeclared = false
        while let declaration = rest.prefixMatch(of: Self.declaration) {
            isDeclared = true
            rest = rest[declaration.range.upperBound...]
        }
        guard let start = rest.prefixMatch(of: Self.start) else {
            // "<3" is text; behind a declaration, nothing but an element may follow.
            guard isDeclared || text.hasPrefix("<?xml") else { return nil }
            tag = "?"
            return
        }
        tag = String(start.1)
        let isKnown = isDeclared || isHTML || ["alto", "pcgts"].contains(name)
        guard isKnown || start.0.hasSuffix("/>") || isClosed(in: text) else { return nil }
    }

    private static var declaration: Regex<Substring> {
        /(?:<\?.*?\?>|<!--.*?-->|<!(?i:doctype)[^>\[]*(?:\[.*?\]\s*)?>)\s*/.dotMatchesNewlines()
    }
    private static var start: Regex<(Substring, Substring)> {
        /<((?:[\w.\-]+:)?[A-Za-z_][\w.\-]*)(?=[\s\/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/
    }

    /// Returns whether its end tag is in the text; elements without content need none.
    func isClosed(in text: String) -> Bool {
        ["meta", "br"].contains(name) || text.range(of: "</\(tag)", options: .caseInsensitive) != nil
    }
}
