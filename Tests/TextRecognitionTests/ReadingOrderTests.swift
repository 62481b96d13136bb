import Imaging
import Testing

@testable import TextRecognition

@Suite struct ReadingOrderTests {
    /// Returns the names of some boxes in reading order; the order in which they are given does not matter.
    private func order(
        _ orientation: TextOrientation,
        isTall: Bool = true,
        _ boxes: [(String, Quad)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [String] {
        let order = ReadingOrder(orientation: orientation, isTall: isTall)
        let sorted = order.sorted(boxes, quad: \.1).map(\.0)
        #expect(order.sorted(boxes.reversed(), quad: \.1).map(\.0) == sorted, sourceLocation: sourceLocation)
        return sorted
    }

    /// A tall spine, 60 × 600: author at the top, title in the middle, publisher at the bottom.
    private let tall = [
        ("top", box(20, 20, 20, 120)), ("middle", box(10, 180, 40, 240)), ("bottom", box(20, 520, 20, 60)),
    ]

    @Test func textThatReadsDownwardsIsReadFromTheTop() {
        #expect(order(.clockwise, tall) == ["top", "middle", "bottom"])
    }

    @Test func textThatReadsUpwardsIsReadFromTheBottom() {
        #expect(order(.counterclockwise, tall) == ["bottom", "middle", "top"])
    }

    @Test func stackOfUprightWordsIsReadFromTheTop() {
        #expect(order(.upright, tall) == ["top", "middle", "bottom"])
    }

    @Test func bookUpsideDownIsReadFromTheBottom() {
        #expect(order(.inverted, tall) == ["bottom", "middle", "top"])
    }

    @Test func titleInTwoRowsIsReadRowByRow() {
        // The first row is right of the second if turned clockwise; left of it if turned the other way.
        let rows = [("right", box(32, 180, 20, 240)), ("left", box(8, 200, 20, 200)), ("author", box(20, 20, 20, 120))]
        #expect(order(.clockwise, rows) == ["author", "right", "left"])
        #expect(order(.counterclockwise, rows) == ["left", "right", "author"])
    }

    @Test func wordsOfOneRowBesideALongerRowAreReadAlongTheRow() {
        // Downwards: THE … OF in the row at the right, beside one long row at the left.
        let block = [("THE", box(32, 180, 20, 80)), ("OF", box(34, 300, 16, 90)), ("long", box(8, 180, 20, 240))]
        #expect(order(.clockwise, block) == ["THE", "OF", "long"])
    }

    @Test func uprightWordsBesideEachOtherAreReadFromLeftToRight() {
        let stack = [
            ("left", box(5, 100, 20, 20)), ("right", box(32, 103, 20, 20)), ("below", box(10, 140, 40, 20)),
        ]
        #expect(order(.upright, stack) == ["left", "right", "below"])
    }

    @Test func linesThatOverlapALittleFollowOneAnother() {
        let pair = [("first", box(30, 20, 20, 120)), ("second", box(10, 130, 20, 120))]
        #expect(order(.clockwise, pair) == ["first", "second"])
        #expect(order(.counterclockwise, pair) == ["second", "first"])
    }

    @Test func wideCropIsReadFromLeftToRight() {
        let wide = [("left", box(20, 20, 120, 20)), ("middle", box(180, 10, 240, 40)), ("right", box(520, 20, 60, 20))]
        #expect(order(.upright, isTall: false, wide) == ["left", "middle", "right"])
        #expect(order(.inverted, isTall: false, wide) == ["right", "middle", "left"])
    }

    @Test func rowsOfAWideCropAreReadFromTheTopOrUpsideDownFromTheBottom() {
        let rows = [("upper", box(180, 5, 240, 22)), ("lower", box(200, 33, 200, 22))]
        #expect(order(.upright, isTall: false, rows) == ["upper", "lower"])
        #expect(order(.inverted, isTall: false, rows) == ["lower", "upper"])
    }

    @Test func noLinesAndOneLineAreThemselves() {
        #expect(order(.clockwise, []).isEmpty)
        #expect(order(.clockwise, [("one", box(1, 1, 5, 9))]) == ["one"])
    }
}
