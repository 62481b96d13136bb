import Foundation
import Testing

@testable import Basics

@Suite struct FigureTests {
    @Test(arguments: [Figure.value(0.5), .absent("no samples")])
    func figuresSurviveJSON(figure: Figure) throws {
        #expect(try JSONDecoder().decode(Figure.self, from: JSONEncoder().encode(figure)) == figure)
    }

    @Test func anAbsentFigureKeepsItsReasonWhenMapped() {
        #expect(Figure.absent("no samples").map { $0 * 2 } == .absent("no samples"))
        #expect(Figure.value(2).map { $0 * 2 } == .value(4))
    }
}
