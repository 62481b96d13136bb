import Foundation
import Imaging
import Testing

@testable import TextRecognition

@Suite struct ConvexHullTests {
    private func hull(_ points: [(Double, Double)]) -> [Point] {
        convexHull(points.map { Point(x: $0.0, y: $0.1) })
    }

    @Test func innerPointsAndPointsOnAnEdgeAreLeftOut() {
        expectClose(
            hull([(0, 0), (4, 0), (4, 4), (0, 4), (2, 2), (2, 0), (4, 1)]),
            [(0, 0), (4, 0), (4, 4), (0, 4)]
        )
    }

    @Test func hullIsShapelys() {
        // MultiPoint.convex_hull of Shapely 2.2, begun at the leftmost point and the other way round.
        expectClose(
            hull([(2, 3), (10, 1), (14, 8), (7, 12), (3, 9), (8, 6)]),
            [(2, 3), (10, 1), (14, 8), (7, 12), (3, 9)]
        )
    }

    @Test func pointsOnALineHaveNoInside() {
        #expect(hull([(0, 0), (1, 1), (2, 2), (5, 5)]).count <= 2)
        #expect(hull([(3, 0), (3, 1), (3, 2)]).count <= 2)
        #expect(hull([(3, 0), (3, 0), (3, 0)]).count <= 2)
        #expect(hull([(3, 0)]).count == 1)
        #expect(hull([]).isEmpty)
    }
}

@Suite struct RotatedRectangleTests {
    /// Points, and `cv2.minAreaRect` of them (OpenCV 5.0): centre and sides, the shorter first.
    @Test(arguments: [
        ([2, 3, 10, 1, 14, 8, 7, 12, 3, 9, 8, 6], [7.0846, 6.0231], [10.0468, 10.2949]),
        ([0, 0, 20, 10, 18, 14, -2, 4, 9, 7], [9, 7], [4.4721, 22.3607]),
        ([5.5, 2.5, 9.5, 2.5, 9.5, 20.5, 5.5, 20.5, 7.5, 11.5], [7.5, 11.5], [4, 18]),
        ([1, 1, 4, 5, 9, 6, 12, 2, 8, -3, 3, -2], [6.4878, 1.6098], [8.121, 9.9951]),
    ])
    func isTheRectangleOfLeastArea(coordinates: [Double], centre: [Double], sides: [Double]) throws {
        let points = stride(from: 0, to: coordinates.count, by: 2).map {
            Point(x: coordinates[$0], y: coordinates[$0 + 1])
        }
        let rectangle = try #require(RotatedRectangle(around: points))
        expectClose([rectangle.centre], [(centre[0], centre[1])], within: 1e-3)
        #expect(abs(rectangle.shortSide - sides[0]) < 1e-3)
        #expect(abs(max(rectangle.width, rectangle.height) - sides[1]) < 1e-3)
        let quad = rectangle.quad
        #expect(abs(quad.area - sides[0] * sides[1]) < 1e-2)
        // Every point is inside: the quad shares nothing else with its surroundings.
        #expect(abs(quad.intersectionArea(with: rectangle.grown(by: 1).quad) - quad.area) < 1e-6)
    }

    @Test func pointsOnALineHaveNone() {
        #expect(RotatedRectangle(around: []) == nil)
        #expect(RotatedRectangle(around: [Point(x: 1, y: 1), Point(x: 1, y: 1)]) == nil)
        #expect(RotatedRectangle(around: (0..<5).map { Point(x: Double($0), y: 2) }) == nil)
    }

    @Test func growingMovesEverySide() throws {
        let rectangle = try #require(RotatedRectangle(around: box(10, 20, 30, 8).corners))
        expectClose(rectangle.grown(by: 2).quad.corners, [(8, 18), (42, 18), (42, 30), (8, 30)])
    }

    @Test func cornersBeginAtTheTopLeftWhicheverWayItLeans() throws {
        // Text of a rectangle that leans a little either way runs to the right.
        let falling = try #require(RotatedRectangle(around: quad([(0, 0), (20, 4), (19, 9), (-1, 5)]).corners))
        expectClose(falling.quad.corners, [(0, 0), (20, 4), (19, 9), (-1, 5)], within: 0.01)
        let rising = try #require(RotatedRectangle(around: quad([(-1, 4), (19, 0), (20, 5), (0, 9)]).corners))
        expectClose(rising.quad.corners, [(-1, 4), (19, 0), (20, 5), (0, 9)], within: 0.01)
    }

    @Test func meanIsOfThePixelsWhoseCentresLieInside() throws {
        // 4 × 3 pixels with the values 0…11; the rectangle holds the centres of the middle two of the first two rows.
        let map = ProbabilityMap(width: 4, height: 3, values: (0..<12).map(Float.init))
        let rectangle = try #require(RotatedRectangle(around: box(1.5, 0.5, 1, 1).corners))
        // (1 + 2 + 5 + 6) / 4
        #expect(rectangle.mean(of: map) == 3.5)
        let between = try #require(RotatedRectangle(around: box(1.6, 0.6, 0.3, 0.3).corners))
        #expect(between.mean(of: map) == 0)
    }
}
