import BookCatalogue
package import CaptureReading
import Foundation
package import Imaging
import ScanningPipeline
package import TextRecognition
package import VisualSearch

/// Reader of one picture: codes, text, books and things.
///
/// Frames of a camera go another way: ``LiveLook``.
package struct IntelligenceProcessor: Sendable {
    /// Search that reads text and names books; nil without an engine: then codes alone are found.
    package var search: EntitySearch?
    /// Namer of things; nil without the network: then none is named.
    package var things: ThingNamer?

    package init(search: EntitySearch?, things: ThingNamer? = nil) { (self.search, self.things) = (search, things) }

    package func process(_ image: RasterImage) throws -> SceneReading {
        var scene = SceneReading(width: image.width, height: image.height)
        scene.codes = CodeFinder.codes(in: image)
        if let search { try read(image, search, into: &scene) }
        // Each book of a shelf is a subject.
        guard !scene.isShelf else { return scene }
        try sift(image, into: &scene)
        return scene
    }

    /// Finds the subject, names it, and looks for it again where its name says that it is.
    private func sift(_ image: RasterImage, into scene: inout SceneReading) throws {
        let page = PageFinder.page(in: image)
        scene.rectified = page?.rectified(image)
        let small = image.fitted(to: Self.cutOutSide)
        (scene.subject, scene.thing) = try ThingNamer.sift(small, things)
        if scene.subject == nil, let page, page.holds(mostOf: scene.lines.map(\.quad)) {
            // One that reaches the border has its colours there, as its ground has.
            let scale = Double(small.width) / Double(image.width)
            scene.subject = page.subject(scale: scale, width: small.width, height: small.height)
        }
        scene.cutOut = try scene.subject?.cutOut(of: small)
    }

    /// Pixels of the long side at which a subject is cut out.
    static let cutOutSide = 1_024

    private func read(_ image: RasterImage, _ search: EntitySearch, into scene: inout SceneReading) throws {
        let found = try search.find(ContentDescriptor(labels: [], picture: .pixels(image))).found
        scene.lines = (found.reading?.lines ?? []).filter { line in !scene.codes.contains { $0.covers(line.quad) } }
        if found.reading?.kind == .shelf { scene.spines = found.reading?.spines ?? [] }
        // An author's other works are not needed here: the books are visible ones, not a catalogue's.
        let seen = found.results.compactMap { if case .book(let book) = $0, book.place != nil { book } else { nil } }
        for book in scene.spines.isEmpty ? seen : scene.spines.compactMap(\.book)
        where !scene.books.contains(where: { $0.id == book.id }) {
            scene.books.append(book)
        }
        scene.isShelf = scene.books.count > 1 || Self.standsInColours(scene.spines, on: image)
    }
}

extension IntelligenceProcessor {
    /// Number of spines side by side from which a photo is one of a shelf.
    private static let leastSpines = 3
    /// Mean difference of neighbours' colours on a shelf, of 442 between black and white.
    ///
    /// On 24 pages turned by a quarter it is 3 to 8, on 6 shelves 52 to 160.
    private static let leastDifference = 16.0

    /// Returns whether spines stand side by side in different colours: paragraphs of a turned page have one ground.
    private static func standsInColours(_ spines: [SeenSpine], on image: RasterImage) -> Bool {
        let standing = spines.compactMap(\.place.outline).filter { $0.thickness > $0.length }
        guard standing.count >= leastSpines else { return false }
        let colours = standing.compactMap { image.cropped(to: $0, width: 16, height: 64)?.rgb().meanColour }
        let differences = zip(colours, colours.dropFirst()).map { one, other in
            zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        }
        return differences.reduce(0, +) >= leastDifference * Double(max(1, differences.count))
    }
}

extension RasterImage {
    /// Means of the channels, 0…255.
    fileprivate var meanColour: [Double] {
        (0..<channels).map { channel in
            let values = stride(from: channel, to: pixels.count, by: channels).map { Double(pixels[$0]) }
            return values.reduce(0, +) / Double(max(1, values.count))
        }
    }
}

