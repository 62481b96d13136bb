import Raster
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct SpineReaderGapTests {
    /// 600 × 48, printed all over but for the last seventy columns, so that a line cut out of all of it is itself.
    private let spine = image(600, 48) { x, y in x < 530 && (x / 4 + y / 4) % 2 == 0 ? 0 : 255 }

    /// The title's letters leave 150…390 free.
    private let title = recognition("ABCDEFGH", at: [20, 60, 100, 140, 400, 440, 480, 520])

    /// Reads the title from the whole line and `word` from anything else.
    private func recognizer(word: String, confidence: Double) -> ScriptedRecognizer {
        ScriptedRecognizer { [title] line in
            line.width == 600 ? title : LineRecognition(text: word, confidence: confidence)
        }
    }

    /// Finds the title in the spine, and `inGap` in the gap, which is searched at 240 × 48.
    private func detector(inGap: [Quad]) -> ScriptedDetector {
        ScriptedDetector { image in
            image.width == 600 ? [box(0, 0, 600, 48)] : inGap
        }
    }

    private func reader(
        _ detector: ScriptedDetector,
        _ recognizer: ScriptedRecognizer,
        searchesGaps: Bool = true
    ) -> SpineReader {
        SpineReader(
            detector: detector,
            recognizer: recognizer,
            configuration: SpineReaderConfiguration(
                firstLook: Look(frame: .turned, shortSide: 48, longSide: 600),
                gapsSearched: searchesGaps ? 8 : 0
            )
        )
    }

    @Test func smallWordInAGapIsReadAndTakesTheLineApart() throws {
        let detector = detector(inGap: [box(100, 10, 40, 14)])
        let reading = try reader(detector, recognizer(word: "OF", confidence: 0.97)).read(spine)
        #expect(detector.received.map(\.width) == [600, 240])
        #expect(reading.lines.map(\.text) == ["ABCD", "OF", "EFGH"])
        expectClose(reading.lines[0].quad.corners, [(0, 0), (150, 0), (150, 48), (0, 48)])
        expectClose(reading.lines[1].quad.corners, [(250, 10), (290, 10), (290, 24), (250, 24)])
        expectClose(reading.lines[2].quad.corners, [(390, 0), (600, 0), (600, 48), (390, 48)])
    }

    @Test func wordAtAnotherAngleInAGapIsRead() throws {
        // As high as the line: that it runs across the line is what makes it new. It is tried upwards, then downwards.
        let detector = detector(inGap: [box(100, 2, 14, 44)])
        let reading = try reader(detector, recognizer(word: "AND", confidence: 0.97)).read(spine)
        #expect(reading.lines.map(\.text) == ["ABCD", "AND", "EFGH"])
        #expect(reading.lines[1].quad.orientation == .counterclockwise)
        #expect(reading.orientation == .upright)
    }

    @Test func pieceOfTheLettersBesideAGapIsNoNewWord() throws {
        let reading = try reader(
            detector(inGap: [box(60, 2, 120, 44)]),
            recognizer(word: "DE", confidence: 0.97)
        ).read(spine)
        #expect(reading.lines.map(\.text) == ["ABCDEFGH"])
    }

    @Test(arguments: [("OF", 0.89), ("O", 0.97), ("", 0)])
    func guessInAGapLeavesTheLineWhole(word: String, confidence: Double) throws {
        let detector = detector(inGap: [box(100, 10, 40, 14)])
        let reading = try reader(detector, recognizer(word: word, confidence: confidence)).read(spine)
        #expect(reading.lines.map(\.text) == ["ABCDEFGH"])
    }

    @Test func gapsAreSearchedOnlyWhenAskedFor() throws {
        let detector = detector(inGap: [box(100, 10, 40, 14)])
        let reading = try reader(detector, recognizer(word: "OF", confidence: 0.97), searchesGaps: false).read(spine)
        #expect(detector.received.count == 1)
        #expect(reading.lines.map(\.text) == ["ABCDEFGH"])
    }

    @Test func lineWithoutCharacterPlacesHasNoGapsToSearch() throws {
        let detector = detector(inGap: [box(100, 10, 40, 14)])
        _ = try reader(detector, ScriptedRecognizer(text: "ABCDEFGH")).read(spine)
        #expect(detector.received.count == 1)
    }
}
