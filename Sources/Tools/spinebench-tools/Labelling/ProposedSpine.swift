import Basics
import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import SpineDatasets
import TextRecognition

/// A spine as the reader proposes it: nothing of it is a label before a person confirms it.
struct ProposedSpine: Codable, Sendable, Equatable {
    /// In the photo's pixels; corners clockwise from the photo's top left.
    var outline: Quad
    var title: String?
    var author: String?
    /// Lines as read, in reading order, without those of fewer than two letters or digits.
    var lines: [String] = []
    /// Places among the lines of the title and of the author.
    var titleLines: [Int] = []
    var authorLines: [Int] = []
    /// Titles of the catalogue that the text may be of, the likeliest first.
    var candidates: [String] = []
    var orientation: SampleOrientation
    var category: SampleCategory
}

extension ProposedSpine {
    /// Creates the proposal of an outline without its text: what a blind labeller sees.
    init(blank outline: Quad) {
        let isTall = outline.thickness > outline.length
        self.init(
            outline: outline,
            orientation: isTall ? .clockwise : .upright,
            category: isTall ? .vertical : .horizontal
        )
    }

    /// Creates the proposal of a reading and of the book that it names.
    init(_ outline: Quad, _ reading: SpineReading, _ named: NamedText) {
        self.init(blank: outline)
        let printed = reading.lines.filter {
            $0.text.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil } > 1
        }
        lines = printed.map { PlainText.trimmed($0.text) }
        for title in named.candidates.map({ Self.mainTitle($0.book.title) })
        where candidates.count < 3 && !candidates.contains(title) { candidates.append(title) }
        if let found = reading.orientation.flatMap({ SampleOrientation(rawValue: $0.rawValue) }) {
            orientation = found
            category =
                switch found {
                case .upright: .horizontal
                case .inverted: .inverted
                case .clockwise, .counterclockwise: .vertical
                }
        }
        if let book = named.naming.answer?.book {
            propose(book)
        } else {
            propose(Self.blocks(printed), known: named.candidates.flatMap(\.book.authors))
        }
    }

    /// Returns a listed title without its subtitle, which few spines have.
    private static func mainTitle(_ title: String) -> String {
        title.split(separator: ":").first.map { PlainText.trimmed(String($0)) } ?? title
    }

    private mutating func propose(_ book: BookRecord) {
        // Few spines have the subtitle.
        let found = [Self.mainTitle(book.title), book.title].map { (title: $0, place: lines(of: $0)) }
        let best = found.max { $0.place?.share ?? 0 < $1.place?.share ?? 0 } ?? found[0]
        (title, titleLines) = (best.title, best.place.map { Array($0.range) } ?? [])
        if titleLines.isEmpty, split(best.title, book.authors) { return }
        for name in book.authors {
            if let place = lines(of: name), !titleLines.contains(where: place.range.contains) {
                (author, authorLines) = (lines[place.range].joined(separator: " "), Array(place.range))
                return
            }
            if let line = lines.indices.first(where: {
                Self.has(lines[$0], surnameOf: name) && !titleLines.contains($0)
            }) {
                (author, authorLines) = (lines[line], [line])
                return
            }
        }
    }

    /// Proposes title and author of a line that has both; false without such a line.
    private mutating func split(_ title: String, _ authors: [String]) -> Bool {
        let wanted = FoldedText(title).joined
        for (line, text) in lines.enumerated() {
            let words = text.split(separator: " ").map(String.init)
            for first in words.indices {
                for last in first..<words.count where FoldedText(words[first...last].joined()).joined == wanted {
                    let rest = (words[..<first] + words[(last + 1)...]).joined(separator: " ")
                    titleLines = [line]
                    if authors.contains(where: { Self.has(rest, surnameOf: $0) }) { author = rest }
                    return author != nil
                }
            }
        }
        return false
    }

    private static func has(_ text: String, surnameOf name: String) -> Bool {
        FoldedText.words(of: name).last.map { FoldedText.words(of: text).contains($0) } ?? false
    }

    /// Proposes the block with the most ink as the title, and of the others that look like a name the one with the most
    /// as the author; a block that is a `known` author, of books that the text may be of, is the author.
    private mutating func propose(_ blocks: [Block], known: [String]) {
        let names = blocks.filter { $0.letters > 2 }.sorted { $0.area > $1.area }
        let author = names.first { block in
            known.contains { TextSimilarity.normalized(text(block), $0) >= Self.leastShare }
        }
        guard let most = names.first(where: { $0.lines != author?.lines }) ?? author else { return }
        (title, titleLines) = (text(most), most.lines)
        let others = names.filter { $0.lines != most.lines }
        let name =
            others.first { $0.lines == author?.lines }
            ?? others.first { block in
                let text = text(block)
                return !text.contains(where: \.isNumber) && text.split(separator: " ").count <= 4
            }
        if let name { (self.author, authorLines) = (text(name), name.lines) }
    }

    private func text(_ block: Block) -> String { block.lines.map { lines[$0] }.joined(separator: " ") }

    /// Lines of one text: the rows of a title, the two names of an author.
    private struct Block {
        var lines: [Int]
        var letters: Int
        /// Area of the lines in square pixels, weighted by their confidence.
        var area: Double
    }

    /// Returns blocks of neighbouring lines that are stacked.
    private static func blocks(_ lines: [RecognizedLine]) -> [Block] {
        var blocks: [Block] = []
        for (place, line) in lines.enumerated() {
            let letters = line.text.count(where: \.isLetter)
            let area = line.quad.length * line.quad.thickness * line.confidence
            if place > 0, line.quad.isStacked(on: lines[place - 1].quad), var last = blocks.popLast() {
                last.lines.append(place)
                (last.letters, last.area) = (last.letters + letters, last.area + area)
                blocks.append(last)
            } else {
                blocks.append(Block(lines: [place], letters: letters, area: area))
            }
        }
        return blocks
    }

    private static let leastShare = 0.7

    /// Returns the neighbouring lines that resemble a text most; nil when none do.
    private func lines(of text: String) -> (range: ClosedRange<Int>, share: Double)? {
        var best: (range: ClosedRange<Int>, share: Double)?
        for first in lines.indices {
            for last in first..<min(first + 6, lines.count) {
                let share = TextSimilarity.normalized(lines[first...last].joined(separator: " "), text)
                if share >= Self.leastShare, share > best?.share ?? 0 { best = (first...last, share) }
            }
        }
        return best
    }
}

