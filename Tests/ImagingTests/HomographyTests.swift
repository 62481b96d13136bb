import Imaging
import Testing

struct HomographyTests {
    private let outline = quad((10, 5), (50, 8), (48, 30), (9, 27))

    @Test func cornersGoToCornersAndDiagonalsCrossWhereTheyCrossedBefore() throws {
        let map = try #require(Homography(width: 40, height: 22, to: outline))
        let from = Quad(x: 0, y: 0, width: 40, height: 22).corners
        for (corner, expected) in zip(from, outline.corners) {
            #expect(map.apply(corner).distance(to: expected) < 1e-9)
        }
        // The middle of the rectangle is where its diagonals cross, and straight lines stay straight. The crossing of
        // the quad's diagonals, by hand: (10, 5) + t (38, 25) = (50, 8) + u (−41, 19) gives t = 883/1747.
        let t = 883.0 / 1747.0
        #expect(map.apply(Point(x: 20, y: 11)).distance(to: Point(x: 10 + 38 * t, y: 5 + 25 * t)) < 1e-9)
        let point = Point(x: 13.5, y: 20.25)
        #expect(map.inverse.apply(map.apply(point)).distance(to: point) < 1e-9)
    }

    @Test func aMirroredQuadHasAMapAndARectangleWithoutASideNone() {
        #expect(Homography(width: 1, height: 1, to: quad((50, 8), (10, 5), (9, 27), (48, 30))) != nil)
        #expect(Homography(width: 0, height: 10, to: outline) == nil)
    }

    @Test(
        arguments: [
            // No area: a point, a line.
            [(5, 5), (5, 5), (5, 5), (5, 5)], [(0, 0), (1, 0), (2, 0), (3, 0)],
            // Two corners in one place; three in a line.
            [(0, 0), (9, 0), (9, 0), (0, 9)], [(0, 0), (5, 0), (10, 0), (5, 9)],
            // A dent; crossed sides.
            [(0, 0), (9, 0), (2, 2), (0, 9)], [(0, 0), (9, 9), (9, 0), (0, 9)],
            // Not finite.
            [(0, 0), (.nan, 0), (9, 9), (0, 9)], [(0, 0), (.infinity, 0), (9, 9), (0, 9)],
        ] as [[(Double, Double)]]
    )
    func aDegenerateQuadHasNoMap(corners: [(Double, Double)]) {
        let outline = quad(corners[0], corners[1], corners[2], corners[3])
        #expect(Homography(width: 10, height: 10, to: outline) == nil)
        #expect(ramps().cropped(to: outline, width: 10, height: 10) == nil)
    }
}
