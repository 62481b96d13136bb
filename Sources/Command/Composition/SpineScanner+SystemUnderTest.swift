import Evaluation
package import Harness
package import TextRecognition

extension SpineScanner: SystemUnderTest {
    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        let (reading, decoding) = try scan(bytes, name: name)
        return Prediction(
            lines: reading.lines.map { .init(text: $0.text, confidence: $0.confidence, quad: $0.quad) },
            orientation: reading.orientation?.rawValue,
            stages: [
                .total: start.duration(to: clock.now).milliseconds,
                .decode.part(of: .total): decoding.milliseconds,
                .detectionInference.part(of: .total): reading.timings.detectionInference.milliseconds,
                .recognitionInference.part(of: .total): reading.timings.recognitionInference.milliseconds,
            ]
        )
    }
}
