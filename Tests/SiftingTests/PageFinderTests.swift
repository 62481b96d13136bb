import Foundation
import Raster
import Sifting
import Testing

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

    @Test(arguments: [(1, 1), (31, 300), (2_000, 32), (300, 200)])
    func plainAndNarrowPicturesHaveNone(_ width: Int, _ height: Int) {
        #expect(PageFinder.page(in: .plain(width, height)) == nil)
    }
}
