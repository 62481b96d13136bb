import Imaging
import Testing

@testable import TextRecognition

private func line(_ text: String, _ confidence: Double, _ quad: Quad) -> ReadLine {
    ReadLine(quad: quad, recognition: LineRecognition(text: text, confidence: confidence))
}

private let left = box(0, 0, 40, 10)
private let right = box(50, 0, 40, 10)
private let whole = box(0, 0, 90, 10)
private let large = box(0, 0, 400, 80)
private let title = line("MOONDUST", 0.98, large)
private let author = [line("ANDREW", 0.99, box(190, 10, 15, 60)), line("SMITH", 0.99, box(220, 20, 15, 50))]
private let short = box(150, 0, 240, 80)
private let ulysses = line("ULYSSES", 0.95, box(0, 0, 100, 40))

@Suite struct LineMergerTests {
    /// The worth of a line is its characters × (confidence - 0.6).
    @Test(
        arguments: [
            // Lines that are apart all stay; a new place is taken only when it is more than a guess.
            ([line("ONE", 0.9, left)], [line("TWO", 0.9, right)], "ONE|TWO"),
            ([line("ONE", 0.9, left)], [line("TWO", 0.5, right)], "ONE"),
            ([], [line("TWO", 0.5, right)], ""), ([], [line("TWO", 0.7, right)], "TWO"),
            // A better reading replaces the first: 3 · 0.1 = 0.3 against 4 · 0.35 = 1.4.
            ([line("0NE", 0.7, left)], [line("ONES", 0.95, left)], "ONES"),
            ([line("ONE", 0.9, left)], [line("0NE", 0.9, left)], "ONE"),
            // 4 · 0.31 = 1.24 is less than 5 % above 4 · 0.3 = 1.2.
            ([line("ONES", 0.9, left)], [line("0NES", 0.91, left)], "ONES"),
            ([line("ONES", 0.9, left)], [line("0NES", 0.95, left)], "0NES"),
            // A doubtful line stays when the second is no better than a guess.
            ([line("0N", 0.3, left)], [line("IIIIIIII", 0.59, left)], "0N"),
            // 6 · 0.1 = 0.6 against 3 · 0.35 + 3 · 0.35 = 2.1; and the other way round.
            ([line("ONETWO", 0.7, whole)], [line("ONE", 0.95, left), line("TWO", 0.95, right)], "ONE|TWO"),
            ([line("0NE", 0.7, left), line("TW0", 0.7, right)], [line("ONE TWO", 0.95, whole)], "ONE TWO"),
            // A sure word is not lost to small ones in its box: 8 · 0.38 = 3.04 against 6 · 0.39 + 5 · 0.39 = 4.29.
            ([title], author, "ANDREW|SMITH|MOONDUST"), (author, [title], "ANDREW|SMITH|MOONDUST"),
            // A word of three letters has to be surer: 3 · 0.398 = 1.19 and 3 · 0.38 = 1.14, against 4.29.
            ([line("MOO", 0.998, short)], author, "ANDREW|SMITH|MOO"),
            ([line("MOO", 0.98, short)], author, "ANDREW|SMITH"),
            // The same word is there once.
            ([line("MOONDOST", 0.92, large)], [title], "MOONDUST"),
        ] as [([ReadLine], [ReadLine], String)]
    )
    func betterReadingsOfAPlaceStay(first: [ReadLine], second: [ReadLine], expected: String) {
        #expect(LineMerger().merge(first, second).map(\.text).joined(separator: "|") == expected)
    }

    @Test(arguments: [
        // 10 pixels high and 40 wide: 12 columns are three tenths.
        (left, box(28, 0, 40, 10), false), (left, box(27, 0, 40, 10), true), (left, box(0, 11, 40, 10), false),
        // A small line inside a large one.
        (box(0, 0, 400, 100), box(10, 10, 5, 5), true),
    ])
    func linesAreAtOnePlaceFromThreeTenthsOfTheSmaller(one: Quad, other: Quad, isSame: Bool) {
        #expect(LineMerger().isSamePlace(one, other) == isSame)
    }

    @Test(
        arguments: [
            ([line("Germinal", 0.95, large), line(":Germinal", 0.9, large)], ["Germinal"]),
            ([line("Os Cus", 0.9, left), line("ANTUNES Os Cus", 0.9, left)], ["ANTUNES Os Cus"]),
            ([line("ONE", 0.9, left), line("ONE", 0.9, left)], ["ONE"]),
            // A copy is at another place.
            ([line("ONE", 0.9, left), line("ONE", 0.9, right)], ["ONE", "ONE"]),
            // A small word inside a large one's box stays.
            ([ulysses, line("of", 0.9, box(40, 10, 10, 8))], ["ULYSSES", "of"]),
            ([ulysses, line("--", 0.9, box(40, 10, 10, 8))], ["ULYSSES", "--"]),
        ] as [([ReadLine], [String])]
    )
    func aLineThatIsReadTwiceAtAPlaceStaysOnce(lines: [ReadLine], expected: [String]) {
        #expect(LineMerger().distinct(lines).map(\.text) == expected)
    }
}
