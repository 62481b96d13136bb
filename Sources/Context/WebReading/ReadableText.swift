import Foundation

/// The text of a page that it is there for, without what stands around it.
///
/// Blocks of text are found and judged by their length, their share of linked text and the names of what they stand in; the
/// container whose blocks weigh most is the article. (Kohlschütter et al., Boilerplate Detection using Shallow Text Features,
/// WSDM 2010: text and link density; the weight of paragraphs given to their containers as Readability of Arc90 does, 2009.)
enum ReadableText {
    /// A run of text that no element of a block's kind parts.
    private struct Block {
        var text: String
        /// Share of its characters that are in links.
        var linkShare: Double
        var element: HTMLNode
        /// What it stands in, the nearest last.
        var ancestors: [HTMLNode]
        var isHeading: Bool
        var isItem: Bool
    }

    private static let skipped: Set<String> = [
        "script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "math", "canvas", "head", "form",
        "button", "select", "input", "textarea", "nav", "footer", "aside", "dialog", "menu", "audio", "video", "map",
    ]
    private static let blocks: Set<String> = [
        "p", "div", "section", "article", "main", "header", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4",
        "h5",
        "h6", "blockquote", "pre", "table", "tr", "td", "th", "caption", "figure", "figcaption", "body", "html", "br",
        "hr",
        "address", "details", "summary", "tbody", "thead", "center", "fieldset",
    ]
    private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
    /// Parts of names of what stands around an article.
    private static let around = [
        "comment", "cookie", "consent", "sidebar", "side-bar", "breadcrumb", "related", "recommend", "share", "social",
        "promo",
        "advert", "sponsor", "newsletter", "subscribe", "footer", "navbar", "menu", "pagination", "pager", "popup",
        "modal",
        "banner", "masthead", "widget", "toolbar", "skip-link", "tags-list", "disqus", "outbrain", "taboola", "toc",
    ]
    private static let inside = ["article", "content", "entry", "main", "body", "post", "story", "text", "page"]

    /// The readable text, paragraphs parted by an empty line; nil where there is none.
    static func text(of root: HTMLNode) -> String? {
        var found: [Block] = []
        collect(root, &found)
        guard !found.isEmpty else { return nil }
        var weights: [ObjectIdentifier: (node: HTMLNode, weight: Double, order: Int)] = [:]
        for (order, block) in found.enumerated() {
            let weight = weight(of: block)
            guard weight > 0 else { continue }
            // The container has all of it, what that stands in half, and so on.
            var share = 1.0
            for ancestor in block.ancestors.reversed().prefix(4) {
                weights[ObjectIdentifier(ancestor), default: (ancestor, 0, order)].weight += weight * share
                share /= 2
            }
        }
        let best = weights.values.map { ($0.node, $0.weight * nameFactor($0.node), $0.order) }
            .max { ($0.1, -$0.2) < ($1.1, -$1.2) }
        guard let (container, top, _) = best, top > 0 else {
            return joined(found.filter { $0.linkShare < 0.5 && $0.text.count >= 25 })
        }
        // What stands beside it and weighs nearly as much, or is in one row with it, belongs to it.
        let chosen = found.filter { block in
            if block.ancestors.contains(where: { $0 === container }) { return keeps(block) }
            return block.linkShare < 0.25 && block.text.count >= 80 && weight(of: block) > 0
                && isBeside(block, container, found)
        }
        return joined(chosen)
    }

    private static func weight(of block: Block) -> Double {
        guard block.text.count >= 25, block.linkShare < 0.5, !block.isHeading else { return 0 }
        let commas = Double(block.text.lazy.filter { ",，、;".contains($0) }.count)
        return (1 + commas + min(Double(block.text.count) / 100, 4)) * (1 - block.linkShare)
    }

    private static func keeps(_ block: Block) -> Bool {
        if block.isHeading { return block.linkShare < 0.5 }
        if block.isItem && block.text.count < 40 { return block.linkShare < 0.34 }
        return block.linkShare < 0.5
    }