/// The reader's proposals for a photo, stored so that each photo is read once.
struct PhotoProposal: Codable, Sendable {
    var photo: String
    /// SHA-256 of the file.
    var digest: String
    /// Variant that read it.
    var reader: String
    var width = 0
    var height = 0
    /// Whether the photo is of one spine, which is its only outline.
    var isOneSpine = false
    var spines: [ProposedSpine] = []
    /// Reason why the photo cannot be labelled, after its name.
    var error: String?

    init(photo: String, digest: String = "", reader: String) {
        (self.photo, self.digest, self.reader) = (photo, digest, reader)
    }

    /// Name of the photo in ids and files of the dataset, with the file's digest: photos of different names may have one
    /// stem.
    var name: String { "\(LabelPhoto.stem(photo))-\(digest.prefix(8))" }

    /// Returns what is wrong with an outline on the photo, and the remedy; nil for a valid one.
    func fault(of outline: Quad) -> String? {
        let isInside = outline.corners.stray(outside: width, height) == nil
        return isInside && Homography(width: 1, height: 1, to: outline) != nil
            ? nil : "the outline is outside the photo, or not convex; draw its corners again"
    }
}

extension Quad {
    /// Whether a line of text is a row below or above another one, in letters of a similar size.
    fileprivate func isStacked(on other: Quad) -> Bool {
        let step = (topRight.x - topLeft.x, topRight.y - topLeft.y)
        let size = (step.0 * step.0 + step.1 * step.1).squareRoot()
        guard size > 0 else { return false }
        let (x, y) = (step.0 / size, step.1 / size)
        func range(_ place: (Point) -> Double, _ quad: Quad) -> (low: Double, high: Double) {
            let places = quad.corners.map(place)
            return (places.min() ?? 0, places.max() ?? 0)
        }
        func common(_ place: (Point) -> Double) -> (length: Double, ofShorter: Double) {
            let (a, b) = (range(place, self), range(place, other))
            return (min(a.high, b.high) - max(a.low, b.low), min(a.high - a.low, b.high - b.low))
        }
        let (along, across) = (common { $0.x * x + $0.y * y }, common { $0.y * x - $0.x * y })
        let (small, large) = (min(thickness, other.thickness), max(thickness, other.thickness))
        return along.length >= 0.5 * along.ofShorter && small > 0.6 * large && -across.length < 0.7 * small
    }
}
