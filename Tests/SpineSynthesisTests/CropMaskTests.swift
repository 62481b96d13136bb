import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Crop mask")
struct CropMaskTests {
    private let grey = Cameras.flat(width: 60, height: 300) { _, _ in 90 }

    @Test("a mask that does not stray blackens exactly what lies outside")
    func exact() {
        var (image, generator) = (grey, SeededGenerator(seed: 1))
        CropMask(outline: Cameras.rectangle(10, 20, 50, 280), stray: 0).apply(to: &image, &generator)
        for y in 0..<300 {
            for x in 0..<60 {
                #expect(image.grey(x, y) == ((10..<50).contains(x) && (20..<280).contains(y) ? 90 : 0))
            }
        }
    }

    @Test("a mask that strays is irregular, but cuts off no more than a fifth of its stray")
    func stray() {
        var (image, generator) = (grey, SeededGenerator(seed: 2))
        CropMask(outline: Cameras.rectangle(10, 20, 50, 280), stray: 5).apply(to: &image, &generator)
        for y in 22..<278 { #expect(image.grey(12, y) == 90 && image.grey(47, y) == 90) }
        let lefts = Set((30..<270).map { y in (0..<60).first { image.grey($0, y) == 90 } ?? 60 })
        #expect(lefts.count > 1)
        #expect(image.grey(2, 150) == 0)
    }

    @Test("an outline outside the image leaves nothing, one around it everything")
    func outside() {
        var (image, generator) = (grey, SeededGenerator(seed: 3))
        CropMask(outline: Cameras.rectangle(-20, -20, 90, 400), stray: 1).apply(to: &image, &generator)
        #expect(image == grey)
        CropMask(outline: Cameras.rectangle(100, 20, 140, 280), stray: 0).apply(to: &image, &generator)
        #expect(image.pixels.allSatisfy { $0 == 0 })
    }
}
