import Imaging

/// The outline that a segmenter gave a spine, which its crop is cut out along: nearly the spine's, a little irregular.
struct CropMask {
    let outline: Quad
    let stray: Double

    func apply(to image: inout RasterImage, _ generator: inout SeededGenerator) {
        let bounds = polygon(&generator)
        let (width, height) = (image.width, image.height)
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                let crossings = Self.crossings(of: bounds, y: Double(y) + 0.5)
                let left = Int(max(0, min(Double(width), crossings?.left.rounded() ?? Double(width))))
                let right = Int(max(Double(left), min(Double(width), crossings?.right.rounded() ?? 0)))
                let row = UnsafeMutableBufferPointer(rebasing: pixels[y * width * 3..<(y + 1) * width * 3])
                row[..<(left * 3)].update(repeating: 0)
                row[(right * 3)...].update(repeating: 0)
            }
        }
    }

    private func polygon(_ generator: inout SeededGenerator) -> [Point] {
        var points: [Point] = []
        for (index, start) in outline.corners.enumerated() {
            let end = outline.corners[(index + 1) % 4]
            let length = start.distance(to: end)
            guard length > 0 else { continue }
            let (stepX, stepY) = ((end.x - start.x) / length, (end.y - start.y) / length)
            // About one corner for every two hundred pixels. Going clockwise, outwards is to the left.
            let pieces = max(1, Int(length / 200))
            for piece in 0..<pieces {
                let along = length * Double(piece) / Double(pieces)
                let out = generator.number(in: -0.2...1) * stray
                points.append(
                    Point(x: start.x + stepX * along + stepY * out, y: start.y + stepY * along - stepX * out)
                )
            }
        }
        return points
    }

    private static func crossings(of points: [Point], y: Double) -> (left: Double, right: Double)? {
        let xs = points.crossings(at: y)
        guard let left = xs.min(), let right = xs.max() else { return nil }
        return (left, right)
    }
}

/// Smooth random numbers in −1…1 over a grid of pixels: value noise, bilinear between the corners of square cells.
struct NoiseField {
    private let cell: Int
    private let columns: Int
    private let corners: [Float]

    /// Creates a field for pictures of up to `width` × `height` pixels whose features are about `cell` pixels large.
    init(cell: Int, width: Int, height: Int, _ generator: inout SeededGenerator) {
        self.cell = cell
        columns = width / cell + 2
        let rows = height / cell + 2
        var values: [Float] = []
        values.reserveCapacity(columns * rows)
        for _ in 0..<columns * rows { values.append(Float(generator.number(in: -1...1))) }
        corners = values
    }

    func fill(_ row: UnsafeMutableBufferPointer<Float>, y: Int) {
        let shareY = Float(y % cell) / Float(cell)
        let step = 1 / Float(cell)
        corners.withUnsafeBufferPointer { corners in
            var start = (y / cell) * columns
            var x = 0
            while x < row.count {
                let left = corners[start] + (corners[start + columns] - corners[start]) * shareY
                let right = corners[start + 1] + (corners[start + columns + 1] - corners[start + 1]) * shareY
                let slope = (right - left) * step
                for offset in 0..<min(cell, row.count - x) {
                    row[x] = left + slope * Float(offset)
                    x += 1
                }
                start += 1
            }
        }
    }
}
