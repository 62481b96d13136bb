import Raster

/// Where the corners of a sensor's pixels lie in the flat picture, row by row.
struct ProjectionGrid {
    private let projection: Projection
    /// The flat place, from the left edge, of what is seen at each half pixel; the end twice, so that a step has one.
    private let columns: [Float]

    init(_ projection: Projection, flatWidth: Int) {
        self.projection = projection
        columns = (0...2 * flatWidth + 1).map { step in
            let x = min(Double(step) / 2, Double(flatWidth))
            return Float(projection.bends.reduce(x) { $1.flat($0) })
        }
    }

    /// The corners along the upper edge of row `y`: one more than a row has pixels.
    func fill(_ corners: UnsafeMutablePointer<SIMD2<Float>>, y: Int) {
        let m = projection.view.elements
        let (a, b, c, d, e, f, g, h, i) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
        let end = Float(columns.count - 2)
        columns.withUnsafeBufferPointer { columns in
            for x in 0...projection.width {
                let point = projection.undistorted(Point(x: Double(x), y: Double(y)))
                let scale = 1 / (g * point.x + h * point.y + i)
                let seen = Float((a * point.x + b * point.y + c) * scale)
                let place = max(0, min(end, seen * 2))
                let step = Int(place)
                let flat = columns[step] + (columns[step + 1] - columns[step]) * (place - Float(step))
                corners[x] = SIMD2(flat, Float((d * point.x + e * point.y + f) * scale))
            }
        }
    }
}
