import Foundation
import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Shelves")
struct ShelfTests {
    private let designer: ShelfDesigner

    init() throws {
        designer = ShelfDesigner(press: try SpineBatchRenderer(typefaces: [Spines.typeface]))
    }

    private func plans(_ count: Int, seed: UInt64 = 1) -> [ShelfPlan] {
        ShelfPlan.list(count, of: Book.all, SynthesisOptions(seed: seed, spines: 0, shelves: count))
    }

    /// Returns a shelf photographed from afar, as the pixels of a photo take most of the time.
    private func small(_ plan: ShelfPlan) throws -> ShelfSpecification {
        var specification = try designer.design(plan)
        specification.camera.scale = 0.25
        return specification
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

    @Test("books stand from left to right on the board, within the frame, and no two in one place", arguments: [1, 2])
    func geometry(_ seed: UInt64) throws {
        for plan in plans(8, seed: seed) {
            let shelf = try designer.design(plan)
            let front = shelf.books.filter { $0.visibleBottom == nil }
            #expect(front.count == plan.books.count)
            let upright = front.filter(\.isUpright)
            for book in upright {
                let bottom = book.standingCorners.map(\.y).max() ?? 0
                #expect(abs(bottom - shelf.floor) < 1e-6)
            }
            for (left, right) in zip(upright, upright.dropFirst()) {
                let end = left.standingCorners.map(\.x).max() ?? 0
                #expect((right.standingCorners.map(\.x).min() ?? 0) >= end - 1)
            }
            let (xs, ys) = (shelf.frame.corners.map(\.x).sorted(), shelf.frame.corners.map(\.y).sorted())
            for corner in front.flatMap(\.standingCorners) {
                #expect(corner.x > xs[1] && corner.x < xs[2] && corner.y > ys[1] && corner.y < ys[2])
                #expect(corner.y < shelf.floor + 1)
            }
            for thickness in shelf.books.map(\.spine.thickness) { #expect((20...300).contains(thickness)) }
        }
    }

    @Test("the labels of a shelf lie in its picture, each book's lines in its outline")
    func labels() throws {
        let plan = ShelfPlan(books: Array(plans(4)[3].books.prefix(3)), seed: 5)
        let specification = try small(plan)
        let rendered = try ShelfRenderer().render(ShelfCase(specification))
        let label = Shelf(id: "shelf-1", image: "x.jpg", specification: ShelfCase(specification), shelf: rendered)
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
        var specification = try small(plan)
        specification.things = []
        let free = try ShelfRenderer().render(ShelfCase(specification))
        #expect(!free.books[0].isTitleCovered)
        let everything = Box(x: 0, y: 0, width: Double(specification.width), height: Double(specification.height))
        specification.things = [ShelfThing(kind: .card, box: everything, colour: .white)]
        let hidden = try ShelfRenderer().render(ShelfCase(specification))
        #expect(hidden.books[0].isTitleCovered && hidden.books[0].lines.isEmpty)
        let label = Shelf(id: "s", image: "s.jpg", specification: ShelfCase(specification), shelf: hidden)
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
        #expect(book.outline.topLeft.x < book.outline.topRight.x)
        #expect(book.outline.topLeft.y < book.outline.bottomLeft.y)
    }

    @Test("an empty shelf is a picture without books")
    func empty() throws {
        let specification = try small(ShelfPlan(books: [], seed: 3))
        #expect(specification.books.isEmpty)
        #expect(specification.things.allSatisfy { $0.kind != .mug && $0.kind != .card })
        #expect(try ShelfRenderer().render(ShelfCase(specification)).image.width > 400)
    }

    @Test("many books take several boards, labelled board by board from the top", arguments: [28, 55, 130])
    func boards(_ count: Int) throws {
        let books = ShelfPlan.list(1, of: Book.all, SynthesisOptions(shelves: 1, booksPerShelf: count...count))[0]
        #expect(books.boards.flatMap(\.self) == books.books)
        // 27 at most: 28 make two boards, 55 three, 130 five.
        #expect(books.boards.count == [28: 2, 55: 3, 130: 5][count])
        guard count == 28 else { return }
        var shelf = try designer.designCase(ShelfPlan(books: books.books, seed: 5))
        #expect(shelf.boards.map(\.books.count) == [14, 14] && Set(shelf.boards.map(\.width)).count == 1)
        shelf.camera.scale = 0.2
        let rendered = try ShelfRenderer().render(shelf)
        let middles = rendered.books.map(\.quad.centre.y)
        let (first, second) = (middles.prefix(14), middles.suffix(14))
        #expect(try #require(first.max()) < #require(second.min()))
        #expect(try ShelfRenderer().render(shelf) == rendered)
    }

    @Test("a second row is labelled by what is seen of it above the first")
    func secondRow() throws {
        let all = ShelfPlan.list(4, of: Book.all, SynthesisOptions(shelves: 4, booksPerShelf: 8...8))[3].books
        let plan = ShelfPlan(books: Array(all.prefix(5)), behind: Array(all.suffix(3)), seed: 5)
        let specification = try small(plan)
        let behind = specification.books.filter { $0.visibleBottom != nil }
        #expect(!behind.isEmpty && specification.books.suffix(behind.count).allSatisfy { $0.visibleBottom != nil })
        for book in behind {
            let bottom = try #require(book.visibleBottom)
            #expect(book.outline.corners.allSatisfy { $0.y <= bottom } && bottom < specification.floor)
            for other in specification.books where other.visibleBottom == nil {
                let (xs, own) = (other.standingCorners.map(\.x), book.outline.corners.map(\.x))
                guard try #require(xs.max()) > #require(own.min()), try #require(xs.min()) < #require(own.max()) else {
                    continue
                }
                #expect(try #require(other.standingCorners.map(\.y).min()) >= bottom)
            }
        }
        let rendered = try ShelfRenderer().render(ShelfCase(specification))
        // Text below the first row's tops is not labelled as read.
        for (book, placed) in zip(rendered.books, specification.books) where placed.visibleBottom != nil {
            let low = try #require(book.quad.corners.map(\.y).max())
            #expect(book.lines.flatMap(\.quad.corners).allSatisfy { $0.y <= low + 2 })
        }
    }

    @Test("a tag over a title hides it")
    func tags() throws {
        let plan = ShelfPlan(books: [plans(2)[1].books[0]], seed: 5)
        var specification = try small(plan)
        let title = try #require(
            ShelfRenderer().render(ShelfCase(specification)).books.first?.lines.first { $0.role == .title }
        )
        #expect(!title.text.isEmpty)
        let book = try #require(specification.books.first)
        let box = Box(
            x: book.centre.x - Double(book.spine.thickness) / 2,
            y: book.centre.y - Double(book.spine.length) / 2,
            width: Double(book.spine.thickness),
            height: Double(book.spine.length)
        )
        specification.things = [ShelfThing(kind: .tag, box: box, colour: .white, text: "796.3")]
        #expect(try ShelfRenderer().render(ShelfCase(specification)).books[0].isTitleCovered)
    }
}