package struct SceneReading: Sendable {
    package var width: Int
    package var height: Int
    /// Codes, from the top left on.
    package var codes: [FoundCode] = []
    /// Text in reading order.
    package var lines: [RecognizedLine] = []
    /// Books that were seen and named, in their order, each once.
    package var books: [BookEntity] = []
    /// Spines of a photo that was read as one of shelves, named or not, in their order.
    package var spines: [SeenSpine] = []
    /// A page, cover or card, from straight above; nil for none.
    package var rectified: RasterImage?
    /// Foreground subject, on a reduced copy of the picture; nil when there is none.
    package var subject: SiftedSubject?
    /// What the picture shows; nil without the network, and of shelves.
    package var thing: ThingNamer.SeenThing?
    /// The subject without its background: a PNG file with alpha; nil when there is none.
    var cutOut: [UInt8]?

    /// Whether it shows a shelf: by its spines, whatever the catalogue has of them.
    package var isShelf = false

    /// Transcription: the text of lines with enough confidence.
    package var transcription: String { credible.map(\.text).joined(separator: "\n") }

    var credible: [RecognizedLine] { lines.filter { ($0.probability ?? $0.confidence) >= Self.legibleFrom } }

    /// Lines below this confidence are noise more often than text.
    static let legibleFrom = 0.3
    /// Whether it is a picture of text, as a receipt, whose letters are 30 or more; a mug or a street sign has fewer.
    var hasMuchText: Bool { credible.letterCount >= 30 }
}

extension SceneReading {
    /// Labels of what is visible with their confidences, 0 to 1.
    ///
    /// A shelf is as sure as its two surest books are together, a book as its name, and texts as their lines. A code has been
    /// read with its check sums, and a shelf without names seen by its spines: 36 of 36 and 8 of 8 right on captures-1, by the
    /// rule of succession.
    var labels: [String: Double] {
        let scene = SceneLabel(self)
        let books = books.compactMap(\.confidence).sorted(by: >)
        let lines = credible.filter { $0.text.count > 2 }.map { $0.probability ?? $0.confidence }
        let mean = lines.reduce(0, +) / Double(max(1, lines.count))
        var labels: [String: Double] = [:]
        switch scene {
        case .bookshelf: labels[scene.rawValue] = books.count > 1 ? books[0] * books[1] : 9.0 / 10
        case .book: labels[scene.rawValue] = books.first ?? mean
        case .code: labels[scene.rawValue] = 37.0 / 38
        case .page: labels[scene.rawValue] = mean
        case .text: labels[scene.rawValue] = 1 - lines.reduce(1) { $0 * (1 - $1) }
        case .unknown: break
        }
        // What a network sees in the layout of a code or of much text, is the layout.
        if scene == .unknown || scene == .text && !hasMuchText, let thing = thing?.label {
            labels[thing.name] = thing.confidence
        }
        return labels
    }
}

/// Label of a picture's content from a small vocabulary; unknown without evidence.
package enum SceneLabel: String, Sendable, Codable, CaseIterable {
    case bookshelf
    case book
    case code
    case page
    case text
    case unknown

    /// Creates the label by the evidence.
    ///
    /// Spines side by side and named books take precedence over codes, and codes over text: a picture as narrow as a spine with its text
    /// along it shows a book without a match; a page has at least twelve lines, most of them upright and of one
    /// direction; fewer lines are text of any kind.
    init(_ scene: SceneReading) {
        if scene.isShelf {
            self = .bookshelf
        } else if scene.books.count == 1 {
            self = .book
        } else if !scene.codes.isEmpty {
            self = .code
        } else {
            let lines = scene.credible
            let upright = lines.filter { $0.quad.isUpright }
            let isTall = scene.height > scene.width
            let along = lines.filter { isTall ? $0.quad.isSideways : $0.quad.isUpright }
            let isNarrow = max(scene.width, scene.height) * 2 >= min(scene.width, scene.height) * Self.narrow
            if isNarrow, along.letterCount >= 4, along.letterCount * 2 > lines.letterCount {
                self = .book
            } else if upright.count >= 12, upright.count * 4 >= lines.count * 3 {
                self = .page
            } else {
                self = lines.contains { $0.text.count > 2 } ? .text : .unknown
            }
        }
    }

    /// Twice the least ratio of a spine's sides: 2.5, which a page (1.4) and a receipt with its text across do not
    /// show.
    private static let narrow = 5
}

extension Quad {
    /// Whether text along it runs up or down, within an eighth of a half turn.
    fileprivate var isSideways: Bool {
        abs(abs(atan2(topRight.y - topLeft.y, topRight.x - topLeft.x)) - .pi / 2) < .pi / 8
    }

    /// Whether text along it runs from left to right, within an eighth of a half turn.
    fileprivate var isUpright: Bool { abs(atan2(topRight.y - topLeft.y, topRight.x - topLeft.x)) < .pi / 8 }
}
