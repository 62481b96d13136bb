import Basics
import Raster
import Statistics

/// Figures of a picture as a whole.
enum PictureMeasures {
    /// Mean luma in 8-bit steps; nil when nothing is visible.
    static func brightness(of luma: RasterImage, in area: VisibleArea) -> Double? {
        var (sum, count) = (0, 0)
        for index in luma.pixels.indices where area.isVisible[index] {
            sum += Int(luma.pixels[index])
            count += 1
        }
        return count == 0 ? nil : Double(sum) / Double(count)
    }

    /// How colourful a picture looks: 0 for grey, about 30 for moderate colour, above 80 for strong colour.
    ///
    /// Source: Hasler and Süsstrunk, "Measuring colourfulness in natural images", SPIE 5007 (2003), the third metric. Nil
    /// when nothing is visible.
    static func colourfulness(of image: RasterImage, in area: VisibleArea) -> Double? {
        guard image.channels == 3 else { return area.count == 0 ? nil : 0 }
        var (count, sums, squares) = (0.0, SIMD2<Double>.zero, SIMD2<Double>.zero)
        for index in area.isVisible.indices where area.isVisible[index] {
            let red = Double(image.pixels[3 * index])
            let green = Double(image.pixels[3 * index + 1])
            let blue = Double(image.pixels[3 * index + 2])
            let opponents = SIMD2(red - green, (red + green) / 2 - blue)
            count += 1
            sums += opponents
            squares += opponents * opponents
        }
        guard count > 0 else { return nil }
        let means = sums / count
        let variances = squares / count - means * means
        return max(0, variances.sum()).squareRoot() + 0.3 * (means * means).sum().squareRoot()
    }

    /// How much the ground's luma differs along the long side, in 8-bit steps: largest less smallest of the medians of 8
    /// bands.
    ///
    /// A band with fewer than 16 pixels of ground is left out; nil when fewer than 4 bands are left.
    static func unevenness(of luma: RasterImage, ground: VisibleArea) -> Double? {
        let isTall = luma.height >= luma.width
        let length = isTall ? luma.height : luma.width
        var bands = [[Double]](repeating: [], count: 8)
        for index in luma.pixels.indices where ground.isVisible[index] {
            let along = isTall ? index / luma.width : index % luma.width
            bands[along * bands.count / length].append(Double(luma.pixels[index]))
        }
        let medians = bands.filter { $0.count >= 16 }.compactMap { ValueDistribution($0).percentile(50).value }
        guard medians.count >= 4, let low = medians.min(), let high = medians.max() else { return nil }
        return high - low
    }

    /// How much stronger luma steps are where a JPEG's blocks meet than elsewhere: 1 without blocks.
    ///
    /// The blocks are those of the file, from its top left corner. Nil when the picture has no steps to compare.
    ///
    /// Source: the blocking and activity terms of Wang, Sheikh and Bovik, "No-reference perceptual quality assessment of
    /// JPEG compressed images", ICIP 2002.
    static func blockiness(of luma: RasterImage) -> Double? {
        let (width, height) = (luma.width, luma.height)
        var (seams, seamCount, others, otherCount) = (0, 0, 0, 0)
        func add(_ position: Int, _ a: UInt8, _ b: UInt8) {
            let step = abs(Int(a) - Int(b))
            if position.isMultiple(of: 8) {
                (seams, seamCount) = (seams + step, seamCount + 1)
            } else {
                (others, otherCount) = (others + step, otherCount + 1)
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let here = luma.pixels[y * width + x]
                if x > 0 { add(x, here, luma.pixels[y * width + x - 1]) }
                if y > 0 { add(y, here, luma.pixels[(y - 1) * width + x]) }
            }
        }
        guard seamCount > 0, others > 0 else { return nil }
        return Double(seams) / Double(seamCount) / (Double(others) / Double(otherCount))
    }
}
