internal import Imaging
public import Testing
public import TextRecognition

/// Contract of every line recogniser, for any engine.
///
/// A suite runs each case: `@Test(arguments: LineRecognizerContract.allCases) func keeps(_ contract: …)`.
public enum LineRecognizerContract: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case noLinesGiveNoRecognitions
    case blankLinesAreEmpty
    case linesOfAnyWidthAreTaken
    case textIsRead
    case recognitionsComeInTheOrderOfTheLines
    case sameLineIsReadTheSameTwice

    /// The case's name.
    public var testDescription: String { rawValue }

    /// Tests the recogniser; violations are recorded as issues.
    ///
    /// - Throws: the recogniser's errors, which no case allows.
    public func check(_ recognizer: some LineRecognizer) throws {
        let height = recognizer.lineHeight
        let line = fixture(height: height)
        switch self {
        case .noLinesGiveNoRecognitions:
            #expect(try recognizer.recognize([]).lines.isEmpty)
        case .blankLinesAreEmpty:
            let blank = RasterImage(width: 4 * height, height: height, channels: 1, filledWith: 200)
            #expect(try recognize([blank, blank.rgb()], by: recognizer).map(\.text) == ["", ""])
        case .linesOfAnyWidthAreTaken:
            let widths = [1, 2, 7, 40 * height]
            _ = try recognize(
                widths.map { RasterImage(width: $0, height: height, channels: 3, filledWith: 90) },
                by: recognizer
            )
        case .textIsRead:
            #expect(
                try recognize([line, line.rgb()], by: recognizer).map(\.text) == [TextFixture.text, TextFixture.text]
            )
        case .recognitionsComeInTheOrderOfTheLines:
            let blank = RasterImage(width: height, height: height, channels: 1, filledWith: .max)
            let texts = try recognize([blank, line, blank], by: recognizer).map(\.text)
            #expect(texts == ["", TextFixture.text, ""])
        case .sameLineIsReadTheSameTwice:
            #expect(try recognize([line], by: recognizer) == recognize([line], by: recognizer))
        }
    }

    /// Returns the text line at the height that the recogniser asks for.
    private func fixture(height: Int) -> RasterImage {
        let line = TextFixture.line
        return line.resized(width: line.width * height / line.height, height: height)
    }

    /// Conditions of every recognition.
    private func recognize(_ lines: [RasterImage], by recognizer: some LineRecognizer) throws -> [LineRecognition] {
        let recognitions = try recognizer.recognize(lines).lines
        #expect(recognitions.count == lines.count)
        for recognition in recognitions {
            #expect((0...1).contains(recognition.confidence))
            #expect(!recognition.text.isEmpty || recognition.confidence == 0)
        }
        return recognitions
    }
}
