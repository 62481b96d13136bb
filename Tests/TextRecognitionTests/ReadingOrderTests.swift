import Imaging
import Testing

@testable import TextRecognition

/// A tall spine, 60 × 600: author at the top, title in the middle, publisher at the bottom.
private let tall = [
    ("top", box(20, 20, 20, 120)), ("middle", box(10, 180, 40, 240)), ("bottom", box(20, 520, 20, 60)),
]
/// A title in two rows.
private let rows = [
    ("right", box(32, 180, 20, 240)), ("left", box(8, 200, 20, 200)), ("author", box(20, 20, 20, 120)),
]
/// Lines that overlap a little.
private let pair = [("first", box(30, 20, 20, 120)), ("second", box(10, 130, 20, 120))]
private let wide = [("left", box(20, 20, 120, 20)), ("middle", box(180, 10, 240, 40)), ("right", box(520, 20, 60, 20))]
private let wideRows = [("upper", box(180, 5, 240, 22)), ("lower", box(200, 33, 200, 22))]

@Suite struct ReadingOrderTests {
    @Test(
        arguments: [
            (.clockwise, true, tall, "top middle bottom"), (.counterclockwise, true, tall, "bottom middle top"),
            (.upright, true, tall, "top middle bottom"), (.inverted, true, tall, "bottom middle top"),
            // The first row is right of the second if turned clockwise; left of it if turned the other way.
            (.clockwise, true, rows, "author right left"), (.counterclockwise, true, rows, "left right author"),
            // Downwards: THE … OF in the row at the right, beside one long row at the left.
            (
                .clockwise, true,
                [("THE", box(32, 180, 20, 80)), ("OF", box(34, 300, 16, 90)), ("long", box(8, 180, 20, 240))],
                "THE OF long"
            ),
            // Upright words beside each other.
            (
                .upright, true,
                [("left", box(5, 100, 20, 20)), ("right", box(32, 103, 20, 20)), ("below", box(10, 140, 40, 20))],
                "left right below"
            ),
            (.clockwise, true, pair, "first second"), (.counterclockwise, true, pair, "second first"),
            (.upright, false, wide, "left middle right"), (.inverted, false, wide, "right middle left"),
            (.upright, false, wideRows, "upper lower"), (.inverted, false, wideRows, "lower upper"),
            (.clockwise, true, [], ""), (.clockwise, true, [("one", box(1, 1, 5, 9))], "one"),
        ] as [(TextOrientation, Bool, [(String, Quad)], String)]
    )
    func linesAreInReadingOrder(
        orientation: TextOrientation,
        isTall: Bool,
        boxes: [(String, Quad)],
        expected: String
    ) {
        let order = ReadingOrder(orientation: orientation, isTall: isTall)
        // The order in which they are given does not matter.
        for given in [boxes, boxes.reversed()] {
            #expect(order.sorted(given, quad: \.1).map(\.0).joined(separator: " ") == expected)
        }
    }
}
