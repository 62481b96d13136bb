import Basics
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Readings in hOCR, ALTO and PAGE.
///
/// Sources: hOCR 1.2 (kba.github.io/hocr-spec), ALTO 4 (loc.gov/standards/alto), PAGE content 2019-07-15
/// (primaresearch.org). Confidences outside 0…1 are left out.
enum MarkupReadings {
    static func read(_ path: String, _ text: String, as format: ReadingFormat) throws(ImportFault) -> ReadingFile {
        let root = try MarkupElement.parse(text, isHTML: format == .hocr)
        var file = ReadingFile(path: path, format: format)
        switch format {
        case .hocr: try hocr(root, &file)
        case .alto: try alto(root, &file)
        default: try page(root, &file)
        }
        return file
    }

    /// Adds the reading of a page; the file's own name is the picture's when nothing else is.
    private static func add(
        _ page: MarkupElement,
        image: String?,
        of pages: Int,
        _ lines: [Prediction.Line],
        to file: inout ReadingFile
    ) {
        let names = [image, pages == 1 ? ReadingFile.name(of: file.path) : nil].compactMap(\.self).filter {
            !$0.isEmpty
        }
        let place = ImportPlace(file: file.path, line: page.line)
        file.readings.append(StatedReading(place: place, names: names, lines: lines))
    }

    private static func line(_ text: String, _ confidences: [Double?], _ quad: Quad?) -> Prediction.Line? {
        let text = text.onOneLine.withoutControls
        if text.isEmpty { return nil }
        let known = confidences.compactMap(\.self).filter((0...1).contains)
        let mean = known.isEmpty || known.count < confidences.count ? nil : known.reduce(0, +) / Double(known.count)
        return Prediction.Line(text: text, confidence: mean, quad: quad)
    }

    // MARK: hOCR

    private static let lineClasses: Set<Substring> = [
        "ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat",
    ]

    private static func hocr(_ root: MarkupElement, _ file: inout ReadingFile) throws(ImportFault) {
        let pages = root.outermost { $0.classes.contains("ocr_page") }
        guard !pages.isEmpty else { throw ImportFault("has no element of the class ocr_page") }
        let system = root.outermost("meta").first { $0.attributes["name"] == "ocr-system" }
        file.system = system?.attributes["content"]?.onOneLine
        for page in pages {
            var lines = page.outermost { !lineClasses.isDisjoint(with: $0.classes) }
            if lines.isEmpty { lines = page.outermost { $0.classes.contains("ocrx_word") } }
            let image = property("image", of: page).map { $0.trimmingCharacters(in: ["\"", "'", " "]) }
            add(page, image: image, of: pages.count, lines.compactMap(hocrLine), to: &file)
        }
    }

    private static func hocrLine(_ element: MarkupElement) -> Prediction.Line? {
        let words = element.outermost { $0.classes.contains("ocrx_word") }.filter { !$0.text.onOneLine.isEmpty }
        let parts = words.isEmpty ? [element] : words
        let confidences = parts.map { property("x_wconf", of: $0).flatMap(Double.init).map { $0 / 100 } }
        let box = (property("bbox", of: element) ?? "").split(separator: " ").compactMap { Double($0) }
        let quad = box.count == 4 ? Quad(left: box[0], top: box[1], right: box[2], bottom: box[3]) : nil
        return line(parts.map(\.text).joined(separator: " "), confidences, quad)
    }

    /// Returns a property in an element's title: `bbox 1 2 3 4; x_wconf 96`.
    private static func property(_ name: String, of element: MarkupElement) -> String? {
        (element.attributes["title"] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
    }

    // MARK: ALTO

    private static func alto(_ root: MarkupElement, _ file: inout ReadingFile) throws(ImportFault) {
        let pages = root.outermost("page")
        guard pages.count == 1 else { throw ImportFault("has \(pages.count) pages; expected one, of one picture") }
        let isInPixels =
            root.outermost("measurementunit").first.map { $0.text.onOneLine.lowercased() == "pixel" } ?? false
        file.system = root.outermost("softwarename").first?.text.onOneLine
        let image = root.outermost("filename").first?.text.onOneLine
        let lines = pages[0].outermost("textline").compactMap { element -> Prediction.Line? in
            let words = element.outermost("string")
            let sides = ["hpos", "vpos", "width", "height"].compactMap(element.number)
            let quad =
                sides.count == 4 && isInPixels
                ? Shape.box(x: sides[0], y: sides[1], width: sides[2], height: sides[3]).corners : nil
            let text = words.map { $0.attributes["content"] ?? "" }.joined(separator: " ")
            return line(text, words.map { $0.number("wc") }, quad)
        }
        add(pages[0], image: image, of: 1, lines, to: &file)
    }

    // MARK: PAGE

    private static func page(_ root: MarkupElement, _ file: inout ReadingFile) throws(ImportFault) {
        let pages = root.outermost("page")
        guard pages.count == 1, let page = pages.first else {
            throw ImportFault("has \(pages.count) pages; expected one, of one picture")
        }
        file.system = root.outermost("creator").first?.text.onOneLine
        var order: [String: Int] = [:]
        for (place, reference) in page.outermost({ $0.name.hasPrefix("regionref") }).enumerated() {
            let index = reference.attributes["index"].flatMap { Int($0) } ?? place
            order[reference.attributes["regionref"] ?? ""] = index
        }
        let regions = page.outermost("textregion").enumerated().sorted { a, b in
            let (first, second) = (order[a.element.attributes["id"] ?? ""], order[b.element.attributes["id"] ?? ""])
            return (first ?? .max, a.offset) < (second ?? .max, b.offset)
        }
        // A region without lines is one line.
        let parts = regions.flatMap { region in
            let lines = region.element.outermost("textline")
            return lines.isEmpty ? [region.element] : lines
        }
        let lines = parts.compactMap { element -> Prediction.Line? in
            let own = texts(of: element).first
            let words = element.children.filter { $0.name == "word" }.compactMap { texts(of: $0).first }
            let parts = own.map { [$0] } ?? words
            let text = parts.map { $0.outermost("unicode").first?.text ?? "" }.joined(separator: " ")
            return line(text, parts.map { $0.number("conf") }, quad(of: element))
        }
        add(page, image: page.attributes["imagefilename"], of: 1, lines, to: &file)
    }

    /// Returns the texts of a line or word itself, the best first.
    private static func texts(of element: MarkupElement) -> [MarkupElement] {
        element.children.filter { $0.name == "textequiv" }.enumerated().sorted { a, b in
            (a.element.number("index") ?? 0, a.offset) < (b.element.number("index") ?? 0, b.offset)
        }.map(\.element)
    }

    private static func quad(of element: MarkupElement) -> Quad? {
        guard let points = element.children.first(where: { $0.name == "coords" })?.attributes["points"] else {
            return nil
        }
        let numbers = points.split { $0 == " " || $0 == "," }.compactMap { Double($0) }.filter(\.isFinite)
        return Shape.points(numbers).flatMap { Shape(points: $0) }?.corners
    }
}
