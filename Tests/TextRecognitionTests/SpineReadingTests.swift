import Imaging
import Testing

@testable import TextRecognition

@Suite struct SpineReadingTests {
    private func reading(_ lines: [(String, Double)]) -> SpineReading {
        SpineReading(
            lines: lines.map { RecognizedLine(text: $0.0, confidence: $0.1, quad: box(0, 0, 1, 1)) },
            orientation: .clockwise,
            timings: StageTimings()
        )
    }

    @Test func confidenceIsWeightedByLength() throws {
        // (6 · 0.9 + 2 · 0.5) / 8
        let confidence = try #require(reading([("HARBOR", 0.9), ("OF", 0.5)]).confidence)
        #expect(abs(confidence - 0.8) < 1e-12)
    }

    @Test func nothingReadHasNoConfidence() {
        #expect(reading([]).confidence == nil)
    }
}
