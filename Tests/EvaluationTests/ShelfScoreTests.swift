import Imaging
import TestSupport
import Testing

@testable import Evaluation

/// Returns an upright outline from one column to another, 100 rows high.
private func outline(_ left: Double, _ right: Double) -> Quad {
    Quad(
        topLeft: Point(x: left, y: 0),
        topRight: Point(x: right, y: 0),
        bottomRight: Point(x: right, y: 100),
        bottomLeft: Point(x: left, y: 100)
    )
}

@Suite(.tags(.unit)) struct ShelfScoreTests {
    /// Returns books and spines as letters: a spine's name, "-" for none.
    private func score(_ books: String, _ spines: String) -> ShelfScore {
        let (titles, names) = (Array(books), Array(spines))
        return ShelfScore(
            books: titles.map { _ in nil },
            spines: names.indices.map { outline(Double(10 * $0), Double(10 * $0 + 10)) },
            isNamed: { names[$0] != "-" },
            isRight: { names[$1] == titles[$0] }
        )
    }

    @Test(
        arguments: [
            ("ABC", "ABC", 3, 3, 0), ("ABC", "A-C", 2, 2, 0), ("ABC", "AXC", 3, 2, 0), ("", "", 0, 0, 0),
            ("ABC", "", 0, 0, 0), ("", "A", 1, 0, 0),
            // One of three has to be moved; of ABCDE as EABCD, one; as DEABC, two.
            ("ABC", "ACB", 3, 3, 1), ("ABCDE", "EABCD", 5, 5, 1), ("ABCDE", "DEABC", 5, 5, 2),
            // Two copies, and one that is found twice.
            ("AA", "AA", 2, 2, 0), ("AB", "AAB", 3, 2, 0),
        ] as [(String, String, Int, Int, Int)]
    )
    func namesAreCounted(books: String, spines: String, named: Int, right: Int, moved: Int) {
        let found = score(books, spines)
        #expect([found.books.count, found.spines.count] == [books.count, spines.count])
        #expect(found.spines.count { $0.outcome != .unnamed } == named)
        #expect([found.books.count { $0.isNamed == true }, found.moved] == [right, moved])
        #expect(found.spines.count { $0.outcome == .right } == right)
    }

    @Test func asManyBooksAsPossibleHaveASpine() {
        // The first book may be either spine, the second only the first.
        let found = ShelfScore(
            books: [nil, nil],
            spines: [outline(0, 10), outline(10, 20)],
            isNamed: { _ in true },
            isRight: { book, spine in book == 0 || spine == 0 }
        )
        #expect(found.books.allSatisfy { $0.isNamed == true } && found.moved == 1)
    }

    @Test func mergedSpinesSliversAndOverlaps() {
        let found = ShelfScore(
            books: [outline(0, 20), outline(20, 40), outline(40, 60)],
            // The first two as one; the third cut into a piece of 5 and one of 15 columns.
            spines: [outline(0, 40), outline(40, 45), outline(45, 60)],
            isNamed: { _ in false },
            isRight: { _, _ in false }
        )
        #expect(found.spines.map(\.isMerged) == [true, false, false])
        // The larger one of the third book's pieces counts.
        #expect(found.spines.map(\.isSliver) == [false, true, false])
        #expect(found.books.map(\.overlap) == [0.5, 0.5, 0.75])
        #expect(found.books.map(\.isSplit) == [false, false, true])
    }

    @Test func aNameCountsAtItsPlaceAlone() {
        // The names of two separate books are on each other's spines.
        let places = [outline(0, 20), outline(80, 100)]
        let found = ShelfScore(
            books: places,
            spines: places,
            isNamed: { _ in true },
            isRight: { $0 != $1 },
            isRead: { $0 != $1 }
        )
        #expect(found.books.allSatisfy { $0.isNamed == false && !$0.isRead })
        #expect(found.spines.allSatisfy { $0.outcome == .wrong })
    }

    @Test func aNeighboursRightNameIsNoFalseMatchAndAnyNameCountsForNothingWhereNobodyCanRead() {
        // One spine over two books: it has the right name of the first; the catalogue lacks the second; the third is
        // illegible.
        let found = ShelfScore(
            books: [outline(0, 20), outline(20, 30), outline(30, 50)],
            counts: { $0 != 2 },
            isCatalogued: { $0 == 0 },
            spines: [outline(0, 30), outline(30, 50)],
            isNamed: { _ in true },
            isRight: { $0 == 0 && $1 == 0 }
        )
        #expect(found.spines.map(\.outcome) == [.right, .uncounted])
        #expect(found.books.map(\.hasFalseName) == [nil, false])
    }

    @Test func whatNobodyCanReadCountsForNothing() {
        let found = ShelfScore(
            books: [outline(0, 20), outline(20, 40), outline(40, 60)],
            counts: { $0 != 0 },
            isCatalogued: { $0 != 2 },
            spines: [outline(0, 20), outline(20, 40), outline(40, 60)],
            isNamed: { _ in true },
            isRight: { $0 == $1 },
            isRead: { $0 == $1 }
        )
        #expect(found.labelled == 3 && found.books.map(\.number) == [1, 2])
        #expect(found.books.map(\.isNamed) == [true, nil] && found.books.allSatisfy(\.isRead))
        // The catalogue lacks the third: no name can be its own.
        #expect(found.spines.map(\.outcome) == [.uncounted, .right, .falseMatch])
        #expect(found.books.map(\.hasFalseName) == [nil, true])
    }
}
