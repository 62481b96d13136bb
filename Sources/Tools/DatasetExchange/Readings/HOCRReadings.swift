import Foundation
import Imaging

/// Lines of a page in hOCR: of its blocks, however they are nested, with nothing of its text left out but alternatives.
///
/// Source: hOCR 1.2 (kba.github.io/hocr-spec), and Tesseract's `hocrrenderer.cpp`.
struct HOCRPage {
    private(set) var lines: [MarkupLine] = []
    private var line = MarkupLine()
    private var endsWithWord = false
    /// Whether the block that is read has had no other one in it.
    private var isLeaf = true

    init(_ page: MarkupElement) { read(page) }

    private mutating func read(_ block: MarkupElement) {
        finish()
        let start = lines.count
        isLeaf = true
        take(block)
        finish()
        if isLeaf, lines.count == start + 1, !block.classes.contains("ocr_page") {
            lines[start].quad = Self.box(of: block) ?? lines[start].quad
            if lines[start].confidences == [nil] { lines[start].confidences = [Self.confidence(of: block)] }
        }
        isLeaf = false
    }

    private mutating func finish() {
        if !line.text.onOneLine.isEmpty { lines.append(line) }
        (line, endsWithWord) = (MarkupLine(), false)
    }

    private mutating func take(_ element: MarkupElement) {
        let hasLetters = element.children.contains(where: Self.isLetters)
        for node in element.nodes {
            switch node {
            case .text(let text):
                // White space of the file between letters does not divide words.
                if text.onOneLine.isEmpty, hasLetters, text.contains(where: \.isNewline) { continue }
                add(text)
            case .element(let child):
                if child.name == "br" {
                    finish()
                } else if child.classes.contains("alternatives") {
                    if let chosen = Self.chosen(of: child) { take(chosen) }
                } else if child.classes.contains("ocrx_word") || child.classes.contains("ocr_word") {
                    add(word: child)
                } else if Self.isBlock(child) {
                    read(child)
                } else if Self.isLetters(child) {
                    add(child.text)
                } else if !Self.isChoices(child), !["script", "style"].contains(child.name) {
                    take(child)
                }
            }
        }
    }

    private mutating func add(_ text: String) {
        guard !text.isEmpty else { return }
        line.text += text
        endsWithWord = false
        if !text.onOneLine.isEmpty, line.confidences.last != .some(nil) { line.confidences.append(nil) }
    }

    private mutating func add(word: MarkupElement) {
        let text = Self.text(of: word)
        guard !text.onOneLine.isEmpty else { return }
        line.text += (endsWithWord ? " " : "") + text
        endsWithWord = true
        line.confidences.append(Self.confidence(of: word))
        guard let box = Self.box(of: word) else { return }
        line.quad = Shape(points: (line.quad?.corners ?? []) + box.corners)?.corners
    }

    // MARK: Words

    /// Returns the text of a word: without the layout between its letters, and without the choices behind it.
    private static func text(of word: MarkupElement) -> String {
        var choices: [String] = []
        var hasLetters = false
        func text(_ element: MarkupElement) -> String {
            element.nodes.map { node in
                guard case .element(let child) = node else { return node.text }
                if child.classes.contains("alternatives") { return chosen(of: child).map(text) ?? "" }
                if isChoices(child) {
                    choices.append(first(of: child))
                    return ""
                }
                if isLetters(child) { hasLetters = true }
                return child.name == "br" ? " " : text(child)
            }.joined()
        }
        let own = text(word)
        if own.onOneLine.isEmpty { return choices.joined() }
        return hasLetters ? own.filter { !$0.isWhitespace } : own
    }

    private static func isInfo(_ element: MarkupElement) -> Bool {
        element.classes.contains("ocrx_cinfo") || element.classes.contains("ocr_cinfo")
    }

    /// Returns whether an element holds letters of the text, with `hocr_char_boxes` of Tesseract one each.
    private static func isLetters(_ element: MarkupElement) -> Bool { isInfo(element) && !isChoices(element) }

    /// Returns whether an element holds what a letter could be as well, as Tesseract's `lstm_choice_mode` writes.
    private static func isChoices(_ element: MarkupElement) -> Bool {
        element.classes.contains("ocr_symbol") || isInfo(element) && element.children.contains(where: isInfo)
    }

    private static func first(of choices: MarkupElement) -> String { choices.children.first.map(first) ?? choices.text }

    /// Returns the reading of several: the inserted one, else the first.
    private static func chosen(of alternatives: MarkupElement) -> MarkupElement? {
        alternatives.children.first { $0.name == "ins" } ?? alternatives.children.first
    }

    // MARK: Blocks and properties

    private static let blocks: Set = [
        "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "tr", "table", "blockquote", "pre",
    ]
    private static let inline: Set<Substring> = [
        "ocr_cinfo", "ocr_glyph", "ocr_glyphs", "ocr_dropcap", "ocr_math", "ocr_chem", "ocr_symbol", "ocr_word",
    ]

    private static func isBlock(_ element: MarkupElement) -> Bool {
        let isOwn = element.classes.contains { name in
            name.hasPrefix("ocr_") ? !inline.contains(name) : name == "ocrx_line" || name == "ocrx_block"
        }
        return isOwn || blocks.contains(element.name)
    }

    private static func confidence(of element: MarkupElement) -> Double? {
        property("x_wconf", of: element).flatMap(Double.init).map { $0 / 100 }
    }

    private static func box(of element: MarkupElement) -> Quad? {
        let sides = (property("bbox", of: element) ?? "").split(whereSeparator: \.isWhitespace).compactMap {
            Double($0)
        }
        return sides.count == 4 ? Quad(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3]) : nil
    }

    /// Returns a property in an element's title, `image "a; b.jpg"; bbox 1 2 3 4; x_wconf 96`, without quotes.
    static func property(_ name: String, of element: MarkupElement) -> String? {
        var rest = Substring(element.attributes["title"] ?? "")
        guard rest.contains(name) else { return nil }
        while let match = rest.prefixMatch(of: property) {
            rest = rest[match.range.upperBound...]
            guard match.name == name else { continue }
            let quoted = match.quoted.map(String.init)?.replacing("\\\"", with: "\"").replacing("\\'", with: "'")
            return quoted ?? match.plain?.trimmingCharacters(in: ["\"", "'", " ", "\n"])
        }
        return nil
    }

    /// A quote that neither a semicolon nor the end follows belongs to the text, as in `image "it's "so".jpg"; ppageno 0`.
    private static var property: Regex<(Substring, name: Substring, Substring?, quoted: Substring?, plain: Substring?)>
    {
        /[\s;]*(?<name>[^\s;]+)\s*(?:(["'])(?<quoted>(?:\\.|[^\\])*?)\2\s*(?:;|$)|(?<plain>[^;]*)(?:;|$))/
    }
}
