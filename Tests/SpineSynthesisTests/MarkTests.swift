import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Mark")
struct MarkTests {
    @Test("every shape keeps to its size, but for what a line's thickness adds", arguments: Mark.Shape.allCases)
    func bounds(_ shape: Mark.Shape) {
        let path = Mark.outline(of: shape, width: 100, height: 60)
        #expect(!path.isEmpty)
        for step in path {
            // The control points of curves are outside the drawn area.
            let points: [Point] =
                switch step {
                case .move(let point), .line(let point), .curve(_, _, let point): [point]
                case .ellipse(let box):
                    [Point(x: box.x, y: box.y), Point(x: box.x + box.width, y: box.y + box.height)]
                case .close: []
                }
            for point in points {
                #expect(abs(point.x) <= 51 && abs(point.y) <= 49, "\(shape): \(point)")
            }
        }
    }

    @Test("a row has more members the longer it is, along whichever side is longer")
    func rows() {
        func dots(_ width: Double, _ height: Double) -> [PathStep] {
            Mark.outline(of: .dots, width: width, height: height)
        }
        // 160 / (10 · 1.6) = 10 dots.
        #expect(dots(160, 10).count == 10)
        #expect(dots(10, 160).count == 10)
        #expect(dots(10, 10).count == 1)
    }

    @Test("text on a panel is on the panel's colour alone, beside it on both")
    func grounds() {
        var cover = Spines.plain("A", direction: .down).cover
        let red = Colour(0xFF0000)
        cover.marks = [Mark(shape: .box, along: 0.5, across: 0.5, width: 1, height: 2, colour: red)]
        // The panel reaches from 0.4 to 0.6 of a spine ten times as long as thick.
        #expect(cover.grounds(along: 0.45...0.55, across: 0.1...0.9, shape: 10) == [red])
        #expect(Set(cover.grounds(along: 0.55...0.7, across: 0.1...0.9, shape: 10)) == [.white, red])
        #expect(Set(cover.grounds(along: 0.7...0.8, across: 0.1...0.9, shape: 10)) == [.white])
    }
}
