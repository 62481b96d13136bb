import Foundation
import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Shelves")
struct ShelfTests {
    private let designer: SpineDesigner

    init() throws {
        designer = try SpineDesigner(typefaces: [Spines.typeface])
    }

    private func plans(_ count: Int, seed: UInt64 = 1, books: ClosedRange<Int> = 0...25) -> [ShelfPlan] {
        ShelfPlan.list(count, of: Book.all, SynthesisOptions(seed: seed, shelves: count, booksPerShelf: books))
    }

    @Test("eight shelves hold nothing, everything and much between, and begin any longer list")
    func plans() {
        #expect(plans(8).map(\.books.count) == [0, 1, 5, 8, 10, 15, 20, 25])
        #expect(Array(plans(11).prefix(8)) == plans(8))
        #expect(plans(8)[7].books.allSatisfy { $0.recipe.pose != .lying })
        #expect(Set(plans(8)[7].books.map(\.book)).count == 25)
        #expect(plans(8, books: 4...6).map(\.books.count) == [4, 4, 4, 5, 5, 5, 6, 6])
    }

    @Test("books stand from left to right on the board, within the frame, and no two in one place", arguments: [1, 2])
    func geometry(_ seed: UInt64) throws {
        for plan in plans(8, seed: seed) {
            let shelf = ShelfDesign(plan, designer)
            let books = shelf.books.map(\.spine)
            #expect(books.count == plan.books.count)
            let upright = books.filter { $0.turn.truncatingRemainder(dividingBy: .pi) == 0 }.map(\.corners.bounds)
            #expect(upright.allSatisfy { abs($0.bottom - shelf.floors[0]) < 1e-6 })
            #expect(zip(upright, upright.dropFirst()).allSatisfy { $1.x >= $0.right - 1 })
            for corner in books.flatMap(\.corners) {
                #expect(shelf.frame.contains(corner) && corner.y < shelf.floors[0] + 1)
            }
        }
    }

    @Test("some books lean, and some are piled flat")
    func stances() throws {
        let books = plans(16, books: 12...12).flatMap { ShelfDesign($0, designer).books.map(\.spine) }
        #expect(
            books.contains { $0.turn > 0.01 && $0.turn < 0.3 } && books.contains { $0.turn < -0.01 && $0.turn > -0.3 }
        )
        #expect(books.contains { $0.turn == -.pi / 2 })
        #expect(books.allSatisfy { ($0.design.pose == .lying) == ($0.turn == -.pi / 2) })
    }

    @Test("the labels of a shelf lie in its picture, each book's lines in its outline")
    func labels() throws {
        var design = ShelfDesign(ShelfPlan(books: Array(plans(4)[3].books.prefix(3)), seed: 5), designer)
        design.camera.scale = 0.25
        let (image, books) = try design.photograph()
        let whole = Box(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
        for (book, drawn) in zip(design.books, books) {
            let outline = drawn.quad.corners.bounds
            #expect(whole.contains(outline))
            #expect(drawn.lines.allSatisfy { outline.inset(by: -6).contains($0.quad.corners.bounds) })
            let (plan, spine) = (book.plan, book.spine.design)
            let label = ShelfBook(id: "a", plan, spine, design.camera, lines: drawn.lines, quad: drawn.quad)
            #expect(label.title == plan.book.title && label.orientation == spine.orientation)
            #expect(label.category == plan.recipe.category && label.lines?.count == drawn.lines.count)
        }
        #expect(try design.photograph().image == image)
    }

    @Test(
        "an outline begins at the picture's top left, however the book stands",
        arguments: [(0, 0), (0.2, 0), (-0.2, 0), (Double.pi, 2), (Double.pi - 0.2, 2), (-Double.pi / 2, 1)]
            as [(Double, Int)]
    )
    func outline(_ turn: Double, _ first: Int) {
        let design = Spines.plain("A", direction: .down)
        let book = PlacedSpine(design: design, centre: Point(x: 200, y: 200), turn: turn, scale: 0.5)
        #expect(book.outline.topLeft == book.corners[first])
        #expect(book.outline.topLeft.x < book.outline.topRight.x && book.outline.topLeft.y < book.outline.bottomLeft.y)
        #expect(abs(book.outline.corners.signedArea - 60 * 300 / 4) < 1e-6)
    }

    @Test("an empty shelf is a picture without books")
    func empty() throws {
        var design = ShelfDesign(ShelfPlan(books: [], seed: 3), designer)
        design.camera.scale = 0.25
        let (image, books) = try design.photograph()
        #expect(books.isEmpty && image.width > 400)
    }

    @Test(
        "many books take several boards, labelled board by board from the top",
        arguments: [(28, 2), (55, 3), (130, 5)]
    )
    func boards(_ count: Int, _ boards: Int) throws {
        let plan = plans(1, books: count...count)[0]
        // 27 at most.
        #expect(plan.boards.flatMap(\.self) == plan.books && plan.boards.count == boards)
        guard count == 28 else { return }
        var design = ShelfDesign(plan, designer)
        #expect(design.floors.count == 2)
        design.camera.scale = 0.2
        let middles = try design.photograph().books.map(\.quad.centre.y)
        #expect(try #require(middles.prefix(14).max()) < #require(middles.suffix(14).min()))
    }
}
