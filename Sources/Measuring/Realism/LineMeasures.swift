import Foundation
import Raster

/// Figures of one straightened line of text.
struct LineMeasures: Sendable {
    /// Of the mean luminance of the two classes, 1…21.
    var contrastRatio: Double
    /// Of their mean luma, in 8-bit steps.
    var contrastSteps: Double
    /// Variance of the Laplacian as a share of the squared contrast.
    var laplacian: Double
    /// Of each strong edge, in pixels.
    var edgeRises: [Double]

    /// Nil when the line has one tone only: then there is nothing to tell text and ground apart by.
    ///
    /// `line`: A line's box at its own size, in the picture's pixels.
    init?(_ line: RasterImage) {
        let luma = line.luma()
        guard let threshold = Otsu.threshold(of: luma.pixels) else { return nil }
        var (lumas, luminances, counts) = ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
        for index in luma.pixels.indices {
            let side = luma.pixels[index] > threshold ? 1 : 0
            lumas[side] += Double(luma.pixels[index])
            luminances[side] += Luminance.of(line, index)
            counts[side] += 1
        }
        contrastSteps = lumas[1] / counts[1] - lumas[0] / counts[0]
        let (dark, light) = (luminances[0] / counts[0], luminances[1] / counts[1])
        // By luma the one class is lighter; saturated colours can turn that round in linear light.
        contrastRatio = (max(dark, light) + 0.05) / (min(dark, light) + 0.05)
        laplacian = Self.laplacianVariance(luma) / (contrastSteps * contrastSteps)
        edgeRises = EdgeRise.rises(in: luma, atLeast: contrastSteps / 2)
    }

    /// Variance of the response to [0 1 0; 1 −4 1; 0 1 0], away from the rim; 0 for an image without inside.
    ///
    /// Source: Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", ICPR 2000.
    static func laplacianVariance(_ luma: RasterImage) -> Double {
        let (width, height) = (luma.width, luma.height)
        guard width > 2, height > 2 else { return 0 }
        var (sum, squares) = (0, 0)
        for y in 1..<height - 1 {
            for x in 1..<width - 1 {
                let index = y * width + x
                let around =
                    Int(luma.pixels[index - 1]) + Int(luma.pixels[index + 1]) + Int(luma.pixels[index - width])
                    + Int(luma.pixels[index + width])
                let response = around - 4 * Int(luma.pixels[index])
                sum += response
                squares += response * response
            }
        }
        let count = Double((width - 2) * (height - 2))
        let mean = Double(sum) / count
        return Double(squares) / count - mean * mean
    }
}

/// The threshold that divides grey values into two classes best.
enum Otsu {
    /// The largest value of the darker class; nil when all values are the same.
    ///
    /// Of several equally good ones the lowest. Source: Otsu, "A threshold selection method from gray-level histograms",
    /// IEEE Trans. SMC 9 (1979), 62–66.
    static func threshold(of values: [UInt8]) -> UInt8? {
        var histogram = [Int](repeating: 0, count: 256)
        for value in values { histogram[Int(value)] += 1 }
        let total = histogram.indices.reduce(0) { $0 + $1 * histogram[$1] }
        var (count, sum) = (0, 0)
        var best: (threshold: UInt8, variance: Double)?
        for level in 0..<255 {
            count += histogram[level]
            sum += level * histogram[level]
            guard count > 0, count < values.count else { continue }
            let (below, above) = (Double(count), Double(values.count - count))
            let difference = Double(sum) / below - Double(total - sum) / above
            let variance = below * above * difference * difference
            if variance > best?.variance ?? 0 { best = (UInt8(level), variance) }
        }
        return best?.threshold
    }
}

/// Relative luminance as WCAG 2.2 defines it, 0…1: the luminance of sRGB colours in linear light.
enum Luminance {
    /// Of the pixel at `index`, counted row by row.
    static func of(_ image: RasterImage, _ index: Int) -> Double {
        if image.channels == 1 { return linear[Int(image.pixels[index])] }
        return 0.2126 * linear[Int(image.pixels[3 * index])] + 0.7152 * linear[Int(image.pixels[3 * index + 1])]
            + 0.0722 * linear[Int(image.pixels[3 * index + 2])]
    }

    /// Linear light of each 8-bit value (IEC 61966-2-1).
    private static let linear = (0...255).map { value in
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}
