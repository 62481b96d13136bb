import Raster
import Testing

@testable import Realism

@Suite struct VisibleAreaTests {
    /// A row of flags for each row of pixels.
    private func picture(_ area: VisibleArea) -> [String] {
        (0..<area.height).map { y in
            (0..<area.width).map { area.isVisible[y * area.width + $0] ? "#" : "." }.joined()
        }
    }

    @Test func blackCountsUnlessItIsConnectedWithTheBorder() {
        // Black in the left column, and a black pixel inside; 8 is black, 9 is not.
        let image = TestImage.grey(6, 3) { x, y in x == 0 ? 8 : (x, y) == (3, 1) ? 0 : 9 }
        #expect(picture(VisibleArea(of: image, margin: 0)) == [".#####", ".#####", ".#####"])
        #expect(picture(VisibleArea(of: image, margin: 2)) == ["...###", "...###", "...###"])
    }

    @Test func paintReachesRoundCorners() {
        // A spiral of black from the top left corner to the middle.
        let rows = ["....x", "xxx.x", "x...x", "x.xxx"]
        let image = TestImage.grey(5, 4) { x, y in Array(rows[y])[x] == "." ? 0 : 200 }
        #expect(picture(VisibleArea(of: image, margin: 0)) == ["....#", "###.#", "#...#", "#.###"])
    }

    @Test func aBlackPictureHasNothingToSee() {
        #expect(VisibleArea(of: TestImage.grey(3, 3) { _, _ in 0 }, margin: 4).count == 0)
        #expect(VisibleArea(of: TestImage.grey(1, 1) { _, _ in 90 }, margin: 4).count == 1)
    }

    @Test func regionsAreTakenOutWithTheirMargin() {
        let area = VisibleArea(of: TestImage.grey(7, 5) { _, _ in 90 }, margin: 0)
        // Pixels 2…4 of row 2: centres between 2 and 5, and between 2 and 3.
        let corners = [Point(x: 2, y: 2), Point(x: 5, y: 2), Point(x: 5, y: 3), Point(x: 2, y: 3)]
        for turn in 0..<4 {
            // Whichever corner the text begins at, and whichever way round the corners run.
            let c = (0..<4).map { corners[($0 + turn) % 4] }
            for quad in [
                Quad(topLeft: c[0], topRight: c[1], bottomRight: c[2], bottomLeft: c[3]),
                Quad(topLeft: c[3], topRight: c[2], bottomRight: c[1], bottomLeft: c[0]),
            ] {
                let without = area.without(quad, margin: 0)
                #expect(picture(without) == ["#######", "#######", "##...##", "#######", "#######"])
                let wider = area.without(quad, margin: 1)
                #expect(picture(wider) == ["#######", "#.....#", "#.....#", "#.....#", "#######"])
            }
        }
    }

    @Test func regionsMayLieOutside() {
        let area = VisibleArea(of: TestImage.grey(3, 2) { _, _ in 90 }, margin: 0)
        func box(_ x: Double, _ side: Double) -> Quad {
            Quad(
                topLeft: Point(x: x, y: -1),
                topRight: Point(x: x + side, y: -1),
                bottomRight: Point(x: x + side, y: side),
                bottomLeft: Point(x: x, y: side)
            )
        }
        #expect(area.without(box(50, 5), margin: 2).count == 6)
        #expect(area.without(box(-1e9, 2e9), margin: 2).count == 0)
    }
}
