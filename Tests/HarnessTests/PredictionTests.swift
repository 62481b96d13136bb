import Basics
import Foundation
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

@Suite(.tags(.unit)) struct PredictionTests {
    /// Worker's output and the harness's input are equal: no field is lost.
    @Test func everyFieldIsWritten() throws {
        let line = Prediction.Line(text: "DUNE", confidence: 0.9)
        var prediction = Prediction(lines: [line], orientation: "cw", stages: [.detectionInference: 12])
        (prediction.spines, prediction.linesProblem) = ([], "a problem")
        (prediction.cpuMilliseconds, prediction.concludedMilliseconds) = (1, 2)
        (prediction.books, prediction.answer) = ([BookCandidate(title: "Emma")], BookCandidate(title: "Dune"))
        (prediction.milestones, prediction.path, prediction.isQueued) = (["text": 3], ["fast"], false)
        prediction.gesture = Prediction.Gesture(readings: 1, repeatMilliseconds: [4])
        prediction.traffic = Traffic(up: [:], down: [:])
        (prediction.drained, prediction.waiting, prediction.reconnects, prediction.malformedEvents) = (1, 2, 3, 4)
        (prediction.scans, prediction.otherAnswers) = (2, [BookCandidate(title: "Dune Messiah")])
        prediction.work = WorkCounts([.init(.rowsRead, "a"): 1])
        // A field that is added has to be added here too.
        let absent = Mirror(reflecting: prediction).children.filter {
            Mirror(reflecting: $0.value).displayStyle == .optional && Mirror(reflecting: $0.value).children.isEmpty
        }
        #expect(absent.compactMap(\.label) == [])
        let read = try JSONDecoder().decode(Prediction.self, from: JSONEncoder().encode(prediction))
        #expect(read == prediction)
    }
}
