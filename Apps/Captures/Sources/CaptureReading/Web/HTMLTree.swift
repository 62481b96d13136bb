import CLibXML

/// Node of a page: an element with its attributes and contents, or a piece of text.
///
/// A plain tree that is walked without recursion deeper than ``mostDepth``.
package final class HTMLNode {
    /// Name in lower case; "" for text.
    let name: String
    let attributes: [String: String]
    /// Content of a piece of text.
    let text: String
    fileprivate(set) var children: [HTMLNode] = []

    init(name: String, attributes: [String: String], text: String = "") {
        (self.name, self.attributes, self.text) = (name, attributes, text)
    }

    /// Depth below which elements are omitted.
    static let mostDepth = 200
    /// Nodes that are taken; a page of more is cut.
    static let mostNodes = 200_000

    /// Returns all elements below in the order of the page.
    func descendants() -> [HTMLNode] {
        var found: [HTMLNode] = []
        var stack = [self]
        while let node = stack.popLast() {
            if node !== self { found.append(node) }
            stack.append(contentsOf: node.children.reversed())
        }
        return found
    }

    /// All text below, unchanged.
    var wholeText: String { descendants().lazy.map(\.text).joined() }
}

/// A page, parsed as browsers do, without loading anything.
enum HTMLTree {
    /// Returns the tree of a page in UTF-8; nil when there is nothing to parse.
    static func parse(_ bytes: [UInt8]) -> HTMLNode? {
        let bytes = LongTags.cut(bytes)
        guard !bytes.isEmpty else { return nil }
        // The parser has no callbacks, fetches nothing, and refuses trees that would exhaust the stack.
        let options = Int32(
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
                | HTML_PARSE_NONET.rawValue | HTML_PARSE_COMPACT.rawValue
        )
        // Messages that the options do not silence would be written to standard error, by this thread.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        let document = bytes.withUnsafeBytes { buffer in
            htmlReadMemory(buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil, "UTF-8", options)
        }
        guard let document else { return nil }
        defer { xmlFreeDoc(document) }
        guard let first = xmlDocGetRootElement(document) else { return nil }
        return copy(first)
    }

    private static func copy(_ first: UnsafeMutablePointer<xmlNode>) -> HTMLNode {
        let root = HTMLNode(name: "", attributes: [:])
        var count = 0
        var stack: [(node: UnsafeMutablePointer<xmlNode>, parent: HTMLNode, depth: Int)] = [(first, root, 0)]
        while let (node, parent, depth) = stack.popLast(), count < HTMLNode.mostNodes {
            if let next = node.pointee.next, depth > 0 { stack.append((next, parent, depth)) }
            count += 1
            switch node.pointee.type {
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                guard let content = node.pointee.content else { continue }
                parent.children.append(HTMLNode(name: "", attributes: [:], text: string(content)))
            case XML_ELEMENT_NODE:
                let element = HTMLNode(name: string(node.pointee.name).lowercased(), attributes: attributes(node))
                parent.children.append(element)
                if let child = node.pointee.children, depth < HTMLNode.mostDepth {
                    stack.append((child, element, depth + 1))
                }
            default: continue
            }
        }
        return root
    }

    private static func attributes(_ node: UnsafeMutablePointer<xmlNode>) -> [String: String] {
        var found: [String: String] = [:]
        var next = node.pointee.properties
        while let attribute = next, found.count < 64 {
            var value = ""
            var child = attribute.pointee.children
            while let part = child {
                if let content = part.pointee.content { value += string(content) }
                child = part.pointee.next
            }
            found[string(attribute.pointee.name).lowercased()] = value
            next = attribute.pointee.next
        }
        return found
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
