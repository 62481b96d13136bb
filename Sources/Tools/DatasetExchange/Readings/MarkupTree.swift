import CLibXML
import Foundation

/// Element of XML, or of HTML as OCR programs write it, without the parts of a document that are in other files.
final class MarkupElement {
    /// In lower case, without the prefix of a namespace.
    let name: String
    let attributes: [String: String]
    /// Line in the file, counted from 1.
    let line: Int
    let children: [MarkupElement]
    /// Text of the element itself and of those in it, in order.
    let text: String

    private init(_ node: xmlNode) {
        (name, line) = (Self.text(node.name).lowercased(), Int(node.line))
        let parts = Self.parts(node.children)
        children = parts.compactMap(\.element)
        text = parts.map(\.text).joined()
        var attributes: [String: String] = [:]
        var next = node.properties
        while let attribute = next {
            attributes[Self.text(attribute.pointee.name).lowercased()] =
                Self.parts(attribute.pointee.children).map(\.text).joined()
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
        if isHTML, markup.contains("<html"), !markup.contains("</html>") {
            throw ImportFault("<html> has no end: the file was cut off")
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

    /// Returns the elements and texts from a node on; those of references to entities are left out.
    private static func parts(_ first: UnsafeMutablePointer<xmlNode>?) -> [(element: MarkupElement?, text: String)] {
        sequence(first: first) { $0?.pointee.next }.prefix { $0 != nil }.compactMap { node in
            guard let node = node?.pointee else { return nil }
            switch node.type {
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: return (nil, text(node.content))
            case XML_ELEMENT_NODE:
                let element = MarkupElement(node)
                return (element, element.text)
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
