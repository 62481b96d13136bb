import Foundation
import Raster
import SpineDatasets

/// Everything that decides how one shelf looks: resolved, so that rendering it twice gives the same bytes.
///
/// Places are in the pixels of a flat picture of the shelf, seen straight on; the camera takes its view of that.
struct ShelfSpecification: Sendable, Equatable {
    /// A book and where it is.
    struct PlacedBook: Sendable, Equatable {
        var plan: SpinePlan
        /// As large as it stands on the shelf.
        var spine: SpineSpecification
        /// Of the spine's rectangle.
        var centre: Point
        /// Clockwise turn of the spine in radians, against a book that stands head up.
        var turn: Double
        /// Depth to which it was pushed in, 0 (at the edge of the board) … 1.
        var depth: Double

        /// The spine's corners clockwise from its head's left one, as it stands head up.
        var standingCorners: [Point] {
            let (half, tall) = (Double(spine.thickness) / 2, Double(spine.length) / 2)
            return [(-half, -tall), (half, -tall), (half, tall), (-half, tall)].map { onShelf(Point(x: $0.0, y: $0.1)) }
        }

        /// Where a point of the spine lies, given from its centre as the book stands head up.
        func onShelf(_ point: Point) -> Point {
            Point(
                x: centre.x + point.x * cos(turn) - point.y * sin(turn),
                y: centre.y + point.x * sin(turn) + point.y * cos(turn)
            )
        }
    }

    /// Thing that stands on a shelf beside books.
    struct Thing: Sendable, Equatable {
        enum Kind: String, Sendable, CaseIterable {
            /// A bent metal plate; stands beside the last book.
            case bookend
            case mug
            case card
        }

        var kind: Kind
        var box: Box
        var colour: Colour
    }

    enum Material: String, Sendable, CaseIterable {
        case wood, metal, painted
    }

    /// Of the flat picture.
    var width: Int
    var height: Int
    /// Where books stand: the upper edge of the board.
    var floor: Double
    /// The lower edge of the board's front.
    var boardBottom: Double
    /// The lower edge of the board above, whose front the picture may show; 0 when it is out of sight.
    var ceiling: Double
    var material: Material
    var board: Colour
    var back: Colour
    /// From left to right; those of a pile follow each other from top to bottom.
    var books: [PlacedBook]
    var things: [Thing]
    /// Frame of the photograph, clockwise from its top left.
    var frame: Quad
    var camera: CameraSpecification
    /// Seeds what has no parameters of its own: grain of wood, covers and sensor.
    var grainSeed: UInt64
}

/// One shelf to be drawn.
struct ShelfPlan: Sendable, Equatable {
    var books: [SpinePlan]
    var seed: UInt64

    /// Fullness of the shelves, in turn: from nothing to all that the options allow, and much between.
    private static let fullness = [0, 0.04, 0.2, 0.32, 0.4, 0.6, 0.8, 1]

    /// Frequency of each category: on shelves, most books stand head up.
    private static let categories: [SampleCategory] =
        Array(repeating: .vertical, count: 12) + Array(repeating: .stylized, count: 6)
        + [.inverted, .inverted, .mixed, .mixed, .horizontal]

    /// The first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// No book stands twice on one shelf as long as there are enough of them.
    ///
    /// `books`: At least one.
    /// `options`: The seed and the number of books on a shelf.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [ShelfPlan] {
        // Another sequence than that of the spines, which have the seed itself.
        var generator = SeededGenerator(seed: options.seed ^ 0x5348_454C_5645_5321)
        return (0..<max(0, count)).map { index in
            var own = generator.split()
            let range = options.booksPerShelf
            let fill = fullness[index % fullness.count] * Double(range.upperBound - range.lowerBound)
            var deck = BookDeck(books)
            let plans = (0..<range.lowerBound + Int(fill.rounded())).map { _ in
                let brief = standingBrief(&own)
                return SpinePlan(book: deck.draw(for: brief, &own), brief: brief, seed: own.next())
            }
            return ShelfPlan(books: plans, seed: own.next())
        }
    }

    /// A brief for a book that stands, whichever end up.
    private static func standingBrief(_ generator: inout SeededGenerator) -> SpineBrief {
        let category = generator.element(of: categories)
        while true {
            let brief = SpineBrief(category: category, ordinal: generator.integer(in: 0...999))
            if brief.pose != .lying { return brief }
        }
    }
}

extension Shelf {
    /// The label of a shelf that was drawn.
    init(id: String, image: String, specification: ShelfSpecification, shelf: RenderedShelf) {
        let books = zip(specification.books, shelf.books).enumerated().map { index, pair in
            let (placed, book) = pair
            let difficulty = placed.spine.difficulty.merging(book.difficulty) { $1 }
            return ShelfBook(
                id: "\(id)-\(index < 9 ? "0" : "")\(index + 1)",
                title: placed.plan.book.title,
                author: placed.plan.book.author(asPrintedIn: book.lines),
                transcription: book.lines.certainText,
                category: placed.plan.brief.category,
                orientation: placed.spine.orientation ?? .upright,
                quad: book.quad.rounded,
                lines: book.lines.map(LabelledLine.init),
                legible: !book.isTitleCovered && book.lines.isTitleReadable(difficulty),
                language: placed.plan.book.language.rawValue,
                style: placed.spine.style,
                difficulty: difficulty.mapValues(\.roundedForLabels)
            )
        }
        self.init(id: id, image: image, books: books)
    }
}
