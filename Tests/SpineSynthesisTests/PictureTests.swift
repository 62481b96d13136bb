import Basics
import Imaging
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Picture")
struct PictureTests {
    private func dot(side: Int) -> Picture {
        var pixels = [Picture.Pixel](repeating: .zero, count: side * side)
        pixels[side * side / 2] = .one
        return Picture(width: side, height: side, pixels: pixels)
    }

    private func spread(_ values: [Double]) -> (mean: Double, deviation: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot())
    }

    @Test("a dot that moves is a line of its length, of the same light", arguments: [false, true])
    func motion(_ isDown: Bool) {
        let blurred = dot(side: 21).moved(length: 8, isDown: isDown)
        let line = (0..<21).map { blurred.pixels[isDown ? $0 * 21 + 10 : 10 * 21 + $0].x }
        #expect(abs(line.reduce(0, +) - 1) < 1e-5)
        // Spread over eight pixels, each has an eighth of the light; the two ends have half a pixel to cover.
        #expect(line[7...13].allSatisfy { abs($0 - 0.125) < 1e-5 })
        #expect(abs(line[6] - 0.0625) < 1e-5 && line[..<6].allSatisfy { $0 == 0 } && line[15...].allSatisfy { $0 == 0 })
    }

    @Test("a Gaussian spreads a dot by its deviation and keeps its light", arguments: [0.6, 1.5])
    func gaussian(_ sigma: Double) {
        let blurred = dot(side: 31).blurred(sigma: sigma)
        var (light, square) = (0.0, 0.0)
        for (index, pixel) in blurred.pixels.enumerated() {
            let x = Double(index % 31 - 15)
            light += Double(pixel.x)
            square += Double(pixel.x) * x * x
        }
        #expect(abs(light - 1) < 1e-5 && abs(square.squareRoot() - sigma) < 0.03 * sigma)
        #expect(dot(side: 3).blurred(sigma: 0).pixels == dot(side: 3).pixels)
    }

    @Test("blurring an even picture changes nothing, to its very edges")
    func edges() {
        let even = Picture(width: 7, height: 2, pixels: [Picture.Pixel](repeating: .init(0.3, 0.6, 0.9, 0), count: 14))
        let blurred = even.moved(length: 9, isDown: true).moved(length: 4, isDown: false).blurred(sigma: 3)
        for pixel in blurred.pixels { #expect((pixel - even.pixels[0]).max() < 1e-5) }
    }

    @Test("seen from far away, fine stripes are the mean of their light and not a pattern", arguments: [2, 3, 8])
    func area(_ shrink: Int) throws {
        var stripes = RasterImage(width: 96, height: 96, channels: 3)
        for index in stripes.pixels.indices where index / 3 % 2 == 0 { stripes.pixels[index] = 255 }
        let (side, frame) = (96 / shrink, Quad(left: 0, top: 0, right: 96, bottom: 96))
        let projection = try #require(
            Projection(frame: frame, width: side, height: side, photo: (side, side), barrel: 0, bends: [])
        )
        let seen = Picture(stripes).seen(through: projection)
        // An odd number of stripes has one more of one kind than of the other.
        let most = 0.01 + (shrink.isMultiple(of: 2) ? 0 : 0.5 / Float(shrink))
        #expect((1..<side - 1).allSatisfy { abs(seen.pixels[side + $0].x - 0.5) < most })
    }

    @Test("every byte is the same again after it was light")
    func tone() {
        var bytes = RasterImage(width: 256, height: 1, channels: 3)
        for index in bytes.pixels.indices { bytes.pixels[index] = UInt8(index / 3) }
        #expect(Picture(bytes).image() == bytes)
        let beyond = Picture(width: 2, height: 1, pixels: [.init(7, 1, 1, 0), .init(-1, 0, 0, 0)])
        #expect(beyond.image().pixels == [255, 255, 255, 0, 0, 0])
    }

    @Test("photons and reading make the noise that they make by hand")
    func noise() {
        // White is 4000 electrons. In the dark, reading is 2 of them; at white, √(4000 + 4) = 63.28.
        #expect(abs(Picture.noise(at: 0, iso: 100) - 0.0005) < 1e-9)
        #expect(abs(Picture.noise(at: 1, iso: 100) - 63.28 / 4000) < 1e-5)
        var grey = Picture(width: 200, height: 200, pixels: .init(repeating: .init(repeating: 0.2159), count: 40_000))
        var generator = SplitMix64(state: 3)
        grey.addNoise(iso: 800, &generator)
        let (mean, deviation) = spread(grey.pixels.map { Double($0.y) })
        let expected = Picture.noise(at: 0.2159, iso: 800)
        #expect(abs(mean - 0.2159) < 4 * expected / 200 && abs(deviation - expected) < 0.02 * expected)
    }

    @Test("normal numbers have mean 0 and deviation 1")
    func normal() {
        var generator = SplitMix64(state: 1)
        let (mean, deviation) = spread((0..<65_536).map { _ in Double(generator.normal()) })
        // Four standard errors of 65,536 draws: 4 / 256 and 4 / (256 √2).
        #expect(abs(mean) < 0.0157 && abs(deviation - 1) < 0.0111)
    }

    @Test("noise keeps to its box, and is smooth from cell to cell")
    func field() throws {
        let canvas = try Canvas(width: 60, height: 40)
        let box = Box(x: 10, y: 5, width: 37, height: 30)
        var generator = SplitMix64(state: 1)
        try canvas.noise(in: box, cellWidth: 8, cellHeight: 8) { (.white, generator.nextDouble()) }
        let image = canvas.image()
        let drawn = image.points(1...255)
        #expect(drawn.count > 900 && box.contains(drawn.bounds))
        // It changes by 255 at most from cell to cell, eight pixels apart.
        let steps = (6..<34).flatMap { y in (11..<45).map { abs(image.grey($0, y) - image.grey($0 + 1, y)) } }
        #expect(steps.allSatisfy { $0 <= 33 })
    }

    @Test("shapes fill their boxes", arguments: Mark.Shape.allCases)
    func marks(_ shape: Mark.Shape) throws {
        let canvas = try Canvas(width: 60, height: 60)
        let box = Box(x: 10, y: 15, width: 40, height: 30)
        canvas.draw(shape, in: box, .white)
        let drawn = canvas.image().points(1...255)
        #expect(box.inset(by: -1).contains(drawn.bounds) && drawn.bounds.width > 36 && drawn.bounds.height > 25)
    }
}
