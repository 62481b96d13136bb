import Basics
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Line of a page's text, before the halves of divided words are joined.
struct MarkupLine {
    var text = ""
    /// Of its parts; nil for one that is not known.
    var confidences: [Double?] = []
    var quad: Quad?
    /// Whether it ends within a word.
    var isDivided = false

    /// Returns the lines that are not blank; a word that is divided between two is in the first of them.
    ///
    /// A soft hyphen at a line's end divides a word, and belongs to none. Confidences outside 0…1 are left out.
    static func joined(_ lines: [MarkupLine]) -> [Prediction.Line] {
        var joined: [Prediction.Line] = []
        var isDivided = false
        for line in lines {
            let printed = line.text.onOneLine.withoutControls
            if printed.isEmpty { continue }
            var text = String(printed.unicodeScalars.filter { $0 != "\u{AD}" })
            if isDivided, let last = joined.indices.last {
                let rest = text.prefix { $0 != " " }
                joined[last].text += rest
                text = String(text.dropFirst(rest.count + 1))
            }
            isDivided = line.isDivided || printed.unicodeScalars.last == "\u{AD}"
            if text.isEmpty { continue }
            let known = line.confidences.compactMap(\.self).filter((0...1).contains)
            let isKnown = !known.isEmpty && known.count == line.confidences.count
            let mean = isKnown ? known.reduce(0, +) / Double(known.count) : nil
            joined.append(Prediction.Line(text: text, confidence: mean, quad: line.quad))
        }
        return joined
    }
}

/// Readings in hOCR, ALTO and PAGE.
///
/// Sources: ``HOCRPage``; ALTO 2 to 4.4 (loc.gov/standards/alto); PAGE content 2009-03-16 to 2019-07-15 (primaresearch.org),
/// and Transkribus' `custom`.
enum MarkupReadings {
    static func read(_ path: String, _ text: String, as format: ReadingFormat) throws(ImportFault) -> ReadingFile {
        let root = try MarkupElement.parse(text, isHTML: format == .hocr)
        var file = ReadingFile(path: path, format: format)
        let pages = root.outermost { format == .hocr ? $0.classes.contains("ocr_page") : $0.name == "page" }
        if format == .hocr {
            guard !pages.isEmpty else { throw ImportFault("has no element of the class ocr_page") }
            let system = root.outermost("meta").first { $0.attributes["name"] == "ocr-system" }
            file.system = system?.attributes["content"]?.onOneLine
        } else {
            guard pages.count == 1 else { throw ImportFault("has \(pages.count) pages; expected one, of one picture") }
            file.system = root.outermost(format == .alto ? "softwarename" : "creator").first?.text.onOneLine
        }
        for page in pages {
            let (lines, images): ([MarkupLine], [String?]) =
                switch format {
                case .hocr: (HOCRPage(page).lines, ["image", "x_source"].map { HOCRPage.property($0, of: page) })
                case .alto: (alto(root, page), [root.outermost("filename").first?.text.onOneLine])
                default: (Self.page(page), [page.attributes["imagefilename"]])
                }
            // The file's own name is the picture's when nothing else is.
            let names = (images + [pages.count == 1 ? ReadingFile.name(of: path) : nil]).compactMap(\.self)
            let place = ImportPlace(file: path, line: page.line)
            file.readings.append(
                StatedReading(place: place, names: names.filter { !$0.isEmpty }, lines: MarkupLine.joined(lines))
            )
        }
        return file
    }

    // MARK: Order

    /// Returns numbers of ids in the order of groups of references: an index counts within its own group alone.
    private static func order(of groups: [MarkupElement]) -> [String: Int] {
        var order: [String: Int] = [:]
        func add(_ element: MarkupElement) {
            for id in (element.attributes["regionref"] ?? element.attributes["ref"] ?? "").split(separator: " ")
            where order[String(id)] == nil {
                order[String(id)] = order.count
            }
            ranked(element.children).forEach(add)
        }
        groups.forEach(add)
        return order
    }

    /// Returns elements by their `index`, or that in Transkribus' `custom="readingOrder {index:0;}"`; others come last.
    private static func ranked(_ elements: [MarkupElement]) -> [MarkupElement] {
        sorted(elements) { element in
            let custom = element.attributes["custom"]?.firstMatch(of: /readingOrder\s*\{[^}]*?\bindex\s*:\s*(\d+)/)
            return (element.attributes["index"] ?? custom.map { String($0.1) }).flatMap { Int($0) } ?? .max
        }
    }

    /// Returns the elements of a name below an element, however deep, in an order; those that it has not are at the place
    /// of the one that they are in, or last.
    private static func elements(
        _ name: String,
        below root: MarkupElement,
        in order: [String: Int]
    ) -> [MarkupElement] {
        var found: [(place: Int, element: MarkupElement)] = []
        func add(_ element: MarkupElement, _ place: Int) {
            for child in ranked(element.children) {
                let place = child.attributes["id"].flatMap { order[$0] } ?? place
                if child.name == name { found.append((place, child)) }
                add(child, place)
            }
        }
        add(root, .max)
        return sorted(found, by: \.place).map(\.element)
    }

