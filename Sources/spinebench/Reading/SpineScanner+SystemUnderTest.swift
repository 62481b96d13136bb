import BenchmarkHarness
import SpineReaders
import TextRecognition

extension SpineScanner: SystemUnderTest {
    func process(_ bytes: [UInt8], name: String) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        let (reading, decoding) = try scan(bytes, name: name)
        return Prediction(
            lines: reading.lines.map { .init(text: $0.text, confidence: $0.confidence, quad: $0.quad) },
            orientation: reading.orientation?.rawValue,
            stageMilliseconds: [
                Prediction.Stage.decode: decoding.milliseconds,
                Prediction.Stage.detectionInference: reading.timings.detectionInference.milliseconds,
                Prediction.Stage.recognitionInference: reading.timings.recognitionInference.milliseconds,
                Prediction.Stage.total: start.duration(to: clock.now).milliseconds,
            ]
        )
    }
}
