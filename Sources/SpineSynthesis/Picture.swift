import Foundation
import Raster

/// An RGB picture in floating point, so that light, blur and noise add up before anything is rounded.
///
/// `height` rows of `width` pixels of three values on the scale 0…255, row-major, interleaved; values may leave the scale.
struct Picture {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        values = [Float](repeating: 0, count: width * height * 3)
    }

    /// - Precondition: `image` has three channels.
    init(_ image: RasterImage) {
        precondition(image.channels == 3, "a picture is RGB")
        width = image.width
        height = image.height
        values = image.pixels.map(Float.init)
    }

    /// Rounded to bytes, cut off at 0 and 255.
    var image: RasterImage {
        RasterImage(
            width: width,
            height: height,
            channels: 3,
            pixels: values.map { UInt8(max(0, min(255, $0.rounded()))) }
        )
    }

    /// Multiplies the three values of each pixel by the factor that `factor` gives for its column and row.
    mutating func multiply(by factor: (_ x: Int, _ y: Int) -> Float) {
        for y in 0..<height {
            for x in 0..<width {
                let gain = factor(x, y)
                let start = (y * width + x) * 3
                values[start] *= gain
                values[start + 1] *= gain
                values[start + 2] *= gain
            }
        }
    }

    /// Blurred by a Gaussian with a standard deviation of `sigma` pixels, cut off at three of them; 0 changes nothing.
    func blurred(sigma: Double) -> Picture {
        guard sigma > 0 else { return self }
        let radius = max(1, Int((3 * sigma).rounded(.up)))
        let weights = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let total = weights.reduce(0, +)
        let kernel = weights.map { $0 / total }
        return convolved(with: kernel, radius: radius, alongRows: true)
            .convolved(with: kernel, radius: radius, alongRows: false)
    }

    private func convolved(with kernel: [Float], radius: Int, alongRows: Bool) -> Picture {
        var result = Picture(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 {
                    var sum: Float = 0
                    for step in -radius...radius {
                        let column = alongRows ? max(0, min(width - 1, x + step)) : x
                        let row = alongRows ? y : max(0, min(height - 1, y + step))
                        sum += self[column, row, channel] * kernel[step + radius]
                    }
                    result.values[(y * width + x) * 3 + channel] = sum
                }
            }
        }
        return result
    }

    private subscript(x: Int, y: Int, channel: Int) -> Float {
        values[(y * width + x) * 3 + channel]
    }
}
