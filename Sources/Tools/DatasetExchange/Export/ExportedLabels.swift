import Basics
import Imaging
import SpineDatasets

/// Labels of one picture that another format has no place for, beside those that can be edited in other programs.
struct ExportedLabels: Codable, Sendable, Equatable {
    /// Sample; nil for a shelf; its `lines` are empty, or nil without labels.
    var sample: Sample?
    /// Shelf; nil for a spine; the `lines` of its books are as those of `sample`.
    var shelf: Shelf?
    /// Lines without a place, which no other format can represent.
    var unplaced: [PlacedLine]?

    struct PlacedLine: Codable, Sendable, Equatable {
        /// Number of the line in its spine, from 0; nil for one that was added after the export.
        var line: Int?
        /// The number of its book on the shelf, from 0; nil for a single spine.
        var book: Int?
        var value: LabelledLine
    }

    struct PlacedOutline: Sendable, Equatable {
        var book: Int?
        var quad: Quad
    }

    /// Labels of a picture without the elements that the other format represents, and those elements.
    typealias Parts = (labels: ExportedLabels, lines: [PlacedLine], outlines: [PlacedOutline])

    /// Takes a spine's labels apart; `outlines` if the other format has a place for outlines.
    static func taken(from sample: Sample, outlines: Bool) -> Parts {
        var sample = sample
        let all = Self.lines(of: sample.lines, book: nil)
        let quads = outlines ? [sample.outline].compactMap { $0 }.map { PlacedOutline(book: nil, quad: $0) } : []
        if outlines { sample.outline = nil }
        sample.lines = sample.lines.map { _ in [] }
        return (ExportedLabels(sample: sample, unplaced: Self.unplaced(all)), all.filter(\.isPlaced), quads)
    }

    /// Takes a shelf's labels apart; `outlines` if the other format has a place for outlines.
    static func taken(from shelf: Shelf, outlines: Bool) -> Parts {
        var shelf = shelf
        var all: [PlacedLine] = []
        var quads: [PlacedOutline] = []
        for index in shelf.books.indices {
            all += Self.lines(of: shelf.books[index].lines, book: index)
            shelf.books[index].lines = shelf.books[index].lines.map { _ in [] }
            guard outlines, let quad = shelf.books[index].quad else { continue }
            quads.append(PlacedOutline(book: index, quad: quad))
            shelf.books[index].quad = nil
        }
        return (ExportedLabels(shelf: shelf, unplaced: Self.unplaced(all)), all.filter(\.isPlaced), quads)
    }

    private static func lines(of lines: [LabelledLine]?, book: Int?) -> [PlacedLine] {
        (lines ?? []).enumerated().map { PlacedLine(line: $0.offset, book: book, value: $0.element) }
    }

    private static func unplaced(_ lines: [PlacedLine]) -> [PlacedLine]? {
        let lines = lines.filter { !$0.isPlaced }
        return lines.isEmpty ? nil : lines
    }

    /// Puts outlines back; one of no book that is known becomes a new book.
    mutating func place(_ outlines: [PlacedOutline]) {
        for outline in outlines {
            if sample != nil {
                sample?.outline = outline.quad
            } else if let book = outline.book, shelf?.books.indices.contains(book) == true {
                shelf?.books[book].quad = outline.quad
            } else {
                shelf?.books.append(ShelfBook(title: nil, quad: outline.quad, legible: false))
            }
        }
    }

    /// Inserts lines again, in the order of their numbers, those without a number last; returns the number of omitted
    /// lines, which are on none of the shelf's books.
    @discardableResult
    mutating func place(_ lines: [PlacedLine]) -> Int {
        var stray = 0
        let all = ((unplaced ?? []) + lines).enumerated().sorted {
            ($0.element.line ?? .max, $0.offset) < ($1.element.line ?? .max, $1.offset)
        }
        for line in all.map(\.element) {
            if sample != nil {
                sample?.lines.append(line.value)
            } else if let book = book(of: line) {
                shelf?.books[book].lines.append(line.value)
            } else {
                stray += 1
            }
        }
        unplaced = nil
        return stray
    }

    private func book(of line: PlacedLine) -> Int? {
        guard let books = shelf?.books else { return nil }
        if let book = line.book { return books.indices.contains(book) ? book : nil }
        guard let centre = line.value.quad?.centre else { return nil }
        return books.firstIndex { $0.quad?.contains(centre) == true }
    }
}

extension ExportedLabels.PlacedLine {
    /// Creates the line with the fields of our exports: its number, its book, font and size.
    init(_ text: String, _ role: LineRole?, _ quad: Quad, _ fields: [String: JSONValue]) {
        (line, book) = (fields["line"]?.whole, fields["book"]?.whole)
        value = LabelledLine(
            text: text,
            role: role,
            quad: quad,
            font: fields["font"]?.text,
            size: fields["size"]?.number
        )
    }

    var isPlaced: Bool { value.quad != nil }
}

extension [LabelledLine]? {
    fileprivate mutating func append(_ line: LabelledLine) { self = (self ?? []) + [line] }
}
