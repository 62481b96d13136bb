import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Sensor")
struct SensorTests {
    /// A mid grey: light 0.2159 is byte 128 (IEC 61966-2-1).
    private let grey = Picture(
        width: 240,
        height: 240,
        pixels: [Picture.Pixel](repeating: Picture.Pixel(repeating: 0.2159), count: 240 * 240)
    )

    private func spread(_ values: [Double]) -> (mean: Double, deviation: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot())
    }

    private func luma(_ image: RasterImage) -> [Double] {
        stride(from: 0, to: image.pixels.count, by: 3).map { start in
            let weights = [0.299, 0.587, 0.114]
            return (0..<3).reduce(0) { $0 + weights[$1] * Double(image.pixels[start + $1]) }
        }
    }

    @Test("photons and reading make the noise that they make by hand")
    func deviation() {
        let sensor = Sensor(Cameras.still { $0.iso = 100 })
        // White is 4000 electrons. In the dark, reading is 2 of them; at white, √(4000 + 4) = 63.28.
        #expect(abs(sensor.deviation(at: 0) - 0.0005) < 1e-9)
        #expect(abs(sensor.deviation(at: 1) - 63.28 / 4000) < 1e-5)
        #expect(Sensor(CameraSpecification()).deviation(at: 1) == 0)
    }

    @Test("a grey picture has the noise that its label says", arguments: [100.0, 800, 3200], [0.0, 0.5, 0.85])
    func sigma(_ iso: Double, _ denoising: Double) throws {
        let sensor = Sensor(
            Cameras.still { camera in
                (camera.iso, camera.denoising, camera.sharpening) = (iso, denoising, denoising)
            }
        )
        var generator = SeededGenerator(seed: 3)
        let (mean, deviation) = spread(luma(sensor.develop(grey, &generator)))
        #expect(abs(mean - 128) < 1.5)
        // Rounding to bytes adds a twelfth of a step to each channel's variance, and 0.45 of that to luma's.
        let rounding = 0.45 / 12
        let expected = (sensor.noiseSigma * sensor.noiseSigma + rounding).squareRoot()
        #expect(abs(deviation - expected) < 0.15 * expected + 0.05)
    }

    @Test("without noise and processing, light becomes its byte")
    func plain() {
        var generator = SeededGenerator(seed: 1)
        #expect(Set(Sensor(CameraSpecification()).develop(grey, &generator).pixels) == [128])
    }

    @Test("an edge that is sharpened has a halo on both sides, an even surface has none")
    func sharpening() {
        let pixels = (0..<60).map { Picture.Pixel(repeating: $0 % 20 < 10 ? 0.1 : 0.4) }
        let sensor = Sensor(Cameras.still { $0.sharpening = 1 })
        var generator = SeededGenerator(seed: 1)
        let image = sensor.develop(Picture(width: 20, height: 3, pixels: pixels), &generator)
        let (dark, light) = (image.grey(2, 1), image.grey(17, 1))
        #expect(image.grey(9, 1) < dark - 5)
        #expect(image.grey(10, 1) > light + 5)
        #expect((0..<6).allSatisfy { image.grey($0, 1) == dark })
    }

    @Test("the table of normal numbers has mean 0, deviation 1 and few beyond three")
    func table() {
        let values = NormalTable.values.prefix(NormalTable.count).map(Double.init)
        let (mean, deviation) = spread(values)
        // Four standard errors of 65,536 draws: 4 / 256 and 4 / (256 √2).
        #expect(abs(mean) < 0.0157)
        #expect(abs(deviation - 1) < 0.0111)
        // 0.27 % of a normal distribution; twelve even numbers have a little less.
        let beyond = values.count { abs($0) > 3 }
        #expect((90...190).contains(beyond))
    }
}
