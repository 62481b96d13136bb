import Foundation
import Raster

/// Pictures with known figures.
enum TestImage {
    /// One channel, each value by column and row.
    static func grey(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> Int) -> RasterImage {
        let pixels = (0..<width * height).map { UInt8(min(max(value($0 % width, $0 / width), 0), 255)) }
        return RasterImage(width: width, height: height, channels: 1, pixels: pixels)
    }

    /// Three channels, each pixel by column and row.
    static func colour(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> [Int]) -> RasterImage {
        let pixels = (0..<width * height).flatMap { value($0 % width, $0 / width).map { UInt8($0) } }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }

    /// Wild, and as NumPy has it: `((x*x*7 + y*13 + x*y*3) % 256).astype(uint8)` at 40 × 30.
    static let wild = grey(40, 30) { x, y in (x * x * 7 + y * 13 + x * y * 3) % 256 }

    /// Dark left, light right, both uneven, and as NumPy has it:
    /// `where(x < 13, 40 + (x*3 + y*5) % 17, 180 + (x*7 + y*11) % 23)` at 40 × 30.
    static let divided = grey(40, 30) { x, y in
        x < 13 ? 40 + (x * 3 + y * 5) % 17 : 180 + (x * 7 + y * 11) % 23
    }

    /// Gaussian noise of a standard deviation around `level`; the same every time.
    static func noise(_ width: Int, _ height: Int, sigma: Double, level: (Int, Int) -> Double) -> RasterImage {
        var state: UInt64 = 42
        func uniform() -> Double {
            // Knuth's MMIX generator; the upper bits are the better ones.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Double(state >> 33) + 0.5) / Double(1 << 31)
        }
        return grey(width, height) { x, y in
            // Box and Muller 1958.
            let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
            return Int((level(x, y) + sigma * normal).rounded())
        }
    }
}
