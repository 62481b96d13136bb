import Imaging
import Testing

@testable import TextRecognition

@Suite struct QuadLinesTests {
    private let level = box(10, 20, 40, 8)

    @Test func lengthRunsAlongTheTextAndThicknessAcross() {
        // Sides 10 and 6, 4 and 4 (hand-counted).
        let trapezium = quad([(0, 0), (10, 0), (8, 4), (2, 4)])
        #expect(trapezium.length == 8)
        #expect(abs(trapezium.thickness - 20.0.squareRoot()) < 1e-12)
        #expect(trapezium.centre == Point(x: 5, y: 2))
        #expect(trapezium.area == 32)
    }

    /// The direction of the baseline; of a leaning line the nearest quarter turn.
    @Test(
        arguments: [
            (box(10, 20, 40, 8), .upright), (box(10, 20, 40, 8).reversed, .inverted),
            (box(10, 20, 40, 8).quarterTurned, .counterclockwise),
            (box(10, 20, 40, 8).quarterTurned.reversed, .clockwise),
            (quad([(0, 0), (10, 9), (6, 13), (-4, 4)]), .upright),
            (quad([(0, 0), (9, 10), (5, 14), (-4, 4)]), .clockwise),
            (quad([(0, 0), (9, -10), (13, -6), (4, 4)]), .counterclockwise),
            (quad([(0, 0), (-10, -9), (-6, -13), (4, -4)]), .inverted),
        ] as [(Quad, TextOrientation)]
    )
    func orientationIsTheDirectionOfTheBaseline(line: Quad, orientation: TextOrientation) {
        #expect(line.orientation == orientation)
    }

    @Test func turningTwiceOrFourTimesIsReversalAndIdentity() {
        #expect(level.quarterTurned.quarterTurned == level.reversed)
        #expect(level.reversed.reversed == level)
        #expect(level.quarterTurned.length == level.thickness)
        // From bottom to top.
        #expect(level.quarterTurned == quad([(10, 28), (10, 20), (50, 20), (50, 28)]))
    }

    /// Shapely 2.2's `intersection(…).area`.
    @Test(arguments: [
        (box(0, 0, 10, 4), box(6, 2, 10, 4), 8.0),
        (box(0, 0, 10, 10), quad([(5, -3), (13, 5), (5, 13), (-3, 5)]), 92.0),
        (quad([(1, 2), (12, 4), (11, 9), (0, 7)]), quad([(4, 0), (9, 1), (7, 12), (3, 10)]), 23.92167857142857),
        (box(0, 0, 20, 20), quad([(3, 4), (9, 5), (8, 8), (2, 7)]), 19.0),
        // Apart; sharing an edge only.
        (box(0, 0, 4, 4), box(5, 0, 4, 4), 0.0),
        (box(0, 0, 4, 4), box(4, 0, 5, 4), 0.0),
    ])
    func sharedAreaIsShapelys(a: Quad, b: Quad, area: Double) {
        #expect(abs(a.intersectionArea(with: b) - area) < 1e-9)
        #expect(abs(b.intersectionArea(with: a) - area) < 1e-9)
        // The direction of the text in either does not matter.
        #expect(abs(a.reversed.intersectionArea(with: b.quarterTurned) - area) < 1e-9)
        // A quad whose corners run the other way round.
        let mirrored = quad([a.topRight, a.topLeft, a.bottomLeft, a.bottomRight].map { ($0.x, $0.y) })
        #expect(abs(b.intersectionArea(with: mirrored) - area) < 1e-9)
    }

    @Test func quadWithoutAreaSharesNothing() {
        #expect(level.intersectionArea(with: box(12, 22, 0, 4)) == 0)
        #expect(box(12, 22, 5, 0).intersectionArea(with: level) == 0)
    }
}
