import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct HTMLRowTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func quad(_ numbers: [Double]) -> Quad {
        Quad(
            topLeft: Point(x: numbers[0], y: numbers[1]),
            topRight: Point(x: numbers[2], y: numbers[3]),
            bottomRight: Point(x: numbers[4], y: numbers[5]),
            bottomLeft: Point(x: numbers[6], y: numbers[7])
        )
    }

    @Test(arguments: [
        // A rectangle: the fourth corner follows from the others.
        ([10, 20, 110.4, 20, 110.4, 49.6, 10, 49.6], "[\"a\",0.99,null,10,20,110,20,110,50]"),
        // Off by one pixel after rounding is still one.
        ([0, 0, 10, 0, 10, 10, 1, 10], "[\"a\",0.99,null,0,0,10,0,10,10]"),
        // Off by two is not.
        ([0, 0, 10, 0, 10, 10, 2, 10], "[\"a\",0.99,null,0,0,10,0,10,10,2,10]"),
        ([-3.6, 0, .infinity, 0, 1e300, 10, .nan, 10], "[\"a\",0.99,null,-4,0,0,0,1000000,10,0,10]"),
    ])
    func aQuadIsWholePixels(numbers: [Double], expected: String) throws {
        let line = Prediction.Line(text: "a", confidence: 0.9876, quad: quad(numbers))
        #expect(try json(SampleRow.Line(line)) == expected)
    }

    @Test func aLineHasWhatIsKnown() throws {
        #expect(try json(SampleRow.Line(.init(text: "a"))) == "[\"a\"]")
        #expect(try json(SampleRow.Line(.init(text: "a", confidence: 0.5))) == "[\"a\",0.5,null]")
        let unsure = Prediction.Line(text: "a", quad: quad([0, 0, 2, 0, 2, 2, 0, 2]))
        #expect(try json(SampleRow.Line(unsure)) == "[\"a\",null,null,0,0,2,0,2,2]")
        let calibrated = Prediction.Line(text: "a", confidence: 0.5, probability: 0.254, quad: unsure.quad)
        #expect(try json(SampleRow.Line(calibrated)) == "[\"a\",0.5,0.25,0,0,2,0,2,2]")
        #expect(try json(SampleRow.Line(.init(text: "a", probability: 0.25))) == "[\"a\",null,0.25]")
    }

    private func record(
        _ repetition: Int,
        _ text: String?,
        _ milliseconds: Double?,
        outcome: SampleRecord.Outcome = .read
    ) -> SampleRecord {
        SampleRecord(
            measurement: "m",
            repetition: repetition,
            position: 0,
            id: "s",
            outcome: outcome,
            milliseconds: milliseconds,
            prediction: text.map {
                Prediction(lines: [.init(text: $0)], orientation: "cw", stages: [Stage("decode", .compute): 0.25])
            }
        )
    }

    @Test func aReadingThatWentWellSaysNoMoreThanItsResult() throws {
        // Two of six letters are missing, and the author.
        let sample = Sample.made("s", title: "Dune", author: "Herbert", transcription: "Dune H")
        let reading = SampleRow.Reading(
            [record(2, "Dune", 30), record(1, "Dune", 31.236)],
            of: sample,
            stages: ["decode", "recognition"]
        )
        #expect(
            try json(reading)
                == "{\"a\":0,\"e\":0.333,\"l\":[[\"Dune\"]],\"m\":[31.24,30],\"o\":\"cw\",\"s\":[0.3,null],\"t\":1}"
        )
    }

    @Test func aReadingThatFailedSaysHow() throws {
        var lost = record(3, nil, nil, outcome: .timedOut)
        lost.problem = "no answer in 30 s"
        let reading = SampleRow.Reading(
            [record(1, "a", 1), record(2, "b", 2), lost],
            of: .made("s", legible: false),
            stages: []
        )
        #expect(
            try json(reading)
                == "{\"l\":[[\"a\"]],\"m\":[1,2,null],\"o\":\"cw\",\"p\":\"no answer in 30 s\",\"u\":\"timedOut\",\"v\":1}"
        )
    }

    @Test func aSampleKeepsThePlaceOfAMeasurementThatDidNotReadIt() throws {
        let sample = Sample.made("s", .mixed, title: "T", transcription: "t", legible: false)
        let row = SampleRow("d/s", category: "mixed", sample, readings: [nil, .init(t: 1, m: [])])
        #expect(
            try json(row)
                == "{\"c\":\"mixed\",\"i\":\"d/s\",\"n\":1,\"o\":\"cw\",\"r\":[null,{\"m\":[],\"t\":1}],\"t\":\"T\",\"x\":\"t\"}"
        )
    }
}
