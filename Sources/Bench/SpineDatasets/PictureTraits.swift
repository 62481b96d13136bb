package import Imaging

/// Properties of a picture that make it easy or hard to read, measured from its pixels.
package struct PictureTraits: Sendable, Equatable {
    /// Pixels of the short side.
    package var shortSide: Int
    /// Local contrast in steps of luma, 0…255.
    ///
    /// The 95th less the 5th percentile within squares of a quarter of the short side, 8 pixels at least; of all whole
    /// squares the 75th percentile, since text fills a part of a spine. On `Datasets/spines-1` it follows the contrast
    /// that was drawn more closely (Spearman's ρ 0.31) than the range of the whole picture does (0.26).
    package var contrast: Int
    /// Variance of the Laplacian of luma: low in a blurred picture, 0 without an inner pixel.
    ///
    /// Source: Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy: a comparative study", ICPR 2000,
    /// with the four direct neighbours.
    package var sharpness: Int

    package init(_ image: RasterImage) {
        let grey = image.luma()
        shortSide = min(grey.width, grey.height)
        contrast = Self.contrast(grey, side: min(shortSide, max(8, shortSide / 4)))
        sharpness = Self.sharpness(grey)
    }

    private static func contrast(_ grey: RasterImage, side: Int) -> Int {
        let cut = side * side / 20
        var spans: [Int] = []
        for top in stride(from: 0, through: grey.height - side, by: side) {
            for left in stride(from: 0, through: grey.width - side, by: side) {
                var counts = [Int](repeating: 0, count: 256)
                for row in top..<top + side {
                    let start = row * grey.width + left
                    for value in grey.pixels[start..<start + side] { counts[Int(value)] += 1 }
                }
                func end(_ values: some Sequence<Int>) -> Int {
                    var left = cut
                    return values.first {
                        left -= counts[$0]
                        return left < 0
                    } ?? 0
                }
                spans.append(end((0...255).reversed()) - end(0...255))
            }
        }
        return spans.sorted()[spans.count * 3 / 4]
    }

    private static func sharpness(_ grey: RasterImage) -> Int {
        let (width, height) = (grey.width, grey.height)
        let count = Double(max(0, width - 2) * max(0, height - 2))
        guard count > 0 else { return 0 }
        var (sum, squares) = (0, 0)
        grey.pixels.withUnsafeBufferPointer { pixels in
            for row in 1..<height - 1 {
                for place in row * width + 1..<(row + 1) * width - 1 {
                    let across = Int(pixels[place - 1]) + Int(pixels[place + 1])
                    let value =
                        across + Int(pixels[place - width]) + Int(pixels[place + width]) - 4 * Int(pixels[place])
                    sum += value
                    squares += value * value
                }
            }
        }
        let mean = Double(sum) / count
        return Int((Double(squares) / count - mean * mean).rounded())
    }
}
