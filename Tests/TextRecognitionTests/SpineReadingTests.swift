import Imaging
import Testing

@testable import TextRecognition

@Suite struct SpineReadingTests {
    @Test func confidenceIsWeightedByLength() throws {
        let lines = [("HARBOR", 0.9), ("OF", 0.5)].map {
            RecognizedLine(text: $0, confidence: $1, quad: box(0, 0, 1, 1))
        }
        // (6 · 0.9 + 2 · 0.5) / 8
        let confidence = try #require(SpineReading(lines: lines).confidence)
        #expect(abs(confidence - 0.8) < 1e-12)
        #expect(SpineReading().confidence == nil)
    }
}
