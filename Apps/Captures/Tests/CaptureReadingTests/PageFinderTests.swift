import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Pages on drawn pictures: see `DrawnPage`.
@Suite
struct PageFinderTests {
    @Test
    func cornersAreFound() {
        var errors: [(value: Double, name: String)] = []
        for seed in SubjectSifterTests.seeds {
            let drawn = DrawnPage(seed: seed)
            let page = PageFinder.page(in: drawn.image)
            errors.append((page.map { drawn.error(of: $0.quad) } ?? .infinity, drawn.name))
        }
        let sorted = errors.sorted { $0.value < $1.value }
        let found = sorted.count { $0.value < 1 }
        print("pages: \(found) of \(errors.count) within 1 %, median \(sorted[errors.count / 2].value) %; the worst:")
        for entry in sorted.suffix(12) { print("  \(entry.value) \(entry.name)") }
        #expect(Double(found) >= 0.9 * Double(errors.count))
    }

    @Test
    func tablesAloneHaveNone() {
        let found = SubjectSifterTests.seeds.filter {
            PageFinder.page(in: DrawnPage(seed: $0, hasPage: false).image) != nil
        }
        print("tables: a page on \(found.count) of \(SubjectSifterTests.seeds.count): \(found)")
        #expect(found.isEmpty)
    }

    /// A white page straight on grey, 200 × 120 pixels: rectified, it is as large and white but for its rim.
    @Test
    func pagesAreRectified() throws {
        var image = RasterImage.plain(400, 300, 90)
        for y in 80..<200 { for x in 100..<300 { image.pixels[y * 400 + x] = 240 } }
        let page = try #require(PageFinder.page(in: image))
        #expect(page.quad.topLeft.distance(to: Point(x: 100, y: 80)) < 0.5)
        #expect(page.quad.bottomRight.distance(to: Point(x: 300, y: 200)) < 0.5)
        let flat = try #require(page.rectified(image))
        #expect((flat.width, flat.height) == (200, 120))
        #expect(flat.pixels[60 * 200 + 100] == 240 && flat.pixels[3 * 200 + 3] == 240)
    }

    /// A page from (10, 20) to (50, 80), at half its size 20 × 30 pixels of 40 × 60; and one on its corner, half of
    /// its square.
    @Test
    func pagesAreSubjects() throws {
        func page(_ corners: [(Double, Double)]) -> FoundPage {
            let points = corners.map { Point(x: $0.0, y: $0.1) }
            let quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
            return FoundPage(quad: quad)
        }
        let straight = page([(10, 20), (50, 20), (50, 80), (10, 80)])
        let subject = try #require(straight.subject(scale: 0.5, width: 40, height: 60))
        #expect((subject.minX, subject.minY, subject.maxX, subject.maxY) == (5, 10, 25, 40))
        #expect(subject.share == 600.0 / 2_400 && subject.mask.pixels.count { $0 == 255 } == 600)
        let turned = page([(20, 0), (40, 20), (20, 40), (0, 20)])
        let diamond = try #require(turned.subject(scale: 1, width: 40, height: 40))
        #expect(abs(diamond.share - 0.5) < 0.03)
        #expect(straight.subject(scale: 0.5, width: 5, height: 10) == nil)
        // Corners beyond either side of the picture: by hand 2, 6, 8 and 8 columns of the upper rows, and so of the
        // lower ones.
        let beyond = page([(4, 0), (12, 4), (4, 8), (-4, 4)])
        #expect(beyond.subject(scale: 1, width: 8, height: 8)?.share == 0.75)
        #expect(page([(-4, 0), (-1, 0), (-1, 8), (-4, 8)]).subject(scale: 1, width: 8, height: 8) == nil)
        #expect(page([(9, 0), (12, 0), (12, 8), (9, 8)]).subject(scale: 1, width: 8, height: 8) == nil)
        #expect(straight.holds(mostOf: [straight.quad, turned.quad, page([(0, 0), (8, 0), (8, 8), (0, 8)]).quad]))
        #expect(!straight.holds(mostOf: []) && !straight.holds(mostOf: [page([(0, 0), (8, 0), (8, 8), (0, 8)]).quad]))
    }

    @Test(arguments: [(1, 1), (31, 300), (2_000, 32), (300, 200)])
    func plainAndNarrowPicturesHaveNone(_ width: Int, _ height: Int) {
        #expect(PageFinder.page(in: .plain(width, height)) == nil)
    }
}
