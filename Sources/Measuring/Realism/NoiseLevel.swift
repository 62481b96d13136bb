import Raster

/// The standard deviation of a picture's noise.
enum NoiseLevel {
    /// Sigma in the luma's 8-bit steps.
    ///
    /// The mean response to the difference of two Laplacians, which pictures hardly have and noise has, scaled so that it
    /// is the standard deviation of Gaussian noise: Immerkær, "Fast noise variance estimation", CVIU 64 (1996), 300–302.
    /// Lettering does respond, so that only the flatter half of the pixels is asked, as Tai and Yang ("A fast method for
    /// image noise estimation using Laplacian operator and adaptive edge detection", ISCCSP 2008) leave out edges. That
    /// does not favour quiet pixels: the slope is odd, the response is even, and of Gaussian noise the two are
    /// independent.
    ///
    /// `area`: Pixels that count.
    ///
    /// - Returns: 0 or more; nil when fewer than 64 pixels can tell.
    static func sigma(of luma: RasterImage, in area: VisibleArea) -> Double? {
        guard luma.width > 2, luma.height > 2 else { return nil }
        let width = luma.width
        var found: [(slope: Int, response: Int)] = []
        for y in 1..<luma.height - 1 {
            for x in 1..<width - 1 where area.isInside(x: x, y: y) {
                func at(_ dx: Int, _ dy: Int) -> Int { Int(luma.pixels[(y + dy) * width + x + dx]) }
                let corners = at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)
                let sides = at(0, -1) + at(-1, 0) + at(1, 0) + at(0, 1)
                let slope = Sobel.squared(at: x, y, in: luma)
                found.append((slope, abs(corners - 2 * sides + 4 * at(0, 0))))
            }
        }
        guard found.count >= 64 else { return nil }
        let limit = found.map(\.slope).sorted()[(found.count - 1) / 2]
        let flat = found.filter { $0.slope <= limit }
        let mean = Double(flat.reduce(0) { $0 + $1.response }) / Double(flat.count)
        // The filter's coefficients have the norm 6; a Gaussian's mean absolute value is √(2/π) of its deviation.
        return mean / 6 * (Double.pi / 2).squareRoot()
    }
}

/// The slope of a picture's luma.
enum Sobel {
    /// The squared length of Sobel's gradient, which is 8 times the slope in steps a pixel; not for pixels on the rim.
    static func squared(at x: Int, _ y: Int, in luma: RasterImage) -> Int {
        let width = luma.width
        func at(_ dx: Int, _ dy: Int) -> Int { Int(luma.pixels[(y + dy) * width + x + dx]) }
        let across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
        let down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
        return across * across + down * down
    }
}
