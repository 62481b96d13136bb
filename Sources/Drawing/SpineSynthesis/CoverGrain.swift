import Raster

/// The part of a flat picture that a spine covers, in whole pixels.
struct CoverArea {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    /// Features of a cover grow with its picture: 1 for a spine of 100 pixels, about 25 mm.
    var unit: Double { max(0.5, Double(width) / 100) }
}

/// The surface of a cover: its threads, pebbles or fibres, and how its rounded edges fall into shade.
struct CoverGrain {
    let cover: Cover
    let area: CoverArea

    /// Changes the part of `image` that the spine covers.
    func apply(to image: inout RasterImage, _ generator: inout SeededGenerator) {
        let unit = area.unit
        func field(_ cell: Double) -> NoiseField {
            NoiseField(
                cell: max(1, Int((cell * unit).rounded())),
                width: area.width,
                height: area.height,
                &generator
            )
        }
        let (coarse, medium, fine) = (field(9), field(3.4), field(2))
        // Book cloth has some 20 threads in a centimetre; finer ones would drown in the pixels.
        let period = max(2, min(6, 2 * unit))
        let warp = Threads(period: period, length: area.width, &generator)
        let weft = Threads(period: period, length: area.height, &generator)
        let strength = Float(cover.grain)
        let shade = roundness
        let (width, stride) = (area.width, image.width * 3)
        let start = area.top * stride + area.left * 3
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * width) { rows in
                let wide = UnsafeMutableBufferPointer(rebasing: rows[..<width])
                let middle = UnsafeMutableBufferPointer(rebasing: rows[width..<2 * width])
                let narrow = UnsafeMutableBufferPointer(rebasing: rows[(2 * width)...])
                for y in 0..<area.height {
                    coarse.fill(wide, y: y)
                    medium.fill(middle, y: y)
                    fine.fill(narrow, y: y)
                    for x in 0..<width {
                        let grain: Float
                        switch cover.material {
                        case .laminate, .picture:
                            grain = 0.02 * wide[x]
                        case .paper:
                            grain = 0.05 * narrow[x] + 0.03 * wide[x]
                        case .cloth:
                            let over = (warp.index[x] ^ weft.index[y]) & 1 == 0
                            let thread = over ? warp.light[x] : weft.light[y]
                            grain = 0.24 * thread + 0.06 * narrow[x] + 0.05 * wide[x]
                        case .leather:
                            // Two noises of different size add up to no grid; where they cancel lies a valley.
                            let height = abs(middle[x] + 0.7 * narrow[x])
                            grain = 0.26 * (min(1, 2.6 * height) - 0.8) + 0.06 * wide[x]
                        }
                        let gain = (1 + strength * grain) * shade[x]
                        let place = start + y * stride + x * 3
                        pixels[place] = Self.scaled(pixels[place], gain)
                        pixels[place + 1] = Self.scaled(pixels[place + 1], gain)
                        pixels[place + 2] = Self.scaled(pixels[place + 2], gain)
                    }
                }
            }
        }
    }

    /// The fourth power keeps the middle flat, as on a spine that is round only near its joints.
    private var roundness: [Float] {
        (0..<area.width).map { x in
            let distance = 2 * (Double(x) + 0.5) / Double(area.width) - 1
            return Float(1 - cover.roundness * distance * distance * distance * distance)
        }
    }

    @inline(__always)
    private static func scaled(_ byte: UInt8, _ gain: Float) -> UInt8 {
        UInt8(max(0, min(255, Float(byte) * gain + 0.5)))
    }
}

/// Parallel threads, for each pixel across them: which one it is, and how light.
private struct Threads {
    var index: [Int] = []
    var light: [Float] = []

    init(period: Double, length: Int, _ generator: inout SeededGenerator) {
        let tones = (0...Int(Double(length) / period)).map { _ in generator.number(in: -0.35...0.35) }
        for place in 0..<length {
            let threads = (Double(place) + 0.5) / period
            let thread = Int(threads)
            // A thread is round: light on its back, dark between it and the next.
            let side = 2 * (threads - Double(thread)) - 1
            index.append(thread)
            light.append(Float(0.35 - side * side + tones[thread]))
        }
    }
}