    private static func sorted<Element>(_ elements: [Element], by key: (Element) -> Int) -> [Element] {
        elements.enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }.map(\.element)
    }

    private static func quad(_ points: String?) -> Quad? {
        let numbers = (points ?? "").split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }.filter(\.isFinite)
        guard numbers.count >= 6 else { return nil }
        return Shape.points(numbers).flatMap { Shape(points: $0) }?.corners
    }

    // MARK: ALTO

    private static func alto(_ root: MarkupElement, _ page: MarkupElement) -> [MarkupLine] {
        let isInPixels = root.outermost("measurementunit").first?.text.onOneLine.lowercased() == "pixel"
        // Several orders are alternatives.
        var order = Self.order(of: Array(root.outermost("readingorder").first?.children.prefix(1) ?? []))
        if order.isEmpty { order = Self.order(ofChains: page) }
        let lines = elements("textline", below: page, in: order)
        let strings = lines.flatMap { $0.outermost("string") }
        // A divided word is known as a whole where both of its parts are there.
        let parts = ["HypPart1", "HypPart2"].map { type in
            Set(strings.filter { $0.attributes["subs_type"] == type }.compactMap { $0.attributes["subs_content"] })
        }
        let wholes = parts[0].intersection(parts[1])
        return lines.map { element in
            var line = MarkupLine()
            var texts: [String] = []
            for string in element.outermost("string") {
                let whole = string.attributes["subs_content"].flatMap { wholes.contains($0) ? $0 : nil }
                let type = whole == nil ? nil : string.attributes["subs_type"]
                if type == "HypPart2" { continue }
                let glyphs = string.outermost("glyph").compactMap { $0.attributes["content"] }.joined()
                texts.append((type == "HypPart1" ? whole : nil) ?? string.attributes["content"] ?? glyphs)
                line.confidences.append(string.number("wc"))
                line.isDivided = type == nil && !element.outermost("hyp").isEmpty
            }
            line.text = texts.joined(separator: " ")
            let sides = ["hpos", "vpos", "width", "height"].compactMap(element.number)
            let shape = element.children.first { $0.name == "shape" }?.outermost("polygon").first?.attributes["points"]
            if isInPixels {
                line.quad =
                    sides.count == 4
                    ? Shape.box(x: sides[0], y: sides[1], width: sides[2], height: sides[3]).corners : quad(shape)
            }
            return line
        }
    }

    /// Returns the order in which blocks name the next one, `IDNEXT`; empty when none does.
    private static func order(ofChains page: MarkupElement) -> [String: Int] {
        let blocks = page.outermost {
            $0.name == "textblock" || $0.name != "composedblock" && $0.attributes["idnext"] != nil
        }
        let ids = blocks.compactMap { block in block.attributes["id"].map { ($0, block.attributes["idnext"]) } }
        let next = Dictionary(ids.compactMap { id, next in next.map { (id, $0) } }) { first, _ in first }
        var order: [String: Int] = [:]
        for (id, _) in next.isEmpty ? [] : ids where !next.values.contains(id) {
            var id: String? = id
            while let known = id, order[known] == nil { (order[known], id) = (order.count, next[known]) }
        }
        return order
    }

    // MARK: PAGE

    private static func page(_ page: MarkupElement) -> [MarkupLine] {
        let order = Self.order(of: page.outermost("readingorder"))
        return elements("textregion", below: page, in: order).flatMap { region in
            let lines = ranked(region.children.filter { $0.name == "textline" }).map(line)
            if lines.contains(where: { !$0.text.onOneLine.isEmpty }) { return lines }
            // A region without lines has its own text, unless that repeats what the regions in it have.
            guard region.outermost("textregion").isEmpty else { return [] }
            let whole = line(region)
            return whole.text.split(whereSeparator: \.isNewline).map {
                MarkupLine(text: String($0), confidences: whole.confidences, quad: whole.quad)
            }
        }
    }

    private static func line(_ element: MarkupElement) -> MarkupLine {
        let (text, confidences) = reading(of: element)
        let coords = element.children.first { $0.name == "coords" }
        // Until 2010, points were elements.
        let old = coords?.children.map { "\($0.attributes["x"] ?? "") \($0.attributes["y"] ?? "")" }.joined(
            separator: " "
        )
        return MarkupLine(text: text, confidences: confidences, quad: quad(coords?.attributes["points"] ?? old))
    }

    /// Returns the text of a region, line, word or glyph: that of the lowest index, else that of its parts.
    private static func reading(of element: MarkupElement) -> (text: String, confidences: [Double?]) {
        let texts = element.children.filter { $0.name == "textequiv" }.enumerated().sorted { a, b in
            (a.element.number("index") ?? 0, a.offset) < (b.element.number("index") ?? 0, b.offset)
        }
        if let best = texts.first?.element {
            for name in ["unicode", "plaintext"] {
                guard let text = best.outermost(name).first?.text, !text.onOneLine.isEmpty else { continue }
                return (text, [best.number("conf")])
            }
        }
        let parts = ranked(element.children.filter { $0.name == "word" || $0.name == "glyph" })
        let readings = parts.map(reading)
        let separator = parts.first?.name == "glyph" ? "" : " "
        return (readings.map(\.text).joined(separator: separator), readings.flatMap(\.confidences))
    }
}
