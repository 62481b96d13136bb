import Testing

@testable import OpenVINOEngine
@testable import TextRecognition

@Suite struct EmissionWindowTests {
    /// Own and seen columns of a window, the sheet's steps of eight columns, and the window's column on it; the first of its
    /// steps, and their positions in the line.
    @Test(
        arguments: [
            // 40 columns are five steps of ten, and one of padding; a line that fills the network has none.
            (0..<40, 0..<40, 10, 0, 0, [4, 12, 20, 28, 36, 44]),
            (0..<40, 0..<40, 5, 0, 0, [4, 12, 20, 28, 36]),
            // In the middle of a line: sees 84…164, owns 100…148, steps 2 to 8.
            (100..<148, 84..<164, 10, 0, 2, [104, 112, 120, 128, 136, 144]),
            (0..<1, 0..<1, 10, 0, 0, [4]),
            // In the middle of a sheet: 40 columns from column 64 are steps 8 to 12; one more is behind the line.
            (0..<40, 0..<40, 20, 64, 8, [4, 12, 20, 28, 36, 44]),
            // Sees 84…164 from column 100 on, so that the line would begin at column 16; it owns columns 116 to 164 of
            // the sheet: steps 14.5, rounded away from zero, to 20.5.
            (100..<148, 84..<164, 40, 100, 15, [108, 116, 124, 132, 140, 148]),
        ] as [(Range<Int>, Range<Int>, Int, Int, Int, [Double])]
    )
    func windowHasItsOwnSteps(
        own: Range<Int>,
        seen: Range<Int>,
        steps: Int,
        column: Int,
        first: Int,
        positions: [Double]
    ) {
        // The first class of each step is its number.
        let values: [Float] = (0..<steps).flatMap { [Float($0), 0] }
        let window = values.withUnsafeBufferPointer {
            CTCEmissions(classes: 2, values: $0, stepWidth: 8, columns: .init(own: own, seen: seen), at: column)
        }
        #expect(window.positions == positions)
        #expect(window.probabilities == positions.indices.flatMap { [Float(first + $0), 0] })
    }
}
