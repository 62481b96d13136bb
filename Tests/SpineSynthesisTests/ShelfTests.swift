import Foundation
import Raster
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Shelves")
struct ShelfTests {
    private let designer: ShelfDesigner

    init() throws {
        designer = ShelfDesigner(press: try SpinePress(typefaces: [Spines.typeface]))
    }

    private func plans(_ count: Int, seed: UInt64 = 1) -> [ShelfPlan] {
        ShelfPlan.list(count, of: Book.all, SynthesisOptions(seed: seed, spines: 0, shelves: count))
    }

    @Test("eight shelves hold nothing, everything and much between, and begin any longer list")
    func plans() {
        #expect(plans(8).map(\.books.count) == [0, 1, 5, 8, 10, 15, 20, 25])
        #expect(Array(plans(11).prefix(8)) == plans(8))
        #expect(plans(8)[7].books.allSatisfy { $0.brief.pose != .lying })
        #expect(Set(plans(8)[7].books.map(\.book)).count == 25)
        let some = ShelfPlan.list(8, of: Book.all, SynthesisOptions(shelves: 8, booksPerShelf: 4...6))
        #expect(some.map(\.books.count) == [4, 4, 4, 5, 5, 5, 6, 6])
    }

    @Test("books stand from left to right on the board, within the frame, and no two in one place", arguments: 1...12)
    func geometry(_ seed: UInt64) throws {
        for plan in plans(8, seed: seed) {
            let shelf = try designer.design(plan)
            #expect(shelf.books.count == plan.books.count)
            let upright = shelf.books.filter(\.isUpright)
            for book in upright {
                let bottom = book.standingCorners.map(\.y).max() ?? 0
                #expect(abs(bottom - shelf.floor) < 1e-6)
            }
            for (left, right) in zip(upright, upright.dropFirst()) {
                let end = left.standingCorners.map(\.x).max() ?? 0
                #expect((right.standingCorners.map(\.x).min() ?? 0) >= end - 1)
            }
            let (xs, ys) = (shelf.frame.corners.map(\.x).sorted(), shelf.frame.corners.map(\.y).sorted())
            for corner in shelf.books.flatMap(\.standingCorners) {
                #expect(corner.x > xs[1] && corner.x < xs[2] && corner.y > ys[1] && corner.y < ys[2])
                #expect(corner.y < shelf.floor + 1)
            }
            for thickness in shelf.books.map(\.spine.thickness) { #expect((20...300).contains(thickness)) }
        }
    }

    @Test("the labels of a shelf lie in its picture, each book's lines in its outline")
    func labels() throws {
        let plan = ShelfPlan(books: Array(plans(4)[3].books.prefix(3)), seed: 5)
        let specification = try designer.design(plan)
        let rendered = try ShelfRenderer().render(specification)
        let label = Shelf(id: "shelf-1", image: "x.jpg", specification: specification, shelf: rendered)
        #expect(label.books.map(\.id) == ["shelf-1-01", "shelf-1-02", "shelf-1-03"])
        for book in label.books {
            let outline = try #require(book.quad)
            let (xs, ys) = (outline.corners.map(\.x), outline.corners.map(\.y))
            for point in outline.corners {
                #expect((0...Double(rendered.image.width)).contains(point.x))
                #expect((0...Double(rendered.image.height)).contains(point.y))
            }
            for point in (book.lines ?? []).compactMap(\.quad).flatMap(\.corners) {
                #expect(point.x > (xs.min() ?? 0) - 6 && point.x < (xs.max() ?? 0) + 6)
                #expect(point.y > (ys.min() ?? 0) - 6 && point.y < (ys.max() ?? 0) + 6)
            }
            #expect(book.title != nil && book.category != nil && book.orientation != nil)
        }
    }

    @Test("a title behind something is not legible, and its line is not labelled")
    func covered() throws {
        let plan = ShelfPlan(books: [plans(2)[1].books[0]], seed: 5)
        var specification = try designer.design(plan)
        specification.things = []
        let free = try ShelfRenderer().render(specification)
        #expect(!free.books[0].isTitleCovered)
        let everything = Box(x: 0, y: 0, width: Double(specification.width), height: Double(specification.height))
        specification.things = [ShelfSpecification.Thing(kind: .card, box: everything, colour: .white)]
        let hidden = try ShelfRenderer().render(specification)
        #expect(hidden.books[0].isTitleCovered && hidden.books[0].lines.isEmpty)
        let label = Shelf(id: "s", image: "s.jpg", specification: specification, shelf: hidden)
        #expect(!label.books[0].legible && label.books[0].transcription?.isEmpty == true)
    }

    @Test(
        "an outline begins at the picture's top left, however the book stands",
        arguments: [(0, 0), (0.2, 0), (-0.2, 0), (Double.pi, 2), (Double.pi - 0.2, 2), (-Double.pi / 2, 1)]
            as [(Double, Int)]
    )
    func outline(_ turn: Double, _ first: Int) throws {
        var book = try #require(try designer.design(plans(2)[1]).books.first)
        book.turn = turn
        #expect(book.outline.topLeft == book.standingCorners[first])
        let centre = book.centre
        #expect(book.outline.topLeft.x < centre.x && book.outline.topLeft.y < centre.y)
        #expect(book.outline.bottomRight.x > centre.x && book.outline.bottomRight.y > centre.y)
    }

    @Test("an empty shelf is a picture without books")
    func empty() throws {
        let specification = try designer.design(ShelfPlan(books: [], seed: 3))
        #expect(specification.books.isEmpty)
        #expect(specification.things.allSatisfy { $0.kind != .mug && $0.kind != .card })
        #expect(try ShelfRenderer().render(specification).image.width > 1_500)
    }
}
