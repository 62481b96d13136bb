import Raster

/// How much besides lettering is going on: pictures, patterns, borders, wear.
enum GroundClutter {
    /// The size at which spines are compared: a larger picture does not have more pattern than a smaller one of the
    /// same book.
    static let shortSide = 64
    /// What counts as an edge, in 8-bit steps a pixel.
    static let slope = 12.0

    /// The share of the pixels outside text whose slope is that of an edge.
    ///
    /// `text`: Where lines are, in its pixels.
    ///
    /// - Returns: 0…1; nil when fewer than 64 pixels are outside text.
    static func share(of luma: RasterImage, text: [Quad]) -> Double? {
        let scale = min(1, Double(shortSide) / Double(min(luma.width, luma.height)))
        let small = luma.resized(
            width: max(1, Int((Double(luma.width) * scale).rounded())),
            height: max(1, Int((Double(luma.height) * scale).rounded()))
        )
        let ground = text.reduce(VisibleArea(of: small, margin: 2)) { area, quad in
            area.without(quad.mapped { Point(x: $0.x * scale, y: $0.y * scale) }, margin: 2)
        }
        guard small.width > 2, small.height > 2 else { return nil }
        let limit = Int((8 * slope) * (8 * slope))
        var (edges, total) = (0, 0)
        for y in 1..<small.height - 1 {
            for x in 1..<small.width - 1 where ground.isInside(x: x, y: y) {
                total += 1
                if Sobel.squared(at: x, y, in: small) >= limit { edges += 1 }
            }
        }
        return total < 64 ? nil : Double(edges) / Double(total)
    }
}
