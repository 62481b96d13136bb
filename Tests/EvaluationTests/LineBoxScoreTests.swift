import Foundation
import Imaging
import TestSupport
import Testing

@testable import Evaluation

@Suite(.tags(.unit)) struct LineBoxScoreTests {
    /// Pairs and overlaps that shapely and SciPy computed; see Fixtures/make_line_boxes.py.
    private struct Reference: Decodable {
        struct Case: Decodable {
            var labelled: [Quad]
            var found: [Quad]
            var matched: Int
            var overlaps: [Double]
        }

        var cases: [Case]
    }

    @Test func pairsAndOverlapsAreThoseOfOtherTools() throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/line-boxes", withExtension: "json"))
        let reference = try JSONDecoder().decode(Reference.self, from: Data(contentsOf: url))
        #expect(reference.cases.count == 16)
        for (number, expected) in reference.cases.enumerated() {
            let score = LineBoxScore(labelled: expected.labelled, found: expected.found)
            #expect(score.isFound.count { $0 } == expected.matched, "case \(number)")
            #expect(score.isRight.count { $0 } == expected.matched, "case \(number)")
            #expect(score.isRight.count == expected.found.count)
            #expect(zip(score.overlaps, expected.overlaps).allSatisfy { abs($0 - $1) < 2e-6 }, "case \(number)")
        }
    }

    private static func box(_ x: Double, _ width: Double) -> Quad {
        Quad(
            topLeft: Point(x: x, y: 0),
            topRight: Point(x: x + width, y: 0),
            bottomRight: Point(x: x + width, y: 10),
            bottomLeft: Point(x: x, y: 10)
        )
    }

    /// One box over two lines is one line's at most, and two boxes for one line are one line's.
    @Test(
        arguments: [
            ([(0.0, 10.0), (10, 10)], [(0.0, 20.0)], 1), ([(0, 20)], [(0, 10), (10, 10)], 1),
            ([(0, 10), (10, 10)], [(0, 10), (10, 10)], 2), ([(0, 10)], [], 0), ([(0, 10)], [(20, 10)], 0),
            // The first line fits both boxes; as many pairs as can be are made.
            ([(0, 10), (3, 10)], [(0, 10), (-3, 10)], 2),
        ] as [([(Double, Double)], [(Double, Double)], Int)]
    )
    func aBoxIsOneLines(_ labelled: [(Double, Double)], _ found: [(Double, Double)], _ pairs: Int) {
        let score = LineBoxScore(labelled: labelled.map(Self.box), found: found.map(Self.box))
        #expect(score.isFound.count { $0 } == pairs)
        #expect(score.isRight.count { $0 } == pairs)
    }
}
