import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Picture")
struct PictureTests {
    /// Returns a black picture, white from column `edge`.
    private func step(width: Int, edge: Int) -> Picture {
        let pixels = (0..<3 * width).map { Picture.Pixel(repeating: $0 % width >= edge ? 1 : 0) }
        return Picture(width: width, height: 3, pixels: pixels)
    }

    private func dot(side: Int) -> Picture {
        var pixels = [Picture.Pixel](repeating: .zero, count: side * side)
        pixels[side * side / 2] = .one
        return Picture(width: side, height: side, pixels: pixels)
    }

    /// Returns the position at which the middle row's light passes `level`, in pixels between centres.
    private func crossing(_ picture: Picture, _ level: Float) -> Double? {
        let row = (0..<picture.width).map { picture.pixels[picture.width + $0].x }
        guard let right = row.firstIndex(where: { $0 >= level }), right > 0 else { return nil }
        return Double(right - 1) + Double((level - row[right - 1]) / (row[right] - row[right - 1]))
    }

    @Test("an edge out of focus rises as the integral of a disc", arguments: [2.0, 4.0])
    func defocus(_ radius: Double) throws {
        let blurred = step(width: 40, edge: 20).blurred(by: PointSpread(radius: radius, length: 0, angle: 0))
        let (low, high) = (try #require(crossing(blurred, 0.1)), try #require(crossing(blurred, 0.9)))
        // ½ + (t √(1 − t²) + asin t) / π is 0.9 at t = 0.687, so that the rise takes 1.374 radii.
        #expect(abs((high - low) - 1.374 * radius) < 0.35)
        #expect(abs((high + low) / 2 - 19.5) < 0.01)
    }

    @Test("a dot that moves is a line of its length, along its direction, of the same light", arguments: [0.0, 90.0])
    func motion(_ angle: Double) {
        let blurred = dot(side: 21).blurred(by: PointSpread(radius: 0, length: 8, angle: angle))
        let line = (0..<21).map { blurred.pixels[angle == 0 ? 10 * 21 + $0 : $0 * 21 + 10].x }
        #expect(abs(line.reduce(0, +) - 1) < 1e-5)
        // Spread over eight pixels each has an eighth of the light; the two ends have half a pixel more to cover.
        #expect(line[7...13].allSatisfy { abs($0 - 0.125) < 0.01 })
        #expect(line[..<5].allSatisfy { $0 == 0 } && line[16...].allSatisfy { $0 == 0 })
    }

    @Test("nothing moved and nothing out of focus is a point")
    func point() {
        #expect(PointSpread(radius: 0, length: 0, angle: 0).taps == [PointSpread.Tap(x: 0, y: 0, weight: 1)])
    }

    @Test("a Gaussian spreads a dot by its deviation and keeps its light", arguments: [0.6, 1.5])
    func gaussian(_ sigma: Double) {
        let blurred = dot(side: 31).blurred(sigma: sigma)
        var (light, square) = (0.0, 0.0)
        for y in 0..<31 {
            for x in 0..<31 {
                let value = Double(blurred.pixels[y * 31 + x].x)
                light += value
                square += value * Double((x - 15) * (x - 15))
            }
        }
        #expect(abs(light - 1) < 1e-5)
        #expect(abs(square.squareRoot() - sigma) < 0.03 * sigma)
        #expect(dot(side: 3).blurred(sigma: 0).pixels == dot(side: 3).pixels)
    }

    @Test("blurring an even picture changes nothing, to its very edges")
    func edges() {
        let even = Picture(width: 7, height: 2, pixels: [Picture.Pixel](repeating: .init(0.3, 0.6, 0.9, 0), count: 14))
        let blurred = even.blurred(by: PointSpread(radius: 5, length: 9, angle: 20)).blurred(sigma: 3)
        for pixel in blurred.pixels { #expect((pixel - even.pixels[0]).max() < 1e-5) }
    }

    @Test("seen from far away, fine stripes are the mean of their light and not a pattern", arguments: [2, 3, 8])
    func area(_ shrink: Int) throws {
        let flat = Cameras.flat(width: 96, height: 96) { x, _ in x.isMultiple(of: 2) ? 255 : 0 }
        let side = 96 / shrink
        let projection = try #require(
            Projection(
                frame: Cameras.rectangle(0, 0, 96, 96),
                width: side,
                height: side,
                photo: (side, side),
                barrel: 0,
                bends: []
            )
        )
        let seen = Picture(flat).seen(through: projection)
        // An odd number of stripes has one more of one kind than of the other.
        let most = 0.01 + (shrink.isMultiple(of: 2) ? 0 : 0.5 / Float(shrink))
        let off = (1..<side - 1).map { abs(seen.pixels[side + $0].x - 0.5) }
        #expect(off.allSatisfy { $0 < most })
    }

    @Test("every byte is the same again after it was light")
    func tone() {
        let table = ToneCurve(contrast: 0).table
        table.withUnsafeBufferPointer { table in
            guard let start = table.baseAddress else { return }
            for byte in 0..<256 {
                #expect(Int(ToneCurve.value(ToneCurve.linear[byte], start) + 0.5) == byte)
            }
            #expect(ToneCurve.value(7, start) == 255 && ToneCurve.value(-1, start) == 0)
        }
    }

    @Test("contrast darkens the dark, lightens the light and leaves the ends")
    func contrast() {
        let (plain, curved) = (ToneCurve(contrast: 0).table, ToneCurve(contrast: 1).table)
        #expect(curved[0] == 0 && curved[4096] == 255)
        #expect(curved[100] < plain[100] && curved[2500] > plain[2500])
    }
}
