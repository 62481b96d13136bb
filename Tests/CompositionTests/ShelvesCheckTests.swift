import Harness
import Imaging
import Testing
import TextRecognition

@testable import checks

@Suite struct ShelvesCheckTests {
    private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Quad {
        Quad(left: left, top: top, right: right, bottom: bottom)
    }

    @Test func linesAreCutByTheOutlineThatHasMostOfThem() {
        let labelled = [box(0, 0, 40, 300), box(40, 0, 80, 300)]
        // The first one is where a label is; the second one is at a book without an outline.
        let others = [box(2, 0, 42, 300), box(80, 0, 120, 300)]
        let lines: [Prediction.Line] = [
            .init(text: "ONE", confidence: 0.9, quad: box(5, 10, 30, 200)),
            .init(text: "TWO", quad: box(35, 10, 75, 200)),
            .init(text: "THREE", quad: box(85, 10, 110, 200)),
            .init(text: "OUTSIDE", quad: box(200, 10, 220, 200)),
            .init(text: "NOWHERE"),
        ]
        let spines = ShelvesCheck.cut(lines, by: labelled, or: others)
        #expect(spines.map { $0.lines.map(\.text) } == [["ONE"], ["TWO"], ["THREE"]])
        #expect(spines.map(\.outline) == labelled + [others[1]])
        #expect(ShelvesCheck.cut([], by: labelled, or: others).isEmpty)
        #expect(ShelvesCheck.cut(lines, by: [], or: []).isEmpty)
    }
}
