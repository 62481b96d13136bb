import Imaging
import Testing

@testable import TextRecognition

@Suite struct LineMergerTests {
    private let merger = LineMerger()

    private func line(_ text: String, _ confidence: Double, _ quad: Quad) -> ReadLine {
        ReadLine(quad: quad, recognition: LineRecognition(text: text, confidence: confidence))
    }

    private func merged(_ first: [ReadLine], _ second: [ReadLine]) -> [String] {
        merger.merge(first, second).map(\.recognition.text)
    }

    private let left = box(0, 0, 40, 10)
    private let right = box(50, 0, 40, 10)

    @Test func linesThatAreApartAllStay() {
        #expect(merged([line("ONE", 0.9, left)], [line("TWO", 0.9, right)]) == ["ONE", "TWO"])
    }

    @Test func newPlaceIsTakenOnlyWhenItIsMoreThanAGuess() {
        #expect(merged([line("ONE", 0.9, left)], [line("TWO", 0.5, right)]) == ["ONE"])
        #expect(merged([], [line("TWO", 0.5, right)]).isEmpty)
        #expect(merged([], [line("TWO", 0.7, right)]) == ["TWO"])
    }

    @Test func betterReadingOfAPlaceReplacesTheFirst() {
        // Worth, characters × (confidence - 0.6): 3 · 0.1 = 0.3 against 4 · 0.35 = 1.4.
        #expect(merged([line("0NE", 0.7, left)], [line("ONES", 0.95, left)]) == ["ONES"])
    }

    @Test func readingThatIsNoBetterDoesNotReplaceTheFirst() {
        #expect(merged([line("ONE", 0.9, left)], [line("0NE", 0.9, left)]) == ["ONE"])
        // 4 · 0.31 = 1.24 is less than 5 % above 4 · 0.3 = 1.2.
        #expect(merged([line("ONES", 0.9, left)], [line("0NES", 0.91, left)]) == ["ONES"])
        #expect(merged([line("ONES", 0.9, left)], [line("0NES", 0.95, left)]) == ["0NES"])
    }

    @Test func doubtfulFirstLineStaysWhenTheSecondIsNoBetterThanAGuess() {
        #expect(merged([line("0N", 0.3, left)], [line("IIIIIIII", 0.59, left)]) == ["0N"])
    }

    @Test func oneLineAndTheTwoItWasTakenApartIntoAreOnePlace() {
        let whole = box(0, 0, 90, 10)
        // 6 · 0.1 = 0.6 against 3 · 0.35 + 3 · 0.35 = 2.1; and the other way round.
        #expect(
            merged([line("ONETWO", 0.7, whole)], [line("ONE", 0.95, left), line("TWO", 0.95, right)]) == ["ONE", "TWO"]
        )
        #expect(
            merged([line("0NE", 0.7, left), line("TW0", 0.7, right)], [line("ONE TWO", 0.95, whole)]) == ["ONE TWO"]
        )
    }

    @Test func sureWordIsNotLostToSmallOnesInItsBox() {
        let title = line("MOONDUST", 0.98, box(0, 0, 400, 80))
        let author = [line("ANDREW", 0.99, box(190, 10, 15, 60)), line("SMITH", 0.99, box(220, 20, 15, 50))]
        // 8 · 0.38 = 3.04 against 6 · 0.39 + 5 · 0.39 = 4.29.
        #expect(merged([title], author) == ["ANDREW", "SMITH", "MOONDUST"])
        #expect(merged(author, [title]) == ["ANDREW", "SMITH", "MOONDUST"])
        // A word of three letters has to be surer: 3 · 0.398 = 1.19 and 3 · 0.38 = 1.14, against 4.29.
        let short = box(150, 0, 240, 80)
        #expect(merged([line("MOO", 0.998, short)], author) == ["ANDREW", "SMITH", "MOO"])
        #expect(merged([line("MOO", 0.98, short)], author) == ["ANDREW", "SMITH"])
        // The same word is there once.
        #expect(merged([line("MOONDOST", 0.92, box(0, 0, 400, 80))], [title]) == ["MOONDUST"])
    }

    @Test func linesAreAtOnePlaceFromThreeTenthsOfTheSmaller() {
        // 10 pixels high and 40 wide: 12 columns are three tenths.
        #expect(!merger.isSamePlace(left, box(28, 0, 40, 10)))
        #expect(merger.isSamePlace(left, box(27, 0, 40, 10)))
        // A small line inside a large one.
        #expect(merger.isSamePlace(box(0, 0, 400, 100), box(10, 10, 5, 5)))
        #expect(!merger.isSamePlace(left, box(0, 11, 40, 10)))
    }

    private func distinct(_ lines: [ReadLine]) -> [String] { merger.distinct(lines).map(\.recognition.text) }

    @Test func aLineThatIsReadTwiceAtAPlaceStaysOnce() {
        let box = box(0, 0, 100, 20)
        #expect(distinct([line("Germinal", 0.95, box), line(":Germinal", 0.9, box)]) == ["Germinal"])
        #expect(distinct([line("Os Cus", 0.9, left), line("ANTUNES Os Cus", 0.9, left)]) == ["ANTUNES Os Cus"])
        #expect(distinct([line("ONE", 0.9, left), line("ONE", 0.9, left)]) == ["ONE"])
        // A copy is at another place.
        #expect(distinct([line("ONE", 0.9, left), line("ONE", 0.9, right)]) == ["ONE", "ONE"])
    }

    @Test func aSmallWordInsideALargeOnesBoxStays() {
        let large = line("ULYSSES", 0.95, box(0, 0, 100, 40))
        #expect(distinct([large, line("of", 0.9, box(40, 10, 10, 8))]) == ["ULYSSES", "of"])
        #expect(distinct([large, line("--", 0.9, box(40, 10, 10, 8))]) == ["ULYSSES", "--"])
    }
}
