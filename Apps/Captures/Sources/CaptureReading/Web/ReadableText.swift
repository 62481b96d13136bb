import Basics
import Foundation

/// Main text of a page, without its surroundings.
///
/// Blocks of text are judged by their length, their share of linked text and the names of their containers; the
/// container with the heaviest blocks is the article, or an ancestor that also holds the rest of the text.
/// (Kohlschütter et al., Boilerplate Detection using Shallow Text Features, WSDM 2010: text and link density; the
/// weight that paragraphs give to their containers as Readability of Arc90 does, 2009.)
struct ReadableText {
    private let blocks: [TextBlock]
    /// Sums of the weights of the blocks before an index.
    private var weightsBefore: [Double] = [0]
    /// Sums of the characters outside of links before an index.
    private var lengthsBefore: [Double] = [0]

    /// Characters below which a text that names have thinned out is compared with the whole.
    private static let shortText = 250
    /// Factor by which the whole text must be longer than the one filtered by names, to replace it.
    private static let muchLonger = 4

    /// Returns the readable text, paragraphs separated by an empty line; nil without any.
    static func text(of root: HTMLNode) -> String? {
        let title = root.descendants().first { $0.name == "title" }?.wholeText
        let careful = ReadableText(PageBlocks(of: root, byName: true).blocks).text(title: title)
        if let careful, careful.isInMain || careful.text.count >= shortText { return careful.text }
        // Names may mislead: the rest of the page may be a remark at its edge.
        let whole = ReadableText(PageBlocks(of: root, byName: false).blocks).text(title: title)
        guard let whole else { return careful?.text }
        guard let careful else { return whole.text }
        return whole.text.count > careful.text.count * muchLonger ? whole.text : careful.text
    }

    private init(_ blocks: [TextBlock]) {
        self.blocks = blocks
        for block in blocks {
            weightsBefore.append((weightsBefore.last ?? 0) + block.weight)
            lengthsBefore.append((lengthsBefore.last ?? 0) + Double(block.length) * (1 - block.linkShare))
        }
    }

    private func weight(_ holder: BlockHolder) -> Double {
        weightsBefore[holder.blocks.upperBound] - weightsBefore[holder.blocks.lowerBound]
    }

    private func length(_ holder: BlockHolder) -> Double {
        lengthsBefore[holder.blocks.upperBound] - lengthsBefore[holder.blocks.lowerBound]
    }

    private func text(title: String?) -> (text: String, isInMain: Bool)? {
        guard let heaviest = heaviestHolder() else {
            let text = joined(blocks.indices.filter { blocks[$0].linkShare < 0.5 && blocks[$0].length >= 25 })
            return text.map { ($0, false) }
        }
        let article = widened(heaviest)
        var chosen = Set(article.blocks.filter { keeps(blocks[$0]) })
        chosen.formUnion(besides(article))
        chosen.formUnion(lead(before: chosen.min() ?? 0, title: title))
        let isInMain = sequence(first: article, next: \.parent).contains { Boilerplate.isMain($0.node) }
        return joined(chosen.sorted()).map { ($0, isInMain) }
    }

    /// Returns the container with the largest weight: a block gives its parent all of its weight, and the grandparent
    /// half.
    private func heaviestHolder() -> BlockHolder? {
        var weights: [ObjectIdentifier: (holder: BlockHolder, weight: Double)] = [:]
        for block in blocks where block.weight > 0 {
            var share = 1.0
            for holder in sequence(first: block.holder, next: \.parent).prefix(4) {
                weights[ObjectIdentifier(holder), default: (holder, 0)].weight += block.weight * share
                share /= 2
            }
        }
        return weights.values.map { ($0.holder, $0.weight * Self.nameFactor($0.holder.node)) }
            .max { ($0.1, -$0.0.blocks.lowerBound) < ($1.1, -$1.0.blocks.lowerBound) }?.0
    }

    private static let inside: Set<String> = [
        "article", "artikel", "content", "entry", "main", "body", "post", "story", "text", "page", "inhalt",
    ]

