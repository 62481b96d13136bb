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
}
