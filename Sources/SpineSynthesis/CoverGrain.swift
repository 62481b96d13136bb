import Foundation

/// The surface of a cover: its weave or blotches, and how its rounded edges fall into shade.
struct CoverGrain {
    let cover: Cover
    let thickness: Double
    let length: Double
    let margin: Double

    /// Changes the part of `picture` that the spine covers, `margin` pixels inside its edges.
    func apply(to picture: inout Picture, _ generator: inout SeededGenerator) {
        let coarse = NoiseField(cell: 9, width: picture.width, height: picture.height, &generator)
        let fine = NoiseField(cell: 3, width: picture.width, height: picture.height, &generator)
        let strength = Float(cover.grain)
        let roundness = cover.roundness
        let (left, right, top, bottom) = (margin, margin + thickness, margin, margin + length)
        picture.multiply { x, y in
            let (column, row) = (Double(x), Double(y))
            guard column >= left, column < right, row >= top, row < bottom else { return 1 }
            let grain: Float
            switch cover.material {
            case .laminate, .picture:
                grain = 0.02 * coarse[x, y]
            case .paper:
                grain = 0.04 * fine[x, y] + 0.03 * coarse[x, y]
            case .cloth:
                // Threads of about three pixels, over and under.
                let weave = Float(sin(column * 2.1 + 0.3 * Double(coarse[x, y])) * sin(row * 2.1))
                grain = 0.16 * weave + 0.12 * fine[x, y]
            case .leather:
                grain = 0.16 * coarse[x, y] + 0.12 * fine[x, y]
            }
            // The fourth power keeps the middle flat, as on a spine that is round only near its joints.
            let distance = abs(2 * (column - left) / thickness - 1)
            let shade = Float(1 - roundness * pow(distance, 4))
            return (1 + strength * grain) * shade
        }
    }
}

/// Smooth random numbers in −1…1 over a grid of pixels: value noise, bilinear between the corners of square cells.
struct NoiseField {
    private let cell: Int
    private let columns: Int
    private let corners: [Float]

    init(cell: Int, width: Int, height: Int, _ generator: inout SeededGenerator) {
        self.cell = cell
        columns = width / cell + 2
        let rows = height / cell + 2
        var values: [Float] = []
        values.reserveCapacity(columns * rows)
        for _ in 0..<columns * rows { values.append(Float(generator.number(in: -1...1))) }
        corners = values
    }

    subscript(x: Int, y: Int) -> Float {
        let (column, row) = (x / cell, y / cell)
        let shareX = Float(x % cell) / Float(cell)
        let shareY = Float(y % cell) / Float(cell)
        let start = row * columns + column
        let upper = corners[start] + (corners[start + 1] - corners[start]) * shareX
        let lower = corners[start + columns] + (corners[start + columns + 1] - corners[start + columns]) * shareX
        return upper + (lower - upper) * shareY
    }
}