    /// Whether a block's container has the same parent and the same kind of name as the article's.
    private static func isBeside(_ block: Block, _ container: HTMLNode, _ all: [Block]) -> Bool {
        guard let own = all.first(where: { $0.ancestors.contains { $0 === container } }),
            let index = own.ancestors.firstIndex(where: { $0 === container }), index > 0
        else { return false }
        let parent = own.ancestors[index - 1]
        guard let place = block.ancestors.firstIndex(where: { $0 === parent }) else { return false }
        // A direct neighbour: a paragraph of the parent's, or one in a container of its own.
        return block.ancestors.count - place <= 3
    }

    private static func nameFactor(_ node: HTMLNode) -> Double {
        if node.name == "article" || node.name == "main" { return 1.5 }
        if node.name == "body" || node.name == "html" || node.name == "" { return 0.6 }
        let name = names(node)
        return inside.contains(where: name.contains) ? 1.25 : 1
    }

    private static func names(_ node: HTMLNode) -> String {
        "\(node.attributes["class"] ?? "") \(node.attributes["id"] ?? "") \(node.attributes["role"] ?? "")"
            .prefix(300).lowercased()
    }

    private static func isLeftOut(_ node: HTMLNode) -> Bool {
        if skipped.contains(node.name) { return true }
        if node.attributes["hidden"] != nil || node.attributes["aria-hidden"] == "true" { return true }
        let style = (node.attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }
        if style.contains("display:none") || style.contains("visibility:hidden") { return true }
        if ["navigation", "complementary", "contentinfo", "banner", "search", "alert"].contains(
            node.attributes["role"] ?? ""
        ) {
            return true
        }
        if ["body", "html", "article", "main"].contains(node.name) { return false }
        let name = names(node)
        guard around.contains(where: name.contains) else { return false }
        // "content-with-sidebar" is no sidebar.
        return !["article", "content", "main", "body"].contains(where: name.contains)
    }

    private static func joined(_ blocks: [Block]) -> String? {
        var lines: [String] = []
        for block in blocks where lines.last != block.text { lines.append(block.text) }
        // A heading that nothing follows heads nothing.
        let text = lines.joined(separator: "\n\n")
        return text.isEmpty ? nil : text
    }

    /// Runs of text in the order of the page.
    private static func collect(_ root: HTMLNode, _ found: inout [Block]) {
        enum Step {
            case enter(HTMLNode)
            case leave(HTMLNode)
        }
        var stack: [Step] = [.enter(root)]
        var path: [HTMLNode] = []
        var (text, linked, links, preformatted) = ("", 0, 0, 0)
        func end() {
            defer { (text, linked) = ("", 0) }
            let isPreformatted = preformatted > 0
            let line = isPreformatted ? text : SafeText.collapsed(text)
            let clean = line.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let element = path.last(where: { blocks.contains($0.name) }), !clean.isEmpty, found.count < 20_000
            else { return }
            found.append(
                Block(
                    text: isPreformatted
                        ? clean.split(separator: "\n").map { SafeText.collapsed(String($0)) }
                            .joined(separator: "\n") : clean,
                    linkShare: min(1, Double(linked) / Double(max(1, clean.count))),
                    element: element,
                    ancestors: path.filter { blocks.contains($0.name) && !["p", "br"].contains($0.name) },
                    isHeading: path.contains { headings.contains($0.name) },
                    isItem: path.contains { $0.name == "li" || $0.name == "td" || $0.name == "th" || $0.name == "dd" }
                )
            )
        }
        while let step = stack.popLast() {
            switch step {
            case .enter(let node) where node.name.isEmpty && node !== root:
                text += node.text
                if links > 0 { linked += SafeText.collapsed(node.text).count }
            case .enter(let node):
                if isLeftOut(node) { continue }
                if blocks.contains(node.name) { end() }
                path.append(node)
                if node.name == "a" { links += 1 }
                if node.name == "pre" { preformatted += 1 }
                stack.append(.leave(node))
                stack.append(contentsOf: node.children.reversed().map { .enter($0) })
            case .leave(let node):
                if blocks.contains(node.name) { end() }
                path.removeLast()
                if node.name == "a" { links -= 1 }
                if node.name == "pre" { preformatted -= 1 }
            }
        }
        end()
    }
}
