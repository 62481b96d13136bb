import Testing

@testable import OpenVINOEngine
@testable import TextRecognition

@Suite struct EmissionWindowTests {
    /// Returns emissions in which the first class of each step is its number.
    private func emissions(steps: Int, columns: LineWindows.Window, at column: Int = 0) -> CTCEmissions {
        let values: [Float] = (0..<steps).flatMap { [Float($0), 0] }
        return values.withUnsafeBufferPointer {
            CTCEmissions(classes: 2, values: $0, stepWidth: 8, columns: columns, at: column)
        }
    }

    private func steps(_ emissions: CTCEmissions) -> [Float] {
        stride(from: 0, to: emissions.probabilities.count, by: 2).map { emissions.probabilities[$0] }
    }

    @Test func lineInOneWindowKeepsItsStepsAndOneOfPadding() {
        // 40 columns are five steps of ten.
        let window = emissions(steps: 10, columns: .init(own: 0..<40, seen: 0..<40))
        #expect(steps(window) == [0, 1, 2, 3, 4, 5])
        #expect(window.positions == [4, 12, 20, 28, 36, 44])
    }

    @Test func lineThatFillsTheNetworkHasNoPadding() {
        #expect(steps(emissions(steps: 5, columns: .init(own: 0..<40, seen: 0..<40))) == [0, 1, 2, 3, 4])
    }

    @Test func windowInTheMiddleGivesOnlyItsOwnSteps() {
        // Sees 84…164, owns 100…148: steps 2 to 8, in the line's pixels.
        let window = emissions(steps: 10, columns: .init(own: 100..<148, seen: 84..<164))
        #expect(steps(window) == [2, 3, 4, 5, 6, 7])
        #expect(window.positions == [104, 112, 120, 128, 136, 144])
    }

    @Test func lineOfOneColumnHasAStep() {
        #expect(steps(emissions(steps: 10, columns: .init(own: 0..<1, seen: 0..<1))) == [0])
    }

    @Test func windowThatBeginsInTheMiddleOfASheetHasItsOwnSteps() {
        // 40 columns from column 64 are steps 8 to 12; one more is behind the line.
        let window = emissions(steps: 20, columns: .init(own: 0..<40, seen: 0..<40), at: 64)
        #expect(steps(window) == [8, 9, 10, 11, 12, 13])
        #expect(window.positions == [4, 12, 20, 28, 36, 44])
    }

    @Test func windowBetweenStepsKeepsItsPlaceInTheLine() {
        // Sees 84…164 from column 100 on, so that the line would begin at column 16; it owns columns 116 to 164 of
        // the sheet: steps 14.5, rounded away from zero, to 20.5.
        let window = emissions(steps: 40, columns: .init(own: 100..<148, seen: 84..<164), at: 100)
        #expect(steps(window) == [15, 16, 17, 18, 19, 20])
        #expect(window.positions == [108, 116, 124, 132, 140, 148])
    }
}
