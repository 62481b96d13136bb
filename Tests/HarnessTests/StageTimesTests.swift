import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct StageTimesTests {
    @Test func aPartIsCountedWithWhatItIsAPartOf() {
        let times: StageTimes = [
            .decode: 3, .reading: 15, .detectionInference: 5, .recognitionInference: 8, .enrichment: 40,
            Stage("backOff", .sleep): 7,
        ]
        #expect((times.sum(.compute), times.sum(.network), times.sum(.sleep)) == (18, 40, 7))
        // Without the whole, its parts are all that is known of it.
        let parts: StageTimes = [.detectionInference: 5, .recognitionInference: 8]
        #expect(parts.sum(.compute) == 13)
        #expect(parts["detectionInference"] == 5 && parts[Stage.reading] == nil)
    }

    @Test func aStageWithoutATimeIsNone() {
        let times: StageTimes = [.reading: nil, .upload: 2]
        #expect(times.names == ["upload"])
    }

    @Test func stagesAreWrittenWithTheirKindAndReadBack() throws {
        var prediction = Prediction(lines: [])
        prediction.stages = [.reading: 15, .detectionInference: 5, .upload: 460]
        let data = try JSONEncoder().encode(prediction)
        #expect(try JSONDecoder().decode(Prediction.self, from: data).stages == prediction.stages)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""kind":"network""#) && text.contains(#""parent":"reading""#))
    }
}
