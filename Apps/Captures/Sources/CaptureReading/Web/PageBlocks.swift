import Basics
import Foundation

/// Element of a block's kind, which contains text or other such elements.
final class BlockHolder {
    let node: HTMLNode
    let parent: BlockHolder?
    /// The page's blocks that are in it, by their index.
    fileprivate(set) var blocks: Range<Int>

    fileprivate init(_ node: HTMLNode, parent: BlockHolder?, first: Int) {
        (self.node, self.parent, blocks) = (node, parent, first..<first)
    }
}

/// A run of text that no element of a block's kind parts.
struct TextBlock {
    var text: String
    /// Share of its characters that are in links.
    var linkShare: Double
    /// Nearest holder; paragraphs are none.
    var holder: BlockHolder
    /// Level of a heading, 1 to 6; nil for other blocks.
    var headingLevel: Int?
    /// Whether it is in a list or a table.
    var isItem: Bool
    /// Whether it represents an omission; its text is empty.
    var isGap: Bool

    var length: Int
    /// Weight as a part of an article: 0 for headings, short texts and lists of links.
    var weight: Double

    fileprivate init(_ text: String, linked: Int, holder: BlockHolder, headingLevel: Int?, isItem: Bool) {
        (self.text, self.holder, self.headingLevel, self.isItem) = (text, holder, headingLevel, isItem)
        (length, isGap) = (text.count, text.isEmpty)
        linkShare = min(1, Double(linked) / Double(max(1, length)))
        guard headingLevel == nil, linkShare < 0.5, length >= 25 else {
            weight = 0
            return
        }
        let commas = Double(text.unicodeScalars.lazy.filter { [",", "，", "、", "،", ";"].contains($0) }.count)
        weight = (1 + commas + min(Double(length) / 100, 4)) * (1 - linkShare)
    }
}

/// Blocks of text of a page, in its order.
struct PageBlocks {
    private(set) var blocks: [TextBlock] = []
    private var path: [HTMLNode] = []
    private var holders: [BlockHolder] = []
    private var text = ""
    private var linked = 0

    static let most = 20_000

    private static let blockNames: Set<String> = [
        "p", "div", "section", "article", "main", "header", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4",
        "h5", "h6", "blockquote", "pre", "table", "tr", "td", "th", "caption", "figure", "figcaption", "body", "html",
        "br", "hr", "address", "details", "summary", "tbody", "thead", "tfoot", "center", "fieldset", "form", "hgroup",
    ]
    private static let headings = ["h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6]

    /// Creates the blocks of a page; `byName` omits elements whose names mark them as surroundings of a text.
    init(of root: HTMLNode, byName: Bool) {
        enum Step {
            case enter(HTMLNode)
            case leave(HTMLNode)
        }
        holders = [BlockHolder(root, parent: nil, first: 0)]
        var stack: [Step] = [.enter(root)]
        while let step = stack.popLast() {
            switch step {
            case .enter(let node) where node.name.isEmpty && node !== root:
                text += node.text
                if path.contains(where: { $0.name == "a" }) { linked += SafeText.collapsed(node.text).count }
            case .enter(let node):
                let isBlock = Self.blockNames.contains(node.name)
                if Boilerplate.contains(node, byName: byName) {
                    if isBlock { leaveGap() }
                    continue
                }
                if isBlock { endBlock() }
                path.append(node)
                if isBlock, !["p", "br", "hr"].contains(node.name) {
                    holders.append(BlockHolder(node, parent: holders.last, first: blocks.count))
                }
                stack.append(.leave(node))
                stack.append(contentsOf: node.children.reversed().map { .enter($0) })
            case .leave(let node):
                if Self.blockNames.contains(node.name) { endBlock() }
                path.removeLast()
                if let holder = holders.last, holder.node === node { close(holder) }
            }
        }
        endBlock()
    }

    private mutating func close(_ holder: BlockHolder) {
        holder.blocks = holder.blocks.lowerBound..<blocks.count
        holders.removeLast()
    }

    private mutating func endBlock() {
        defer { (text, linked) = ("", 0) }
        guard let holder = holders.last, blocks.count < Self.most else { return }
        let isPreformatted = path.contains { $0.name == "pre" }
        let clean =
            isPreformatted
            ? text.split(separator: "\n").map { SafeText.collapsed(String($0)) }.joined(separator: "\n")
                .trimmingCharacters(in: .whitespacesAndNewlines) : SafeText.collapsed(text)
        guard !clean.isEmpty else { return }
        blocks.append(
            TextBlock(
                clean,
                linked: linked,
                holder: holder,
                headingLevel: path.lazy.compactMap { Self.headings[$0.name] }.first,
                isItem: path.contains { ["li", "td", "th", "dt", "dd"].contains($0.name) }
            )
        )
    }

    private mutating func leaveGap() {
        endBlock()
        guard let holder = holders.last, blocks.count < Self.most, blocks.last?.isGap != true else { return }
        blocks.append(TextBlock("", linked: 0, holder: holder, headingLevel: nil, isItem: false))
    }
}
