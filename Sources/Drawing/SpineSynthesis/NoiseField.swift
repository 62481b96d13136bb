/// Smooth random numbers in −1…1 over a grid of pixels: value noise, bilinear between the corners of square cells.
struct NoiseField {
    private let cell: Int
    private let columns: Int
    private let corners: [Float]

    /// A field for pictures of up to `width` × `height` pixels whose features are about `cell` pixels large.
    init(cell: Int, width: Int, height: Int, _ generator: inout SeededGenerator) {
        self.cell = cell
        columns = width / cell + 2
        let rows = height / cell + 2
        var values: [Float] = []
        values.reserveCapacity(columns * rows)
        for _ in 0..<columns * rows { values.append(Float(generator.number(in: -1...1))) }
        corners = values
    }

    /// The numbers of row `y`, from its first pixel, one for each element of `row`.
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
