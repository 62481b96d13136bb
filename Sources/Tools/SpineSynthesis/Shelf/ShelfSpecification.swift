import Foundation
import Imaging
import SpineDatasets

/// Everything that decides how one shelf looks: resolved, so that rendering it twice gives the same bytes.
///
/// Places are in the pixels of a flat picture of the shelf, seen straight on; the camera takes its view of that.
struct ShelfSpecification: Sendable, Equatable {
    var width: Int
    var height: Int
    /// Height of the board's upper edge, on which books are placed.
    var floor: Double
    var boardBottom: Double
    /// The lower edge of the board above, whose front the picture may show; 0 when it is out of sight.
    var ceiling: Double
    var material: ShelfMaterial
    var board: Colour
    var back: Colour
    /// Books from left to right, those of a pile from top to bottom, then those of a second row.
    var books: [PlacedBook]
    var things: [ShelfThing]
    /// Frame of the photograph, clockwise from its top left.
    var frame: Quad
    var camera: CameraSpecification
    var grainSeed: UInt64
}

struct PlacedBook: Sendable, Equatable {
    var plan: SpinePlan
    var spine: SpineSpecification
    var centre: Point
    /// Clockwise turn of the spine in radians, relative to an upright book.
    var turn: Double
    /// Depth to which it was pushed in, 0 (at the edge of the board) … 1.
    var depth: Double
    /// Lower edge of the visible part of a book in the second row, above the first row; nil in the first.
    var visibleBottom: Double?

    /// Corners of the spine, clockwise from the head's left one, as the book is placed head up.
    var standingCorners: [Point] {
        let (half, tall) = (Double(spine.thickness) / 2, Double(spine.length) / 2)
        return [(-half, -tall), (half, -tall), (half, tall), (-half, tall)].map { onShelf(Point(x: $0.0, y: $0.1)) }
    }

    /// Returns the shelf position of a point of the spine, given from its centre as the book is placed head up.
    func onShelf(_ point: Point) -> Point {
        Point(
            x: centre.x + point.x * cos(turn) - point.y * sin(turn),
            y: centre.y + point.x * sin(turn) + point.y * cos(turn)
        )
    }
}

struct ShelfThing: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// A bent metal plate beside the last book.
        case bookend
        case mug
        case card
        /// A library's tag, stuck on a spine.
        case tag
        case sign
    }

    var kind: Kind
    var box: Box
    var colour: Colour
    var text = ""
}

enum ShelfMaterial: String, Sendable, CaseIterable {
    case wood, metal, painted
}

/// Boards above one another, as one photo shows them.
struct ShelfCase: Sendable, Equatable {
    /// Boards from the top, all of equal width; their frame and camera are ignored.
    var boards: [ShelfSpecification]
    /// Frame of the photograph in their flat pictures below one another, clockwise from its top left.
    var frame: Quad
    var camera: CameraSpecification

    var books: [PlacedBook] { boards.flatMap(\.books) }
}

extension ShelfCase {
    init(_ board: ShelfSpecification) { self.init(boards: [board], frame: board.frame, camera: board.camera) }
}

struct ShelfPlan: Sendable, Equatable {
    var books: [SpinePlan]
    var behind: [SpinePlan] = []
    var seed: UInt64

    /// Maximum number of books on a board.
    private static let mostOnBoard = 27

    var boards: [ArraySlice<SpinePlan>] {
        let count = max(1, (books.count + Self.mostOnBoard - 1) / Self.mostOnBoard)
        return (0..<count).map { books[books.count * $0 / count..<books.count * ($0 + 1) / count] }
    }

    /// Fullness of the shelves, in turn.
    private static let fullness = [0, 0.04, 0.2, 0.32, 0.4, 0.6, 0.8, 1]

    /// On shelves, most books are placed head up.
    private static let categories: [SampleCategory] =
        Array(repeating: .vertical, count: 12) + Array(repeating: .stylized, count: 6)
        + [.inverted, .inverted, .mixed, .mixed, .horizontal]

    /// Returns the first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// No book appears twice on one shelf as long as there are enough of them.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [ShelfPlan] {
        // Another sequence than that of the spines, which have the seed itself.
        var generator = SeededGenerator(seed: options.seed ^ 0x5348_454C_5645_5321)
        return (0..<max(0, count)).map { index in
            var own = generator.split()
            let range = options.booksPerShelf
            let share = fullness[index % fullness.count]
            // Photos of very many books are rare.
            let most = range.upperBound > mostOnBoard ? share * share : share
            let fill = max(
                share > 0 && range.lowerBound == 0 ? 1 : 0,
                most * Double(range.upperBound - range.lowerBound)
            )
            var deck = BookSampler(books)
            func plan(_ count: Int) -> [SpinePlan] {
                (0..<count).map { _ in
                    let brief = standingBrief(&own)
                    return SpinePlan(book: deck.draw(for: brief, &own), brief: brief, seed: own.next())
                }
            }
            let books = plan(range.lowerBound + Int(fill.rounded()))
            let hasBehind = books.count >= 5 && own.chance(0.3)
            let behind = plan(hasBehind ? min(books.count, mostOnBoard) / 2 : 0)
            return ShelfPlan(books: books, behind: behind, seed: own.next())
        }
    }

    private static func standingBrief(_ generator: inout SeededGenerator) -> SpineRequest {
        let category = generator.element(of: categories)
        while true {
            let brief = SpineRequest(category: category, ordinal: generator.integer(in: 0...999))
            if brief.pose != .lying { return brief }
        }
    }
}

extension Shelf {
    init(id: String, image: String, specification: ShelfCase, shelf: RenderedShelf) {
        let books = zip(specification.books, shelf.books).enumerated().map { index, pair in
            let (placed, book) = pair
            let difficulty = placed.spine.difficulty.merging(book.difficulty) { $1 }
            var label = ShelfBook(
                title: placed.plan.book.title,
                quad: book.quad.rounded,
                legible: !book.isTitleCovered && book.lines.isTitleReadable(difficulty)
            )
            label.id = "\(id)-\(index < 9 ? "0" : "")\(index + 1)"
            label.author = placed.plan.book.author(asPrintedIn: book.lines)
            label.transcription = book.lines.certainText
            label.category = placed.plan.brief.category
            label.orientation = placed.spine.orientation ?? .upright
            label.lines = book.lines.map(LabelledLine.init)
            (label.language, label.style) = (placed.plan.book.language.rawValue, placed.spine.style)
            label.difficulty = difficulty.mapValues(\.roundedForLabels)
            return label
        }
        self.init(id: id, image: image, books: books)
    }
}
