import Foundation
import Testing

@testable import Basics

@Suite struct FigureTests {
    @Test func figuresSurviveJSON() throws {
        func stored<Value: StoredFigure & Equatable>(_ figure: Measured<Value>) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let data = try encoder.encode(figure)
            #expect(try JSONDecoder().decode(Measured<Value>.self, from: data) == figure)
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try stored(Figure.value(0.5)) == #"{"value":0.5}"#)
        #expect(try stored(Figure.absent("no samples")) == #"{"absent":"no samples"}"#)
        #expect(try stored(IntervalFigure.value(1.5...2)) == #"{"lower":1.5,"upper":2}"#)
        #expect(try stored(IntervalFigure.absent("no")) == #"{"absent":"no"}"#)
        let reversed = Data(#"{"lower": 2, "upper": 1}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(IntervalFigure.self, from: reversed) }
    }

    @Test func anAbsentFigureKeepsItsReasonWhenMapped() {
        #expect(Figure.absent("no samples").map { $0 * 2 } == .absent("no samples"))
        #expect(Figure.value(2).map { $0 * 2 } == .value(4))
    }
}
