import Foundation
import Harness
import Raster
import Reports
import Testing

@Suite struct HTMLRowTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
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
        ([10, 20, 110.4, 20, 110.4, 49.6, 10, 49.6], "[\"a\",0.99,10,20,110,20,110,50]"),
        // Off by one pixel after rounding is still one.
        ([0, 0, 10, 0, 10, 10, 1, 10], "[\"a\",0.99,0,0,10,0,10,10]"),
        // Off by two is not.
        ([0, 0, 10, 0, 10, 10, 2, 10], "[\"a\",0.99,0,0,10,0,10,10,2,10]"),
        ([-3.6, 0, .infinity, 0, 1e300, 10, .nan, 10], "[\"a\",0.99,-4,0,0,0,1000000,10,0,10]"),
    ])
    func aQuadIsWholePixels(numbers: [Double], expected: String) throws {
        let line = PageReading.Line(text: "a", confidence: 0.9876, quad: quad(numbers))
        #expect(try json(line) == expected)
    }

    @Test func aLineHasWhatIsKnown() throws {
        #expect(try json(PageReading.Line(text: "a")) == "[\"a\"]")
        #expect(try json(PageReading.Line(text: "a", confidence: 0.5)) == "[\"a\",0.5]")
        let unsure = PageReading.Line(text: "a", quad: quad([0, 0, 2, 0, 2, 2, 0, 2]))
        #expect(try json(unsure) == "[\"a\",null,0,0,2,0,2,2]")
    }

    @Test func aReadingThatWentWellSaysNoMoreThanItsResult() throws {
        let reading = PageReading(
            lines: [.init(text: "a")],
            orientation: "cw",
            titleRead: true,
            authorRead: false,
            cer: 0.33333,
            milliseconds: [31.236, nil],
            stages: [0.25, nil]
        )
        #expect(
            try json(reading)
                == "{\"a\":0,\"e\":0.333,\"l\":[[\"a\"]],\"m\":[31.24,null],\"o\":\"cw\",\"s\":[0.3,null],\"t\":1}"
        )
    }

    @Test func aReadingThatFailedSaysHow() throws {
        let reading = PageReading(outcome: .timedOut, problem: "no answer in 30 s", varies: true)
        #expect(try json(reading) == "{\"p\":\"no answer in 30 s\",\"u\":\"timedOut\",\"v\":1}")
    }

    @Test func aSampleKeepsThePlaceOfAMeasurementThatDidNotReadIt() throws {
        let sample = PageSample(
            id: "s",
            category: "mixed",
            title: "T",
            transcription: "t",
            legible: false,
            readings: [nil, PageReading(titleRead: true)]
        )
        #expect(
            try json(sample) == "{\"c\":\"mixed\",\"i\":\"s\",\"n\":1,\"r\":[null,{\"t\":1}],\"t\":\"T\",\"x\":\"t\"}"
        )
    }
}
