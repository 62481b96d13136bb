import Testing

@testable import TesseractEngine

@Suite struct ReadingOrderTests {
    @Test func linesFollowTheSpine() {
        let lines = [line("PUBLISHER", 500...600, 20...40), line("AUTHOR", 10...100, 22...42)]
        #expect(lines.inReadingOrder().map(\.text) == ["AUTHOR", "PUBLISHER"])
    }

    @Test func titleInTwoRowsStaysTogether() {
        let lines = [
            line("PUBLISHER", 700...800, 10...60), line("lower row", 190...520, 40...70),
            line("upper", 210...500, 0...30),
            line("AUTHOR", 10...150, 20...50),
        ]
        #expect(lines.inReadingOrder().map(\.text) == ["AUTHOR", "upper", "lower row", "PUBLISHER"])
    }

    @Test func linesThatHardlyOverlapStayInSequence() {
        let lines = [line("second", 90...200, 0...20), line("first", 0...100, 30...50)]
        #expect(lines.inReadingOrder().map(\.text) == ["first", "second"])
    }

    @Test func nothingHasNoOrder() {
        #expect([TesseractLine]().inReadingOrder().isEmpty)
        #expect(TesseractLine(joining: []) == nil)
    }

    @Test func joinedWordsShareABoxAndWeighByLength() throws {
        var short = line("of", 0...10, 5...15)
        short.confidence = 0.2
        var long = line("darkness", 15...60, 0...12)
        long.confidence = 0.7
        let joined = try #require(TesseractLine(joining: [short, long]))
        #expect(joined.text == "of darkness")
        // (2 × 0.2 + 8 × 0.7) / 10
        #expect(abs(joined.confidence - 0.6) < 1e-12)
        #expect(joined.left == 0 && joined.top == 0 && joined.right == 60 && joined.bottom == 15)
    }

    private func line(_ text: String, _ x: ClosedRange<Int>, _ y: ClosedRange<Int>) -> TesseractLine {
        TesseractLine(
            text: text,
            confidence: 1,
            left: x.lowerBound,
            top: y.lowerBound,
            right: x.upperBound,
            bottom: y.upperBound
        )
    }
}
