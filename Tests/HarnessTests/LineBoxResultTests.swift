import Basics
import Evaluation
import Imaging
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness

/// Results of a run for line boxes; expected values are by hand.
@Suite(.tags(.unit)) struct LineBoxResultTests {
    private static func box(_ x: Double, _ width: Double) -> Quad {
        Quad(
            topLeft: Point(x: x, y: 0),
            topRight: Point(x: x + width, y: 0),
            bottomRight: Point(x: x + width, y: 10),
            bottomLeft: Point(x: x, y: 10)
        )
    }

    /// Spines with two lines each, 10 pixels wide; the last one's have no boxes.
    private static let samples = (0..<4).map { number in
        var sample = Sample.made("s\(number)")
        sample.lines = [0.0, 20].map { x in
            LabelledLine(text: "Line", role: nil, quad: number == 3 ? nil : box(x, 10), font: nil, size: nil)
        }
        return sample
    }

    private static func records(_ boxes: [[Quad?]?]) -> [SampleRecord] {
        boxes.enumerated().map { number, boxes in
            var record = PlantedRun.record("fast", "s\(number)")
            record.prediction = boxes.map { Prediction(lines: $0.map { .init(text: "Line", quad: $0) }) }
            if boxes == nil { record.outcome = .failed }
            return record
        }
    }

    private static func result(_ boxes: [[Quad?]?]) -> MeasurementResult {
        PlantedRun.measurement("fast", samples: samples, records: records(boxes))
    }

    /// Three of six labelled lines have a box of their own; three of five boxes are a line's; a failed reading has
    /// none.
    @Test func recallAndPrecisionAreOfLinesAndBoxes() throws {
        let result = Self.result([
            [Self.box(0, 10), Self.box(20, 10)], [Self.box(0, 8), Self.box(14, 10), Self.box(60, 10)], nil,
            [Self.box(0, 10)],
        ])
        let recall = try #require(result.value(of: .lineBoxRecall)?.rate)
        #expect(recall.successes == 3 && recall.trials == 6)
        let precision = try #require(result.value(of: .lineBoxPrecision)?.rate)
        #expect(precision.successes == 3 && precision.trials == 5)
        // 1, 1, 0.8, 4 of 16 pixels, 0 and 0.
        #expect(abs(try #require(result.value(of: .lineOverlap)?.value.value) - 3.05 / 6) < 1e-12)
        #expect(result.value(of: .lineBoxRecall, in: "vertical")?.rate == recall)
    }

    @Test(
        arguments: [
            [[nil, nil], [nil], [nil], [nil]], [nil, nil, nil, nil],
        ] as [[[Quad?]?]]
    )
    func aSystemThatLocatesNothingHasNoFigure(_ boxes: [[Quad?]?]) {
        #expect(Self.result(boxes).value(of: .lineBoxRecall) == nil)
        #expect(Self.result(boxes).value(of: .lineOverlap) == nil)
    }

    @Test func labelsWithoutBoxesAreNotScored() {
        func boxes(_ sample: Sample, _ lines: [Prediction.Line]) -> LineBoxScore? {
            var record = PlantedRun.record("fast", sample.id)
            record.prediction = Prediction(lines: lines)
            return Reading(sample, record).boxes
        }
        #expect(boxes(Self.samples[3], [.init(text: "Line", quad: Self.box(0, 10))]) == nil)
        var illegible = Self.samples[0]
        illegible.legible = false
        #expect(boxes(illegible, []) == nil)
        #expect(boxes(Self.samples[0], [])?.isFound == [false, false])
    }
}
