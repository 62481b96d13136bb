import Foundation
import Imaging
import Testing

@testable import TextRecognition

/// Returns a map by a function of column and row.
private func map(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) -> ProbabilityMap {
    let values = (0..<width * height).map { value($0 % width, $0 / width) }
    return ProbabilityMap(width: width, height: height, values: values)
}

@Suite struct RegionScanTests {
    /// Returns the regions of a picture in which `#` is text.
    private func regions(_ rows: [String]) -> [[Point]] {
        let cells = rows.map(Array.init)
        let map = map(cells[0].count, cells.count) { x, y in cells[y][x] == "#" ? 0.9 : 0.1 }
        return map.regions(above: 0.3)
    }

    /// Each row of a region gives its leftmost and rightmost pixel.
    @Test(
        arguments: [
            // Pixels that touch at a corner are one region.
            (
                ["#....", ".#...", "....#"],
                [[(0.5, 0.5), (0.5, 0.5), (1.5, 1.5), (1.5, 1.5)], [(4.5, 2.5), (4.5, 2.5)]]
            ),
            (["##.##", "#...#", "#####"], [[(0.5, 0.5), (4.5, 0.5), (0.5, 1.5), (4.5, 1.5), (0.5, 2.5), (4.5, 2.5)]]),
            (
                ["##..##", "##..##"],
                [[(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5)], [(4.5, 0.5), (5.5, 0.5), (4.5, 1.5), (5.5, 1.5)]]
            ),
        ] as [([String], [[(Double, Double)]])]
    )
    func pixelsThatTouchAreARegion(picture: [String], expected: [[(Double, Double)]]) {
        let found = regions(picture)
        #expect(found.count == expected.count)
        for (region, points) in zip(found, expected) { expectClose(region, points) }
    }

    @Test func thresholdItselfIsNotText() {
        let flat = map(4, 4) { _, _ in 0.3 }
        #expect(flat.regions(above: 0.3).isEmpty)
    }
}

@Suite struct BoxExtractionTests {
    /// Returns the mean of a map in the rectangle of its only region.
    private func score(of map: ProbabilityMap) throws -> Double {
        let region = try #require(map.regions(above: 0.3).first)
        return try #require(RotatedRectangle(around: region)).mean(of: map)
    }

    /// Returns a map with 20 × 8 pixels of text at (10, 8).
    private func block(_ value: Float) -> ProbabilityMap {
        map(64, 32) { x, y in (10..<30).contains(x) && (8..<16).contains(y) ? value : 0.05 }
    }

    @Test func rectangleGrowsByItsAreaOverItsPerimeter() throws {
        let lines = BoxExtraction().lines(in: block(0.8)).lines
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(abs(try score(of: block(0.8)) - 0.8) < 1e-5)
        // The pixels' centres span 19 × 7; 19 · 7 · 1.6 / (2 · (19 + 7)) = 4.0923.
        let growth = 19 * 7 * 1.6 / 52
        expectClose(
            line.corners,
            [
                (10.5 - growth, 8.5 - growth), (29.5 + growth, 8.5 - growth),
                (29.5 + growth, 15.5 + growth), (10.5 - growth, 15.5 + growth),
            ]
        )
    }

    @Test func leaningRegionIsOpenCVs() throws {
        // 60 × 12 pixels turned by 30° around (48, 32): pixels whose centres are inside.
        let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
        let leaning = map(96, 64) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - 48, Double(y) + 0.5 - 32)
            return abs(dx * c + dy * s) <= 30 && abs(dy * c - dx * s) <= 6 ? 0.75 : 0
        }
        let line = try #require(BoxExtraction().lines(in: leaning).lines.first)
        #expect(abs(try score(of: leaning) - 0.75) < 0.01)
        // cv2.minAreaRect of these 720 centres, grown by area · 1.6 / perimeter = 7.9763, as cv2.boxPoints gives it.
        expectClose(
            line.corners,
            [(22.1086, 0.9503), (87.84, 38.8722), (73.8914, 63.0497), (8.16, 25.1278)],
            within: 0.01
        )
    }

    @Test func faintOrThinRegionIsNoLine() {
        #expect(BoxExtraction().lines(in: block(0.45)).lines.isEmpty)
        var lenient = BoxExtraction()
        lenient.minimumScore = 0.4
        #expect(lenient.lines(in: block(0.45)).lines.count == 1)
        // Two rows span one pixel from centre to centre, three rows two.
        for rows in [2, 3] {
            let thin = map(64, 32) { x, y in (10..<30).contains(x) && (8..<8 + rows).contains(y) ? 0.9 : 0 }
            #expect(BoxExtraction().lines(in: thin).lines.count == rows - 2)
        }
    }

    /// 4 × 4 of 64 × 32 pixels are 0.2: too faint for a line, and more than the 0.05 around.
    @Test func whatLiesOutsideTheLinesIsMissed() {
        let line = block(0.8)
        let faint = map(64, 32) { x, y in
            (50..<54).contains(x) && (20..<24).contains(y) ? 0.2 : line.values[y * 64 + x]
        }
        #expect(BoxExtraction().lines(in: line).missed == 0)
        let found = BoxExtraction().lines(in: faint)
        #expect(found.lines.count == 1 && abs(found.missed - 16 * 0.2 / 2048) < 1e-7)
    }

    @Test func emptyAndFullMapsAreTaken() throws {
        #expect(BoxExtraction().lines(in: map(16, 16) { _, _ in 0 }).lines.isEmpty)
        #expect(BoxExtraction().lines(in: map(1, 1) { _, _ in 1 }).lines.isEmpty)
        let full = map(16, 16) { _, _ in 1 }
        #expect(BoxExtraction().lines(in: full).lines.count == 1)
        #expect(try score(of: full) == 1)
    }
}