    private static func nameFactor(_ node: HTMLNode) -> Double {
        if Boilerplate.isMain(node) { return 1.5 }
        if ["body", "html", ""].contains(node.name) { return 0.6 }
        return Boilerplate.names(of: node).contains { $0.contains(where: inside.contains) } ? 1.25 : 1
    }

    /// Returns an ancestor of the container in which the text continues: answers of a thread, parts of a recipe.
    ///
    /// Within an element that is marked as the text a tenth more is enough; elsewhere it requires four tenths, in
    /// weight, and such an element is left only for others of its kind.
    private func widened(_ start: BlockHolder) -> BlockHolder {
        var article = start
        for holder in sequence(first: start, next: { $0.parent }).dropFirst() {
            guard !["html", ""].contains(holder.node.name) else { break }
            let isInMain = sequence(first: holder, next: \.parent).contains { Boilerplate.isMain($0.node) }
            if isInMain {
                if length(holder) >= 1.1 * length(article) { article = holder }
            } else if weight(holder) >= 1.4 * weight(article) {
                let main = sequence(first: start, next: \.parent).prefix { $0 !== holder }
                    .last { Boilerplate.isMain($0.node) }
                guard let main else {
                    article = holder
                    continue
                }
                let others = holder.node.children.filter { $0 !== main.node && $0.name == main.node.name }
                guard main.node.name == "article", !others.isEmpty else { break }
                article = holder
            }
        }
        return article
    }

    private func keeps(_ block: TextBlock) -> Bool {
        if block.isGap { return false }
        if block.isItem && block.length < 40 { return block.linkShare < 0.34 }
        return block.linkShare < 0.5 || (block.headingLevel == 1)
    }

    /// Blocks of the container's neighbours that belong to it: paragraphs, and containers of a fifth of its weight.
    private func besides(_ article: BlockHolder) -> [Int] {
        guard let parent = article.parent, !Boilerplate.isMain(article.node) else { return [] }
        let least = weight(article) / 5
        return parent.blocks.filter { index in
            let block = blocks[index]
            guard !article.blocks.contains(index), block.linkShare < 0.25, block.weight > 0 else { return false }
            if block.holder === parent { return block.length >= 80 }
            guard let child = sequence(first: block.holder, next: \.parent).first(where: { $0.parent === parent })
            else { return false }
            return weight(child) >= least
        }
    }

    /// Returns the page's main heading, if it is before the text, and the introduction of the text.
    private func lead(before first: Int, title: String?) -> [Int] {
        let title = title.map { SafeText.collapsed($0).lowercased() } ?? ""
        let headings = blocks.indices.filter { blocks[$0].headingLevel != nil }
        let named = headings.filter { blocks[$0].length >= 4 && title.contains(blocks[$0].text.lowercased()) }
            .max { (blocks[$0].length, -$0) < (blocks[$1].length, -$1) }
        let tops = headings.filter { blocks[$0].headingLevel == 1 }
        guard let heading = named ?? (tops.count == 1 ? tops[0] : nil), heading < first else { return [] }
        let between = (heading + 1..<first).filter { index in
            let block = blocks[index]
            return block.linkShare < 0.25 && !block.isItem && (block.headingLevel == 2 || block.length >= 60)
        }
        // Much text before the text is something else.
        return [heading] + (between.count <= 5 ? between : [])
    }

    /// Returns blocks as paragraphs, without headings of omitted text.
    private func joined(_ chosen: [Int]) -> String? {
        let isChosen = Set(chosen)
        var lines: [String] = []
        for index in chosen where !headsNothing(index, isChosen) && lines.last != blocks[index].text {
            lines.append(blocks[index].text)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n\n")
    }

    /// Returns whether blocks follow a heading up to the next one of the same or a higher level, and all of them were
    /// omitted.
    private func headsNothing(_ index: Int, _ isChosen: Set<Int>) -> Bool {
        guard let level = blocks[index].headingLevel, level > 1 else { return false }
        var isLeftOut = false
        for next in blocks.indices[(index + 1)...] {
            if let other = blocks[next].headingLevel, other <= level { break }
            if isChosen.contains(next) { return false }
            isLeftOut = true
        }
        return isLeftOut
    }
}
