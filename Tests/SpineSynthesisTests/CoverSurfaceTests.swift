import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Cover grain and wear")
struct CoverSurfaceTests {
    private let area = CoverArea(left: 10, top: 10, width: 100, height: 400)
    private let flat = Cameras.flat(width: 120, height: 420) { _, _ in 100 }

    private func cover(_ material: Cover.Material, grain: Double = 1, wear: Double = 0, roundness: Double = 0) -> Cover
    {
        Cover(
            material: material,
            colour: Colour(0x646464),
            footColour: Colour(0x646464),
            marks: [],
            grain: grain,
            wear: wear,
            roundness: roundness
        )
    }

    private func grained(_ cover: Cover) -> RasterImage {
        var (image, generator) = (flat, SeededGenerator(seed: 4))
        CoverGrain(cover: cover, area: area).apply(to: &image, &generator)
        return image
    }

    private func worn(_ cover: Cover) -> RasterImage {
        var (image, generator) = (flat, SeededGenerator(seed: 4))
        CoverWear(cover: cover, area: area).apply(to: &image, &generator)
        return image
    }

    private func deviation(_ image: RasterImage) -> Double {
        let values = (20..<400).flatMap { y in (20..<100).map { Double(image.grey($0, y)) } }
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }

    @Test("smooth materials are smoother than rough ones, and none changes its surroundings")
    func materials() {
        let images = [Cover.Material.laminate, .paper, .leather, .cloth].map { grained(cover($0)) }
        let rough = images.map(deviation)
        #expect(rough[0] < 2 && rough[0] < rough[1] && rough[1] < rough[2] && rough[1] < rough[3])
        #expect(rough[2] < 20 && rough[3] < 20)
        for image in images {
            #expect((0..<120).allSatisfy { image.grey($0, 5) == 100 && image.grey($0, 415) == 100 })
            #expect((0..<420).allSatisfy { image.grey(5, $0) == 100 && image.grey(115, $0) == 100 })
        }
    }

    @Test("a cover without grain is even, and darker at its edges by its roundness")
    func roundness() {
        #expect(grained(cover(.cloth, grain: 0)) == flat)
        let round = grained(cover(.cloth, grain: 0, roundness: 0.5))
        // 1 − 0.5 × 0.99⁴ = 0.52 of 100 at 0.99 of the half width.
        #expect(abs(round.grey(10, 200) - 52) <= 1 && round.grey(60, 200) == 100)
    }

    @Test("a new book is not worn, a used one is cracked and rubbed, and nothing beside it is")
    func wear() {
        #expect(worn(cover(.laminate)) == flat)
        let used = worn(cover(.laminate, wear: 1))
        let inside = (10..<410).flatMap { y in (10..<110).map { used.grey($0, y) } }
        #expect(inside.contains { $0 > 160 })
        #expect(inside.allSatisfy { $0 >= 100 })
        let edge = (10..<410).reduce(0) { $0 + used.grey(10, $1) }
        let inner = (10..<410).reduce(0) { $0 + used.grey(30, $1) }
        #expect(edge > inner)
        #expect((0..<420).allSatisfy { used.grey(9, $0) == 100 && used.grey(110, $0) == 100 })
    }

    @Test("covers of a pixel or two have grain and wear too")
    func tiny() {
        for side in 1...3 {
            var image = Cameras.flat(width: side, height: side) { _, _ in 100 }
            var generator = SeededGenerator(seed: 1)
            let area = CoverArea(left: 0, top: 0, width: side, height: side)
            CoverGrain(cover: cover(.leather), area: area).apply(to: &image, &generator)
            CoverWear(cover: cover(.laminate, wear: 1), area: area).apply(to: &image, &generator)
            #expect(image.pixels.allSatisfy { $0 > 0 })
        }
    }

    @Test("smooth noise stays within −1…1 and is smooth")
    func noise() {
        var generator = SeededGenerator(seed: 1)
        let field = NoiseField(cell: 8, width: 37, height: 30, &generator)
        var rows: [[Float]] = []
        for y in 0..<30 {
            var row = [Float](repeating: 9, count: 37)
            row.withUnsafeMutableBufferPointer { field.fill($0, y: y) }
            rows.append(row)
        }
        #expect(rows.joined().allSatisfy { abs($0) <= 1 })
        // It changes by 2 at most from corner to corner, eight pixels apart.
        for y in 1..<30 { #expect(zip(rows[y], rows[y - 1]).allSatisfy { abs($0 - $1) <= 0.2501 }) }
        for row in rows { #expect(zip(row, row.dropFirst()).allSatisfy { abs($0 - $1) <= 0.2501 }) }
    }
}
